import type { EngineProblem } from '../problem-codes.ts'
import type { Path, Place } from '../problem-collector.ts'
import { readSimpleText } from './simple-text.ts'
import type { TextNode } from './text-node.ts'
import { createLocator, placesIn, type Location } from './text-places.ts'
import { nodesOf } from './yaml-nodes.ts'
import { readYaml } from './yaml-text.ts'

/** A text read for its values, with the position of each. */
export interface ConfigText {
  readonly root: TextNode | null
  readonly placeAt: (offset: number) => Place
  /** Where a path leads; aliases on the way are followed. */
  readonly locate: (path: Path) => Location
  /** Contains no key: only comments and white space. */
  readonly empty: boolean
}

/** Characters. The YAML parser reads a smaller text in less than some 0.1 s. */
const large = 250_000

/**
 * Reads a text as YAML: without the YAML parser if it is large and simple, which takes a tenth of the time and memory.
 *
 * @returns undefined if there is a problem
 */
export function readConfigText(
  text: string,
  problemAt: (place: Place, what: EngineProblem) => void,
): ConfigText | undefined {
  const simple = text.length < large ? undefined : readSimpleText(text)
  const read = simple ? { root: simple, empty: false } : readWithParser(text, problemAt)
  if (!read) return undefined
  const placeAt = placesIn(text)
  return { ...read, placeAt, locate: createLocator(read.root, placeAt) }
}

function readWithParser(text: string, problemAt: (place: Place, what: EngineProblem) => void) {
  const yaml = readYaml(text, problemAt)
  return yaml && { root: nodesOf(yaml.document), empty: yaml.empty }
}
