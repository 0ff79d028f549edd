import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { textLines } from './text-lines.ts'

async function linesOf(chunks: readonly Uint8Array[], longest?: number): Promise<string[]> {
  async function* each() {
    yield* chunks
  }
  const lines: string[] = []
  for await (const line of textLines(each(), longest)) lines.push(line)
  return lines
}

const table: readonly (readonly [what: string, text: string, lines: readonly string[]])[] = [
  ['with an end each', 'a\nb\n', ['a', 'b']],
  ['without an end of the last one', 'a\nb', ['a', 'b']],
  ['that are empty', '\n\na\n\n', ['', '', 'a', '']],
  ['with \\r\\n, of which \\r belongs to the line', 'a\r\nb\rc\r\n', ['a\r', 'b\rc\r']],
  ['with separators that JSON does not escape', 'a\u2028b\u2029c\u0085d\ve\n', ['a\u2028b\u2029c\u0085d\ve']],
  ['with characters of several bytes', 'Ü€😀\n😀', ['Ü€😀', '😀']],
  ['in no text', '', []],
]

test.each(table)('[OPS-1] lines %s are the same however the bytes arrive', async (_what, text, lines) => {
  const bytes = Buffer.from(text)
  expect(await linesOf([bytes])).toEqual(lines)
  expect(await linesOf([...bytes].map((byte) => Buffer.of(byte)))).toEqual(lines)
  for (let at = 0; at <= bytes.length; at += 1)
    expect(await linesOf([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(lines)
})

test('[OPS-1] a character that is cut off at the end of a text is not lost silently', async () => {
  expect(await linesOf([Buffer.from('a\n😀').subarray(0, -1)])).toEqual(['a', '\ufffd'])
})

test('[OPS-1] of a line that is too long, no more is read than it takes to notice', async () => {
  let chunksRead = 0
  async function* each() {
    // Ends, so that the test fails instead of hanging.
    while (chunksRead < 9) {
      chunksRead += 1
      yield Buffer.from('abc')
    }
  }
  const read = async () => {
    for await (const line of textLines(each(), 5)) throw new Error(line)
  }
  await expect(read()).rejects.toThrow(new RangeError('The line is too long.'))
  expect(chunksRead).toBe(2)
})

test.each([
  ['within a chunk', [Buffer.from('ab\nabcdef\nab\n')]],
  ['that ends in a later chunk', [Buffer.from('ab\nabcde'), Buffer.from('f\nab\n')]],
  ['that is the last one', [Buffer.from('ab\nabcdef')]],
  ['that is the last one, with a character that is cut off', [Buffer.from('ab\nabcde😀').subarray(0, -1)]],
])('[OPS-1] of a text with a line that is too long, %s, only the lines before it are read', async (_what, chunks) => {
  const lines: string[] = []
  const read = async () => {
    for await (const line of textLines(Readable.from(chunks), 5)) lines.push(line)
  }
  await expect(read()).rejects.toThrow(RangeError)
  expect(lines).toEqual(['ab'])
})

test('[OPS-1] a line of the max length is read', async () => {
  expect(await linesOf([Buffer.from('abcde\nab'), Buffer.from('cde')], 5)).toEqual(['abcde', 'abcde'])
})
