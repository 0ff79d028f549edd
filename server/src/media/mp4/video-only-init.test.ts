import { describe, expect, test } from 'vitest'
import { ftyp, makeTrak, mvhd, trak, trakBoxes, trex } from '../../../test/support/made-mp4.ts'
import { codecs, ffmpeg, makeVideo } from '../../../test/support/video-with-audio.ts'
import { boxesIn, Fmp4Error, headerSize, lettersOf, makeBox, makeFullBox, typeOf, words } from './box.ts'
import { initSegmentIn } from './init-segment.ts'
import { videoOnlyInit } from './video-only-init.ts'

const [video, audio, text] = [
  { id: 1, handler: 'vide' },
  { id: 2, handler: 'soun' },
  { id: 3, handler: 'text' },
] as const
const udta = makeBox('udta', makeBox('name', Buffer.from('yard')))
const mvexOf = (...ids: readonly number[]): Buffer =>
  makeBox('mvex', makeFullBox('mehd', 0, words(0)), ...ids.map((id) => trex(id)))
const fileOf = (...boxes: readonly Buffer[]): Buffer => Buffer.concat([ftyp, makeBox('moov', ...boxes)])
const stripped = (file: Buffer): Buffer => videoOnlyInit(initSegmentIn(file)).data

test.each([
  ['audio', [mvhd, trak(video), trak(audio), mvexOf(1, 2)], [mvhd, trak(video), mvexOf(1)]],
  ['audio before the video', [mvhd, trak(audio), trak(video), mvexOf(2, 1)], [mvhd, trak(video), mvexOf(1)]],
  [
    'audio between two videos, in two languages',
    [mvhd, trak(video), trak(audio), trak({ ...audio, id: 4 }), trak({ ...video, id: 5 }), mvexOf(1, 2, 4, 5)],
    [mvhd, trak(video), trak({ ...video, id: 5 }), mvexOf(1, 5)],
  ],
  ['profile levels', [mvhd, makeBox('iods', words(0, 1)), trak(video), trak(audio)], [mvhd, trak(video)]],
  ['audio and other boxes', [mvhd, trak(video), trak(audio), mvexOf(1, 2), udta], [mvhd, trak(video), mvexOf(1), udta]],
  ['audio and text', [mvhd, trak(video), trak(audio), trak(text), mvexOf(1, 2, 3)], [mvhd, trak(video), mvexOf(1)]],
])('an init segment with %s keeps the rest byte for byte', (_what, boxes, expected) => {
  const init = initSegmentIn(fileOf(...boxes))
  const result = videoOnlyInit(init)
  expect(result.data).toEqual(fileOf(...expected))
  expect(result).toEqual(initSegmentIn(fileOf(...expected)))
  expect(init.data).toEqual(fileOf(...boxes))
  expect(videoOnlyInit(result)).toBe(result)
})

test('an init segment without audio is returned unchanged', () => {
  const init = initSegmentIn(fileOf(mvhd, makeBox('iods'), trak(video), trak({ ...video, id: 2 }), mvexOf(1, 2)))
  expect(videoOnlyInit(init)).toBe(init)
})

const boxes = trakBoxes(video)
const two = (box: Buffer): Buffer => Buffer.concat([box, box])
test.each<[what: string, file: Buffer]>([
  ['only audio', fileOf(mvhd, trak(audio))],
  ['only text', fileOf(mvhd, trak(text))],
  ['an id that is used twice', fileOf(mvhd, trak(video), trak({ ...audio, id: 1 }))],
  ['an id that two videos use', fileOf(mvhd, trak(video), trak(video))],
  ['video whose media header is that of audio', fileOf(mvhd, makeTrak({ ...boxes, header: trakBoxes(audio).header }))],
  [
    'two kinds of one track',
    fileOf(mvhd, makeTrak({ ...boxes, hdlr: Buffer.concat([boxes.hdlr, trakBoxes(audio).hdlr]) })),
  ],
  ['two ids of one track', fileOf(mvhd, makeTrak({ ...boxes, tkhd: two(boxes.tkhd) }), trak(audio))],
  ['two descriptions of one track', fileOf(mvhd, makeTrak({ ...boxes, stsd: two(boxes.stsd) }), trak(audio))],
  ['bytes after the last box', fileOf(mvhd, trak(video), trak(audio), Buffer.alloc(3))],
  ['a box of size 0', fileOf(mvhd, trak(video), trak(audio), words(0, typeOf('free')))],
  ['a box that leaves its parent', fileOf(mvhd, trak(video), trak(audio), words(9, typeOf('free')))],
  ['a trex without its id', fileOf(mvhd, trak(video), trak(audio), makeBox('mvex', makeBox('trex')))],
])('an init segment with %s is rejected', (_what, file) => {
  expect(() => stripped(file)).toThrow(Fmp4Error)
})

test('an init segment with other boxes beside ftyp and moov is rejected', () => {
  const init = initSegmentIn(fileOf(mvhd, trak(video), trak(audio)))
  const more = { ...init, data: Buffer.concat([init.data, makeBox('mdat', Buffer.from('audio'))]) }
  expect(() => videoOnlyInit(more)).toThrow(Fmp4Error)
})

describe.skipIf(!ffmpeg)('an init segment that ffmpeg made', () => {
  const flags = ['-movflags', '+frag_keyframe+empty_moov+default_base_moof']
  const made = (...args: readonly string[]) => initSegmentIn(makeVideo(...args, ...flags))

  test.each([
    ['H.264 and AAC', ['-map', '0', '-map', '1', ...codecs.video, ...codecs.aac], 'avc1.4D400A, mp4a.40.2'],
    ['H.264 and Opus', ['-map', '0', '-map', '1', ...codecs.video, '-c:a', 'libopus'], 'avc1.4D400A, opus'],
    [
      'two AAC tracks, one before the video',
      ['-map', '1', '-map', '0', '-map', '2', ...codecs.video, ...codecs.aac],
      'mp4a.40.2, avc1.4D400A, mp4a.40.2',
    ],
  ])('%s: one video track remains', (_what, args, before) => {
    const init = made(...args)
    expect(init.mime).toBe(`video/mp4; codecs="${before}"`)
    const { data, mime, tracks } = videoOnlyInit(init)
    expect(mime).toBe('video/mp4; codecs="avc1.4D400A"')
    expect(tracks).toEqual(init.tracks.filter(({ kind }) => kind === 'video'))
    for (const trace of ['soun', 'smhd', 'mp4a', 'Opus', 'SoundHandler']) {
      expect(data.includes(trace), trace).toBe(false)
    }
    const moov = data.subarray(data.readUInt32BE(0))
    const kept = boxesIn(moov, headerSize, moov.length).map(({ type }) => lettersOf(type))
    expect(kept).toEqual(['mvhd', 'trak', 'mvex', 'udta'])
  })
})
