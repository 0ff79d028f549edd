import { expect, test } from 'vitest'
import { createStderrTail } from './stderr-tail.ts'

const mask = (line: string): string => line.replaceAll('secret', '…')

test('lines are masked and printable, whatever the chunks', () => {
  const tail = createStderrTail()
  for (const chunk of ['a sec', 'ret\r\n', '\n\u001b[31mred\n', 'the last']) tail.add(chunk)
  expect(tail.lines(mask)).toEqual(['a …', ' [31mred', 'the last'])
  expect(tail.matches(/^the last/m)).toBe(true)
})

test('the last twenty lines are shown, and 500 characters of each', () => {
  const tail = createStderrTail()
  tail.add(Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join(''))
  tail.add('x'.repeat(600))
  const lines = tail.lines(mask)
  expect(lines).toHaveLength(20)
  expect(lines[0]).toBe('line 11')
  expect(lines.at(-1)).toHaveLength(500)
})

test('a line whose beginning is lost is not shown: the rest of a secret could not be masked', () => {
  const tail = createStderrTail()
  tail.add(`rtsp://user:secret@camera/ ${'x'.repeat(8192 - 27)}\n`)
  tail.add('the last line\n')
  expect(tail.lines(mask)).toEqual(['the last line'])
})
