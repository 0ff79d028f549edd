import { expect, test } from 'vitest'
import { shownName } from './display-name.ts'

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
