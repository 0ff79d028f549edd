import { distance } from 'fastest-levenshtein'
import { tableValue, type Schema } from './key.ts'
import type { ConfigProblem } from './problem-codes.ts'
import { fieldOf, hidden, mayBeAddress, quoted, type Path } from './problem-collector.ts'

export interface UnknownKey {
  readonly problem: ConfigProblem
  /** Its name, or what stands for it. */
  readonly shown: string
}

/**
 * A key that is not known, and which was probably meant: of the same name in another section, or of nearly that name.
 *
 * @param isVisible its name is quoted also where nothing like it was meant, since it cannot be a secret
 */
export function unknownKey(
  name: string,
  path: Path,
  here: readonly string[],
  top: Schema,
  isVisible: boolean,
): UnknownKey {
  const meant = meantBy(name, path, here, top)
  const shown = mayBeAddress(name) || (meant.length === 0 && !isVisible) ? hidden : name
  const key = quoted(shown)
  const text = `the key ${key} is not known`
  if (meant.length > 0) {
    const message = `${text}; did you mean ${meant.map((each) => `\`${each}\``).join(' or ')}?`
    return { problem: { code: 'unknown-key-meant', values: { key, meant }, message }, shown }
  }
  const keys = here.length === 0 ? '' : `; the keys here are ${here.map((each) => `\`${each}\``).join(', ')}`
  return { problem: { code: 'unknown-key', values: { key, keys: here }, message: `${text}${keys}` }, shown }
}

function meantBy(name: string, path: Path, here: readonly string[], top: Schema): string[] {
  const nearest = here
    .map((key) => ({ key, apart: distance(key, name.toLowerCase()) }))
    .toSorted((a, b) => a.apart - b.apart)[0]
  if (nearest && nearest.apart <= Math.max(1, Math.floor(name.length / 3))) return [fieldOf([...path, nearest.key])]
  const all = keysOf(top, [])
  const elsewhere = all.filter((each) => each.at(-1) === name)
  if (elsewhere.length > 0) return elsewhere.slice(0, 3).map(dotted)
  const [close] = all
    .map((each) => ({ each, apart: distance(String(each.at(-1)), name.toLowerCase()) }))
    .toSorted((a, b) => a.apart - b.apart)
  return close && close.apart <= Math.max(1, Math.floor(name.length / 4)) ? [dotted(close.each)] : []
}

const dotted = (path: Path): string => path.join('.')

/** Every key of the schema by its way from the top; `<name>` stands for a name that the user chooses. */
function keysOf(schema: Schema, path: Path): Path[] {
  const value = tableValue(schema)
  if (value) return keysOf(value, [...path, '<name>'])
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => [
    [...path, key],
    ...keysOf(inner, [...path, key]),
  ])
}
