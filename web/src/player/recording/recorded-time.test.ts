import { expect, test } from 'vitest'
import { mediaAt, piecesOf, wallAt, type Piece } from './recorded-time.ts'

/** Ten seconds, ten more, and after a gap of 80 seconds another ten. */
const pieces: readonly Piece[] = [
  { media: 0, wall: 1000, seconds: 10 },
  { media: 10, wall: 1010, seconds: 10 },
  { media: 20, wall: 1100, seconds: 10 },
]

test.each([
  ['the first moment', 0, 1000],
  ['within the first piece', 4.5, 1004.5],
  ['a seam', 10, 1010],
  ['after the gap', 21, 1101],
  ['past the end', 99, 1110],
  ['before the start', -1, 1000],
])('wall time of %s', (_, media, wall) => expect(wallAt(pieces, media)).toBe(wall))

test.each([
  ['a recorded time', 1015, 15],
  ['a time in a gap plays from the next piece', 1050, 20],
  ['a time before all pieces plays from the first', 900, 0],
  ['a time after all pieces has no position', 1110, undefined],
])('%s', (_, wall, media) => expect(mediaAt(pieces, wall)).toBe(media))

test('a position converts to wall time and back', () => {
  for (const media of [0, 3.25, 9.75, 10, 19.5, 20, 29]) expect(mediaAt(pieces, wallAt(pieces, media)!)).toBe(media)
})

test('the service’s playlists are parsed', () => {
  const playlist = `#EXTM3U
#EXT-X-MAP:URI="../../../segments/7/init.mp4"
#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:16:40.500Z
#EXTINF:9.960,
../../../segments/7/video.m4s?at=0.000
#EXT-X-DISCONTINUITY
#EXT-X-MAP:URI="../../../segments/9/init.mp4"
#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:20:00.000Z
#EXTINF:4.000,
../../../segments/9/video.m4s?at=9.960
#EXT-X-ENDLIST
`
  expect(piecesOf(playlist)).toEqual([
    { media: 0, wall: 1000.5, seconds: 9.96 },
    { media: 9.96, wall: 1200, seconds: 4 },
  ])
})
