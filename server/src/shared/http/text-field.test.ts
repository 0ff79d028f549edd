import { expect, test } from 'vitest'
import { displayName, singleLine } from './text-field.ts'

test.each<[what: string, text: string, name: string]>([
  ['spaces around it', ' hall ', 'hall'],
  ['a joined emoji', 'of ann 👩\u{200d}💻', 'of ann 👩\u{200d}💻'],
  ['a word with a non-joiner', 'خانه\u{200c}ها', 'خانه\u{200c}ها'],
  ['a character that is newer than the service', '\u{1fbff}', '\u{1fbff}'],
])('a name can have %s', (_what, text, name) => {
  expect(displayName('name', text)).toBe(name)
})

test.each<[what: string, text: string, code: string]>([
  ['a line feed', 'a\nb', 'control-character'],
  ['a line separator', 'a\u{2028}b', 'control-character'],
  ['a paragraph separator', 'a\u{2029}b', 'control-character'],
  ['a control that reverses the text', 'a\u{202e}b', 'control-character'],
  ['an isolate', 'a\u{2066}b', 'control-character'],
  ['a mark of direction', 'a\u{200f}b', 'control-character'],
  ['half a pair', 'a\ud800', 'control-character'],
  ['nothing', '', 'missing'],
  ['only spaces', ' \u{3000} ', 'missing'],
  ['only joiners', '\u{200b}\u{200d}', 'missing'],
  ['only a filler', '\u{3164}', 'missing'],
  ['only a blank of Braille', '\u{2800}', 'missing'],
])('a name with %s is refused', (_what, text, code) => {
  const problems = [expect.objectContaining({ field: 'name', code })]
  expect(() => displayName('name', text)).toThrow(expect.objectContaining({ problems }))
})

test.each([
  ['only spaces', ' '],
  ['only a zero-width space', '\u{200b}'],
  ['only a filler and a joiner', '\u{3164} \u{200d}'],
  ['only a blank of Braille', '\u{2800}'],
])('a note with %s is empty', (_what, text) => {
  expect(singleLine('note', text)).toBe('')
})

test('no note can disguise what is next to it', () => {
  expect(singleLine('note', ' by the door ')).toBe('by the door')
  for (const text of ['a\nb', 'a\u{2028}b', 'a\u{202e}b', 'a\ud800']) {
    const problems = [expect.objectContaining({ field: 'note', code: 'control-character' })]
    expect(() => singleLine('note', text)).toThrow(expect.objectContaining({ problems }))
  }
})
