import type { Segment } from './recording-store.ts'

/** Milliseconds between two segments of one run that are no gap. */
const seam = 500

/**
 * HLS (RFC 8216) of recorded segments: their times follow each other from 0, though there be gaps, and each says when
 * it was.
 *
 * @param segments in order, at least one
 * @param base from the playlist to the folder that the segments' addresses lie in, with a slash at the end
 */
export function playlistOf(segments: readonly Segment[], base: string): string {
  const longest = Math.max(...segments.map(secondsOf))
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXT-X-TARGETDURATION:${Math.ceil(longest)}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ]
  let at = 0
  let before: Segment | undefined
  for (const segment of segments) {
    if (!before || !follows(before, segment)) {
      if (before) lines.push('#EXT-X-DISCONTINUITY')
      lines.push(`#EXT-X-MAP:URI="${base}${segment.id}/init.mp4"`)
    }
    lines.push(
      `#EXT-X-PROGRAM-DATE-TIME:${new Date(segment.start).toISOString()}`,
      `#EXTINF:${secondsOf(segment).toFixed(3)},`,
      `${base}${segment.id}/video.m4s?at=${at.toFixed(3)}`,
    )
    at += secondsOf(segment)
    before = segment
  }
  return [...lines, '#EXT-X-ENDLIST', ''].join('\n')
}

const secondsOf = ({ start, end }: Pick<Segment, 'start' | 'end'>): number => (end - start) / 1000

const follows = (before: Segment, next: Segment): boolean =>
  before.run === next.run && Math.abs(next.start - before.end) <= seam
