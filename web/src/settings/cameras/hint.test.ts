import { expect, test } from 'vitest'
import { en } from '../../shared/texts/en/en.ts'
import { codecName, hintFor } from './hint.ts'

const { hints } = en.cameras.test

test.each([
  ['The camera refused the user name or password (401).', hints.credentials],
  ["Nothing answers at the camera's address (connection refused).", hints.port],
  ['The camera has sent nothing for 10 s.', hints.silent],
  ['No picture came within 10 s.', hints.silent],
  ['What the source sends is no video that can be read.', hints.video],
  ['There is no such file.', hints.file],
  ['ffmpeg is not installed.', hints.ffmpeg],
  ['The disk is full.', undefined],
])('%s', (detail, hint) => expect(hintFor(detail, hints)).toBe(hint))

test('a codec by the name that people know', () => {
  expect(['avc1.4D401F', 'hvc1.1.6.L93', 'av01.0'].map(codecName)).toEqual(['H.264', 'H.265', 'av01.0'])
})
