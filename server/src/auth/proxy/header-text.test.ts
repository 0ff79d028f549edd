import { expect, test } from 'vitest'
import { headerText, isDistinct, visible } from './header-text.ts'

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

test.each([
  ['Jürgen 🎥', true],
  ['Doe, Jane', true],
  ['गोपाल', true],
  ['', true],
  ['a\u0000', false],
  ['a\u007f', false],
  ['a\u009f', false],
  ['a\u2028', false],
  ['a\u202a', false],
  ['a\u202e', false],
  ['a\u2066', false],
  ['a\u2069', false],
  ['a\u200f', false],
  ['a\u061c', false],
  ['a\u200b', false],
  ['a\u200d', false],
  ['a\u00ad', false],
  ['a\ufeff', false],
  ['a\u2060', false],
  ['a\u034f', false],
  ['a\ufe0f', false],
  ['a\u{e0041}', false],
  ['a\u3164', false],
  ['a\u2800', false],
  ['a\u00a0b', false],
  ['a\u3000b', false],
])('[PROXY-8] %j differs in what can be seen from every other name: %s', (text, expected) => {
  expect(isDistinct(text)).toBe(expected)
})

test('text for a log line is escaped and cut', () => {
  expect(visible('a\u001b[31m\u202e\u0085\u200b ü')).toBe('a\\u{1b}[31m\\u{202e}\\u{85}\\u{200b} ü')
  expect(visible('x'.repeat(1001))).toBe('x'.repeat(1000))
})
