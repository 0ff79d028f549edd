import type { Constraint } from '../../../server/src/api-types.ts'

/** A language's words for the values that a config.yml key allows. */
export interface AllowedWords {
  readonly kinds: Readonly<Record<Exclude<Constraint['kind'], 'one-of' | 'list'>, string>>
  /** Appended to the word for a number. */
  readonly range: {
    readonly between: (min: number, max: number) => string
    readonly min: (min: number) => string
    readonly above: (above: number) => string
  }
  readonly list: (each: string) => string
}

/** Joins the allowed values into one phrase, as the language lists alternatives. */
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
  const rangeOf = ({ min, max, above }: { min?: number; max?: number; above?: number }): string => {
    if (min !== undefined && max !== undefined) return range.between(min, max)
    if (min !== undefined) return range.min(min)
    return above === undefined ? '' : range.above(above)
  }
  const any = (allowed: readonly Constraint[]): string => or.format(allowed.flatMap(ways))
  return { any, either: (names: readonly string[]) => or.format(names) }
}
