import { expect, test } from 'vitest'
import { headerText, visible } from './header-text.ts'

/** A header value as Node reads it: one character per UTF-8 byte. */
const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

test.each([
  ['Bob', 'Bob'],
  ['', ''],
  [bytes('Jürgen 🎥'), 'Jürgen 🎥'],
  [bytes('ü is first'), 'ü is first'],
  ['J\u00fcrgen', 'Jürgen'],
  [`${bytes('ü')} \u00fc`, '\u00c3\u00bc \u00fc'],
  [bytes('\ufeffBob'), '\ufeffBob'],
])('[PROXY-3] %j is read as %j', (value, text) => {
  expect(headerText(value)).toBe(text)
})

test('text for a log line is escaped and cut', () => {
  expect(visible('a\u001b[31m\u202e\u0085\u200b ü')).toBe('a\\u{1b}[31m\\u{202e}\\u{85}\\u{200b} ü')
  expect(visible('x'.repeat(1001))).toBe('x'.repeat(1000))
})
