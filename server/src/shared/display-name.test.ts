import { expect, test } from 'vitest'
import { isDistinct, shownName } from './display-name.ts'

test.each<[text: string, shown: string | null]>([
  ['Side yard', 'Side yard'],
  ['Side yard\n', 'Side yard'],
  ['Side\r\nyard', 'Side yard'],
  ['Side\u2028yard', 'Side yard'],
  ['\u202edray ediS', 'dray ediS'],
  ['Side\ud800 yard', 'Side yard'],
  ['خانه\u200cها', 'خانه\u200cها'],
  ['\u200b', null],
  ['\n', null],
  ['\u202e', null],
])('the name %j in a file is shown as %j', (text, shown) => {
  expect(shownName(text)).toBe(shown)
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
  ['ann b c', true],
  ['ann  b', false],
  ['J\u00fcrgen', true],
  ['Ju\u0308rgen', false],
  ['\u212bsa', false],
])('[PROXY-8] %j has only visible characters and single spaces, and is in NFC: %s', (text, expected) => {
  expect(isDistinct(text)).toBe(expected)
})
