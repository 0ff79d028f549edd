import { describe, expect, test } from 'vitest'
import { filled, containsPassword, placeholderFor, placeholdersIn, withPlaceholder } from './source.ts'

describe('a password in the source URL', () => {
  test.each([
    ['rtsp://user:secret@h/s', true],
    ['rtsp://user:p@ss:w@h/s', true],
    ['rtsp://user:{SERVICE_CAM}@h/s', false],
    ['rtsp://user:x{SERVICE_CAM}@h/s', true],
    ['rtsp://user@h/s', false],
    ['rtsp://h:554/a@b', false],
    ['demo:yard', false],
  ])('%s: %s', (source, holds) => expect(containsPassword(source)).toBe(holds))

  test('is replaced by a placeholder', () => {
    expect(withPlaceholder('rtsp://user:p@ss$&@h:554/s', placeholderFor('side-yard'))).toBe(
      'rtsp://user:{SERVICE_CAM_SIDE_YARD_PASSWORD}@h:554/s',
    )
  })
})

test('placeholders are filled in for a test in the same way as by the service', () => {
  const source = 'rtsp://u:{SERVICE_A}@h/{SERVICE_B}?k={SERVICE_A}'
  expect(placeholdersIn(source)).toEqual(['SERVICE_A', 'SERVICE_B'])
  expect(
    filled(
      source,
      new Map([
        ['SERVICE_A', 'p@/s'],
        ['SERVICE_B', 'x/y'],
      ]),
    ),
  ).toBe('rtsp://u:p%40%2Fs@h/x/y?k=p%40%2Fs')
})
