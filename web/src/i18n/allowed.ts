import type { Constraint } from '../../../server/src/config/constraint.ts'

/** What a language calls that which a key of config.yml may hold. */
export interface AllowedWords {
  readonly kinds: Readonly<Record<Exclude<Constraint['kind'], 'one-of' | 'list'>, string>>
  /** After the word for a number. */
  readonly range: {
    readonly between: (least: number, most: number) => string
    readonly least: (least: number) => string
    readonly above: (above: number) => string
  }
  readonly list: (each: string) => string
}

/** Any of these, as the language puts them in a row. */
export function allowedIn(tag: string, { kinds, range, list }: AllowedWords) {
  const or = new Intl.ListFormat(tag, { type: 'disjunction' })

  const ways = (one: Constraint): readonly string[] => {
    switch (one.kind) {
      case 'one-of':
        return one.values
      case 'list':
        return [list(any(one.each))]
      case 'integer':
      case 'number':
        return [`${kinds[one.kind]}${rangeOf(one)}`]
      default:
        return [kinds[one.kind]]
    }
  }
  const rangeOf = ({ least, most, above }: { least?: number; most?: number; above?: number }): string => {
    if (least !== undefined && most !== undefined) return range.between(least, most)
    if (least !== undefined) return range.least(least)
    return above === undefined ? '' : range.above(above)
  }
  const any = (allowed: readonly Constraint[]): string => or.format(allowed.flatMap(ways))
  return { any, either: (names: readonly string[]) => or.format(names) }
}
