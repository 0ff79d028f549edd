import { isAlias, isMap, isScalar, isSeq, type Document, type Pair } from 'yaml'
import type { TextKey, TextNode, TextValue } from './text-node.ts'
import { keyText } from './yaml-text.ts'

/** The values of a YAML document, without its comments. */
export const nodesOf = ({ contents }: Document.Parsed): TextNode | null => read(contents, new Map())

/** @param anchors the nodes with an anchor before this one: an alias refers to the last one with its name */
function read(node: unknown, anchors: Map<string, TextValue>): TextNode | null {
  if (isAlias(node)) return { kind: 'alias', target: anchors.get(node.source), start: startOf(node) }
  if (isScalar(node)) {
    const { value, source = '' } = node
    return named(node, { kind: 'scalar', value, source, start: startOf(node) }, anchors)
  }
  if (isSeq(node)) {
    const items: (TextNode | null)[] = []
    const list = named(node, { kind: 'list', items, start: startOf(node) }, anchors)
    for (const item of node.items) items.push(read(item, anchors))
    return list
  }
  if (!isMap(node)) return null
  const keys: TextKey[] = []
  const table = named(node, { kind: 'table', keys, start: startOf(node) }, anchors)
  for (const pair of node.items) keys.push(readKey(pair, anchors))
  return table
}

function readKey({ key, value }: Pair, anchors: Map<string, TextValue>): TextKey {
  // A key that isn't a plain name is a problem later, but what is in it can have an anchor.
  const name = read(key, anchors)
  return { name: keyText(key), start: name?.start ?? 0, value: read(value, anchors) }
}

function named<N extends TextValue>({ anchor }: { anchor?: string }, node: N, anchors: Map<string, TextValue>): N {
  if (anchor !== undefined) anchors.set(anchor, node)
  return node
}

const startOf = ({ range }: { range?: readonly number[] | null | undefined }): number => range?.[0] ?? 0
