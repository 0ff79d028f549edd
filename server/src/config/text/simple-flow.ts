import { code, NotSimple, readName, readScalar, type Cursor } from './simple-scalar.ts'
import type { TextKey, TextNode } from './text-node.ts'

const maxDepth = 20

export const startsFlow = ({ text, at }: Cursor): boolean => {
  const first = text.charCodeAt(at)
  return first === code.openBracket || first === code.openBrace
}

/**
 * Reads `[…]` or `{…}`, on one or more lines. Moves the cursor behind it.
 *
 * @param column that of the key or item around it, from 0: every line begins further to the right
 */
export function readFlow(cursor: Cursor, column: number, depth = 0): TextNode {
  if (depth > maxDepth) throw new NotSimple()
  const start = cursor.at
  const isList = cursor.text.charCodeAt(start) === code.openBracket
  const end = isList ? code.closeBracket : code.closeBrace
  const items: TextNode[] = []
  const keys: TextKey[] = []
  cursor.at += 1
  skipSpaces(cursor, column)
  while (cursor.text.charCodeAt(cursor.at) !== end) {
    if (isList) items.push(readValue(cursor, column, depth))
    else keys.push(readKey(cursor, column, depth))
    skipSpaces(cursor, column)
    const next = cursor.text.charCodeAt(cursor.at)
    if (next === end) break
    if (next !== code.comma) throw new NotSimple()
    cursor.at += 1
    skipSpaces(cursor, column)
  }
  cursor.at += 1
  return isList ? { kind: 'list', items, start } : { kind: 'table', keys, start }
}

const readValue = (cursor: Cursor, column: number, depth: number): TextNode =>
  startsFlow(cursor) ? readFlow(cursor, column, depth + 1) : readScalar(cursor, true)

function readKey(cursor: Cursor, column: number, depth: number): TextKey {
  const { name, start } = readName(cursor)
  const { text, at } = cursor
  if (text.charCodeAt(at) !== code.colon || text.charCodeAt(at + 1) !== code.space) throw new NotSimple()
  cursor.at += 1
  skipSpaces(cursor, column)
  return { name, start, value: readValue(cursor, column, depth) }
}

function skipSpaces(cursor: Cursor, column: number): void {
  const { text } = cursor
  let lineStart = -1
  for (; ; cursor.at += 1) {
    const next = text.charCodeAt(cursor.at)
    if (next === code.newline) lineStart = cursor.at + 1
    else if (next !== code.space && next !== code.return) break
  }
  if (lineStart >= 0 && cursor.at - lineStart <= column) throw new NotSimple()
}
