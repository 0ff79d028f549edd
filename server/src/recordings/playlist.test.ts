import { expect, test } from 'vitest'
import { inPlayOrder, playlistOf } from './playlist.ts'
import type { Segment } from './index/recording-store.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'

const at = Date.UTC(2026, 10, 21, 10)
const segment = (id: number, from: number, to: number, run = 1): Segment => ({
  id,
  camera: cameraKey('yard'),
  start: at + from * 1000,
  end: at + to * 1000,
  bytes: 1000,
  initBytes: 100,
  motion: 0,
  streamId: run,
  file: `${id}.mp4`,
  volume: 'own',
  object: null,
  epoch: 0,
})

test('segments of one run share an init segment, and their times start at 0', () => {
  expect(playlistOf([segment(1, 0, 10.04), segment(2, 10.04, 20)], 's/').split('\n')).toEqual([
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-TARGETDURATION:11',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MAP:URI="s/${at}/init.mp4"`,
    '#EXT-X-PROGRAM-DATE-TIME:2026-11-21T10:00:00.000Z',
    '#EXTINF:10.040,',
    `s/${at}/video.m4s?at=0.000`,
    '#EXT-X-PROGRAM-DATE-TIME:2026-11-21T10:00:10.040Z',
    '#EXTINF:9.960,',
    `s/${at + 10_040}/video.m4s?at=10.040`,
    '#EXT-X-ENDLIST',
    '',
  ])
})

test.each([
  ['another run', segment(2, 10, 20, 2)],
  ['a gap', segment(2, 15, 25)],
])('%s is a discontinuity, and begins with its own', (_what, next) => {
  const lines = playlistOf([segment(1, 0, 10), next], 's/').split('\n')
  expect(lines.filter((line) => line === '#EXT-X-DISCONTINUITY')).toHaveLength(1)
  expect(lines).toContain(`#EXT-X-MAP:URI="s/${next.start}/init.mp4"`)
  expect(lines).toContain(`s/${next.start}/video.m4s?at=10.000`)
})

test('after the clock was set back an hour, the run before plays to its end, then the run after', () => {
  const before = [segment(1, 0, 10), segment(2, 10, 20), segment(3, 20, 30), segment(4, 30, 33)]
  const after = [segment(5, 1, 11, 2), segment(6, 11, 21, 2), segment(7, 21, 31, 2), segment(8, 31, 41, 2)]
  const next = [segment(9, 45, 55, 3)]
  const byStart = [...before, ...after, ...next].sort((a, b) => a.start - b.start)
  expect(inPlayOrder(byStart).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  const lines = playlistOf(inPlayOrder(byStart), 's/').split('\n')
  expect(lines.filter((line) => line === '#EXT-X-DISCONTINUITY')).toHaveLength(2)
})

test('segments with gaps, or with an overlap of one frame, stay in time order', () => {
  const all = [segment(1, 0, 10.1), segment(2, 10, 20, 2), segment(3, 19.8, 30, 2), segment(4, 60, 70, 4)]
  expect(inPlayOrder(all).map(({ id }) => id)).toEqual([1, 2, 3, 4])
})
