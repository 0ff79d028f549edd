import type { PlayedPart } from './one-history.ts'
import type { Segment } from './index/recording-store.ts'

type Played = PlayedPart<Pick<Segment, 'start' | 'end' | 'streamId'>>

/** Milliseconds between two segments of one run that don't count as a gap. */
const seam = 500

/**
 * Builds an HLS playlist (RFC 8216) of recorded segments. Playback time starts at 0 and skips gaps; each segment also
 * states its wall-clock time.
 *
 * @param segments in play order, at least one
 * @param base URL of the segments' folder relative to the playlist, with a trailing slash
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
      `${base}${segment.start}/video.m4s?at=${at.toFixed(3)}${segment.fileEnd === undefined ? '' : `&until=${segment.end}`}`,
    )
    at += secondsOf(segment)
    before = segment
  }
  return [...lines, '#EXT-X-ENDLIST', ''].join('\n')
}

/**
 * Sorts segments into play order. After the clock was set back, two runs cover the same time: one run plays to its end,
 * then the other, instead of alternating every ten seconds.
 *
 * @param segments sorted by start
 */
export function inPlayOrder<Each extends Played>(segments: readonly Each[]): Each[] {
  const lanes: Each[][] = []
  for (const segment of segments) {
    const free = lanes.filter((lane) => segment.start - lane.at(-1)!.end >= -seam)
    const own = free.find((lane) => lane.at(-1)!.streamId === segment.streamId)
    const lane = own ?? free.toSorted((a, b) => b.at(-1)!.end - a.at(-1)!.end)[0]
    if (lane) lane.push(segment)
    else lanes.push([segment])
  }
  return lanes.flat()
}

const secondsOf = ({ start, end }: Pick<Segment, 'start' | 'end'>): number => (end - start) / 1000

const follows = (before: Played, next: Played): boolean =>
  before.streamId === next.streamId && Math.abs(next.start - before.end) <= seam
