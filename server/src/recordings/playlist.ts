import type { Segment } from './recording-store.ts'

type Played = Pick<Segment, 'start' | 'end' | 'run'>

/** Milliseconds between two segments of one run that are no gap. */
const seam = 500

/**
 * HLS (RFC 8216) of recorded segments: their times follow each other from 0, though there be gaps, and each says when
 * it was.
 *
 * @param segments in order, at least one
 * @param base from the playlist to the folder that the segments' addresses lie in, with a slash at the end
 */
export function playlistOf(segments: readonly Played[], base: string): string {
  const longest = Math.max(...segments.map(secondsOf))
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXT-X-TARGETDURATION:${Math.ceil(longest)}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ]
  let at = 0
  let before: Played | undefined
  for (const segment of segments) {
    if (!before || !follows(before, segment)) {
      if (before) lines.push('#EXT-X-DISCONTINUITY')
      lines.push(`#EXT-X-MAP:URI="${base}${segment.start}/init.mp4"`)
    }
    lines.push(
      `#EXT-X-PROGRAM-DATE-TIME:${new Date(segment.start).toISOString()}`,
      `#EXTINF:${secondsOf(segment).toFixed(3)},`,
      `${base}${segment.start}/video.m4s?at=${at.toFixed(3)}`,
    )
    at += secondsOf(segment)
    before = segment
  }
  return [...lines, '#EXT-X-ENDLIST', ''].join('\n')
}

/**
 * Puts segments in the order in which they are played. Where the clock was set back, two runs are of the same time: one
 * is played to its end, then the other, and not ten seconds of each in turns.
 *
 * @param segments by their start
 */
export function inPlayOrder<Each extends Played>(segments: readonly Each[]): Each[] {
  const lanes: Each[][] = []
  for (const segment of segments) {
    const free = lanes.filter((lane) => segment.start - lane.at(-1)!.end >= -seam)
    const own = free.find((lane) => lane.at(-1)!.run === segment.run)
    const lane = own ?? free.toSorted((a, b) => b.at(-1)!.end - a.at(-1)!.end)[0]
    if (lane) lane.push(segment)
    else lanes.push([segment])
  }
  return lanes.flat()
}

const secondsOf = ({ start, end }: Pick<Segment, 'start' | 'end'>): number => (end - start) / 1000

const follows = (before: Played, next: Played): boolean =>
  before.run === next.run && Math.abs(next.start - before.end) <= seam
