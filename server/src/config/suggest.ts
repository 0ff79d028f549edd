import { distance } from 'fastest-levenshtein'
import { tableValue, type Schema } from './key.ts'
import { fieldOf, quoted, type Path } from './report.ts'

/** Which key was probably meant by one that is not known: of the same name in another section, or of nearly that name. */
export function suggest(name: string, path: Path, here: readonly string[], top: Schema): string {
  const elsewhere = keysOf(top, []).filter((each) => each.at(-1) === name)
  const nearest = here
    .map((key) => ({ key, apart: distance(key, name.toLowerCase()) }))
    .toSorted((a, b) => a.apart - b.apart)[0]
  if (nearest && nearest.apart <= Math.max(1, Math.floor(name.length / 3))) {
    return `; did you mean \`${fieldOf([...path, nearest.key])}\`?`
  }
  if (elsewhere.length > 0) return `; did you mean ${elsewhere.slice(0, 3).map((each) => `\`${shown(each)}\``).join(' or ')}?`
  const [close] = keysOf(top, [])
    .map((each) => ({ each, apart: distance(String(each.at(-1)), name.toLowerCase()) }))
    .toSorted((a, b) => a.apart - b.apart)
  if (close && close.apart <= Math.max(1, Math.floor(name.length / 4))) return `; did you mean \`${shown(close.each)}\`?`
  return nearest ? `; the keys here are ${here.map((key) => `\`${key}\``).join(', ')}` : ''
}

export const unknownKey = (name: string): string => `the key ${quoted(name)} is not known`

const shown = (path: Path): string => path.join('.')

/** Every key of the schema by its way from the top; `<name>` stands for a name that the user chooses. */
function keysOf(schema: Schema, path: Path): Path[] {
  const value = tableValue(schema)
  if (value) return keysOf(value, [...path, '<name>'])
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => [
    [...path, key],
    ...keysOf(inner, [...path, key]),
  ])
}
