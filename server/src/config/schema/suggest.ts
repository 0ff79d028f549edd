import { sectionOf, tableValue, type Schema } from '../key.ts'
import { alternatives } from './describe-constraint.ts'
import { editsIn, nearest, nearestBy } from './nearest.ts'
import { configProblem, type EngineProblem } from '../problem-codes.ts'
import { fieldOf, hidden, looksLikeUrl, quoted, type Path } from '../problem-collector.ts'

export interface UnknownKey {
  readonly problem: EngineProblem
  /** Name of the key, or its replacement if hidden. */
  readonly shown: string
}

/**
 * Problem for an unknown key, suggesting known keys: the same name in another section, or a similar name.
 *
 * @param isVisible whether the name is quoted even without a suggestion, because it cannot be a secret; a name that only
 *   has words of known keys is quoted anyway
 */
export function unknownKey(
  name: string,
  path: Path,
  here: readonly string[],
  top: Schema,
  isVisible: boolean,
): UnknownKey {
  const meant = meantBy(name, path, here, top)
  const isQuoted = meant.length > 0 || isVisible || hasKnownWords(name, top)
  const shown = looksLikeUrl(name) || !isQuoted ? hidden : name
  const key = quoted(shown)
  const problem =
    meant.length > 0
      ? configProblem('unknown-key-meant', { key, meant }, { key, meant: alternatives(meant) })
      : configProblem('unknown-key', { key, keys: here }, { key, hasKeys: here.length > 0, keys: here.join(', ') })
  return { problem, shown }
}

function meantBy(name: string, path: Path, here: readonly string[], top: Schema): string[] {
  const sibling = nearest(name, here)
  if (sibling !== undefined) return [fieldOf([...path, sibling])]
  const all = keysOf(top, [])
  const elsewhere = all.filter((each) => each.at(-1) === name)
  if (elsewhere.length > 0) return elsewhere.slice(0, 3).map(dotted)
  const [whole, ...others] = here.filter((key) => key.endsWith(`_${name.toLowerCase()}`))
  if (whole !== undefined && others.length === 0) return [fieldOf([...path, whole])]
  const close = nearestBy(name, all, (each) => String(each.at(-1)), editsIn(name, 4))
  return close ? [dotted(close)] : []
}

/** Whether a name can't be a pasted secret: each of its words is one of a known key's name, which anyone can read. */
function hasKnownWords(name: string, top: Schema): boolean {
  const known = new Set(keysOf(top, []).flatMap((path) => wordsOf(String(path.at(-1)))))
  return wordsOf(name).every((word) => known.has(word))
}

const wordsOf = (name: string): string[] => name.split('_')

const dotted = (path: Path): string => path.join('.')

/** All key paths of the schema; `<name>` stands for a name that the user chooses. */
function keysOf(schema: Schema, path: Path): Path[] {
  const value = tableValue(schema)
  if (value) return keysOf(value, [...path, '<name>'])
  return Object.entries(sectionOf(schema)?.properties ?? {}).flatMap(([key, inner]) => [
    [...path, key],
    ...keysOf(inner, [...path, key]),
  ])
}
