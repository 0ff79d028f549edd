import { expect, test } from 'vitest'
import { codecName, codecsIn } from './codec-name.ts'

test.each([
  ['avc1.4D401F', 'H.264'],
  ['hvc1.1.6.L93.B0', 'H.265'],
  ['hev1.1.6.L93.B0', 'H.265'],
  ['av01.0.04M.08', 'AV1'],
  ['mp4a.40.2', 'AAC'],
  ['jpeg', 'jpeg'],
])('%s is %s', (codec, name) => {
  expect(codecName(codec)).toBe(name)
})

test.each([
  ['video/mp4; codecs="avc1.4D401F, mp4a.40.2"', 'avc1.4D401F', 'mp4a.40.2'],
  ['video/mp4; codecs="hvc1.1.6.L93.B0"', 'hvc1.1.6.L93.B0', undefined],
  ['video/mp4', undefined, undefined],
])('%s', (mime, video, audio) => {
  expect(codecsIn(mime)).toEqual({ video, audio })
})
