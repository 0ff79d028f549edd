import { readFlow, startsFlow } from './simple-flow.ts'
import { code, isLineEnd, NotSimple, readName, readScalar, startsName, type Cursor } from './simple-scalar.ts'
import type { TextKey, TextList, TextNode, TextTable } from './text-node.ts'

/** A cursor at the first character of a line that isn't empty or a comment, or behind a `- ` in it. */
interface Lines extends Cursor {
  /** From 0; -1 at the end of the text. */
  column: number
}

const maxDepth = 20

/** Control characters, tabs, byte order marks, and carriage returns without a line break. */
const special = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\ufeff\ufffe\uffff]|\r(?!\n)/

/**
 * Reads a text that is as simple as nearly every config.yml: tables and lists of values on one line, and comments. What
 * it reads means the same to the YAML parser, at the same positions.
 *
 * @returns undefined if there is anything else in the text, or a mistake
 */
export function readSimpleText(text: string): TextTable | undefined {
  if (special.test(text)) return undefined
  const lines: Lines = { text, at: 0, column: 0 }
  try {
    startLine(lines)
    const table = readTable(lines, 0)
    return atEnd(lines) ? table : undefined
  } catch (error) {
    if (error instanceof NotSimple) return undefined
    throw error
  }
}

const atEnd = ({ column }: Lines): boolean => column === -1

/** Moves to the next line with more than a comment, from the start of a line. */
function startLine(lines: Lines): void {
  const { text } = lines
  let at = lines.at
  while (at < text.length) {
    const start = at
    while (text.charCodeAt(at) === code.space) at += 1
    const first = text.charCodeAt(at)
    if (first !== code.hash && !isLineEnd(first)) {
      lines.at = at
      lines.column = at - start
      return
    }
    const end = text.indexOf('\n', at)
    at = end < 0 ? text.length : end + 1
  }
  lines.at = at
  lines.column = -1
}

/** Ends a line after a value: only a comment can follow. Moves to the next line. */
function endLine(lines: Lines): void {
  const { text } = lines
  let { at } = lines
  while (text.charCodeAt(at) === code.space) at += 1
  const isComment = text.charCodeAt(at) === code.hash && text.charCodeAt(at - 1) === code.space
  if (!isComment && !isLineEnd(text.charCodeAt(at))) throw new NotSimple()
  const end = text.indexOf('\n', at)
  lines.at = end < 0 ? text.length : end + 1
  startLine(lines)
}

const startsItem = ({ text, at }: Cursor): boolean =>
  text.charCodeAt(at) === code.dash && text.charCodeAt(at + 1) === code.space

/**
 * Reads the keys that begin in the column of the cursor. Any other line ends the table: only one that begins where a key
 * or item around it begins continues there, so that a line in any other column is never read.
 */
function readTable(lines: Lines, depth: number): TextTable {
  if (depth > maxDepth) throw new NotSimple()
  const { at: start, column } = lines
  const keys: TextKey[] = []
  do keys.push(readKey(lines, depth))
  while (lines.column === column)
  return { kind: 'table', keys, start }
}

function readKey(lines: Lines, depth: number): TextKey {
  const { text, column } = lines
  const { name, start } = readName(lines)
  if (text.charCodeAt(lines.at) !== code.colon) throw new NotSimple()
  lines.at += 1
  const end = lines.at
  skipSpaces(lines)
  const first = text.charCodeAt(lines.at)
  if (isLineEnd(first) || first === code.hash) {
    endLine(lines)
    return {
      name,
      start,
      value: readBelow(lines, column, depth) ?? { kind: 'scalar', value: null, source: '', start: end },
    }
  }
  if (lines.at === end) throw new NotSimple()
  return { name, start, value: readInline(lines, column) }
}

/** Reads the value on the lines below a name; undefined if there is none. */
function readBelow(lines: Lines, column: number, depth: number): TextNode | undefined {
  if (lines.column >= column && startsItem(lines)) return readList(lines, depth)
  if (lines.column <= column) return undefined
  return startsFlow(lines) ? readInline(lines, column) : readTable(lines, depth + 1)
}

/** Reads a value and ends its line. @param column that of the key or item */
function readInline(lines: Lines, column: number): TextNode {
  const value = startsFlow(lines) ? readFlow(lines, column) : readScalar(lines, false)
  endLine(lines)
  return value
}

function readList(lines: Lines, depth: number): TextList {
  const { at: start, column } = lines
  const items: TextNode[] = []
  do {
    const item = lines.at
    lines.at += 1
    skipSpaces(lines)
    if (startsName(lines)) {
      lines.column = column + lines.at - item
      items.push(readTable(lines, depth + 1))
    } else items.push(readInline(lines, column))
  } while (lines.column === column && startsItem(lines))
  return { kind: 'list', items, start }
}

function skipSpaces(cursor: Cursor): void {
  while (cursor.text.charCodeAt(cursor.at) === code.space) cursor.at += 1
}
