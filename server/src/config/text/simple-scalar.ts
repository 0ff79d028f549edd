import { isScalar, parseDocument } from 'yaml'
import type { TextScalar } from './text-node.ts'
import { yamlOptions } from './yaml-text.ts'

/** Where a reader is in its text. */
export interface Cursor {
  readonly text: string
  at: number
}

/** Thrown where a text isn't simple. */
export class NotSimple extends Error {}

/** UTF-16 code units. */
export const code = {
  newline: 0x0a,
  return: 0x0d,
  space: 0x20,
  doubleQuote: 0x22,
  hash: 0x23,
  singleQuote: 0x27,
  comma: 0x2c,
  dash: 0x2d,
  colon: 0x3a,
  openBracket: 0x5b,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const

const codesOf = (text: string): ReadonlySet<number> => new Set(Array.from(text, (character) => character.charCodeAt(0)))

const wordStarts = codesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_')
const inWords = new Set([...wordStarts, ...codesOf('.-/')])
/** What no plain value can begin with is not here, nor what is special only with some characters after it, except `-`. */
const plainStarts = new Set([...wordStarts, ...codesOf('./~$+=')])
const flowIndicators = codesOf(',[]{}')
/** The first character that isn't ASCII, a control character or a space. */
const firstLetter = 0xa1
/** YAML has a limit for names, 1024 characters with the spaces behind it. */
const maxName = 1000

const isQuote = (at: number): boolean => at === code.doubleQuote || at === code.singleQuote

/** Whether nothing is written from there to the end of the line, including the end of the text. */
export const isLineEnd = (at: number): boolean => at === code.newline || at === code.return || Number.isNaN(at)
const isSpaceOrLineEnd = (at: number): boolean => at === code.space || isLineEnd(at)

/** Reads a value on one line: plain, or in quotes without escapes. Moves the cursor behind it. */
export function readScalar(cursor: Cursor, isInFlow: boolean): TextScalar {
  return isQuote(cursor.text.charCodeAt(cursor.at)) ? readQuoted(cursor) : readPlain(cursor, isInFlow)
}

/** Reads a name, without the colon behind it. Moves the cursor behind the name. */
export function readName(cursor: Cursor): { readonly name: string; readonly start: number } {
  const { text, at: start } = cursor
  const end = nameEnd(text, start)
  if (end === undefined) throw new NotSimple()
  cursor.at = end
  return { name: isQuote(text.charCodeAt(start)) ? text.slice(start + 1, end - 1) : text.slice(start, end), start }
}

/** Whether a name and its colon are next, not a value. */
export function startsName({ text, at }: Cursor): boolean {
  const end = nameEnd(text, at)
  return end !== undefined && text.charCodeAt(end) === code.colon && isSpaceOrLineEnd(text.charCodeAt(end + 1))
}

/** The end of the name that begins there; undefined if none does. */
function nameEnd(text: string, start: number): number | undefined {
  const first = text.charCodeAt(start)
  if (isQuote(first)) return quotedEnd(text, start)
  if (!wordStarts.has(first) && !(first >= firstLetter)) return undefined
  let at = start + 1
  for (let next = text.charCodeAt(at); inWords.has(next) || next >= firstLetter; next = text.charCodeAt(at)) at += 1
  return at - start > maxName ? undefined : at
}

/** The end of the text in quotes that begins there; undefined if it has an escape or several lines. */
function quotedEnd(text: string, start: number): number | undefined {
  const end = text.indexOf(text.charAt(start), start + 1)
  if (end < 0 || end - start > maxName || /[\\\n]/.test(text.slice(start, end))) return undefined
  return end + 1
}

function readQuoted(cursor: Cursor): TextScalar {
  const { text, at: start } = cursor
  const end = quotedEnd(text, start)
  if (end === undefined) throw new NotSimple()
  cursor.at = end
  const value = text.slice(start + 1, end - 1)
  return { kind: 'scalar', value, source: value, start }
}

function readPlain(cursor: Cursor, isInFlow: boolean): TextScalar {
  const { text, at: start } = cursor
  if (!startsPlain(text, start)) throw new NotSimple()
  let end = start
  for (let at = start; ; at += 1) {
    const next = text.charCodeAt(at)
    if (next === code.space) continue
    if (isLineEnd(next) || (next === code.hash && text.charCodeAt(at - 1) === code.space)) break
    if (isInFlow && flowIndicators.has(next)) break
    if (next === code.colon && endsName(text.charCodeAt(at + 1), isInFlow)) throw new NotSimple()
    end = at + 1
  }
  cursor.at = end
  const source = text.slice(start, end)
  return { kind: 'scalar', value: valueOf(source), source, start }
}

const endsName = (next: number, isInFlow: boolean): boolean =>
  isSpaceOrLineEnd(next) || (isInFlow && flowIndicators.has(next))

function startsPlain(text: string, start: number): boolean {
  const first = text.charCodeAt(start)
  return (
    plainStarts.has(first) || first >= firstLetter || (first === code.dash && inWords.has(text.charCodeAt(start + 1)))
  )
}

const core = parseDocument('', yamlOptions).schema.tags
/** The first characters of what YAML can read as true, false, null or a number. */
const mayBeOther = codesOf('tTfFnN~+-.0123456789')

/** The value of plain text, by the schema of the YAML parser itself. */
function valueOf(source: string): unknown {
  if (!mayBeOther.has(source.charCodeAt(0))) return source
  const tag = core.find((each) => each.default === true && 'test' in each && each.test?.test(source))
  if (!tag || typeof tag.resolve !== 'function' || tag.collection) return source
  const value: unknown = tag.resolve(source, () => {}, {})
  return isScalar(value) ? value.value : value
}
