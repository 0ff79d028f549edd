/** A piece of a playlist: its position in the media, and its wall time. All in seconds, `wall` since 1970. */
export interface Piece {
  readonly media: number
  readonly wall: number
  readonly seconds: number
}

/** The wall time of a media position. @param pieces in order */
export function wallAt(pieces: readonly Piece[], media: number): number | undefined {
  const piece = pieces.findLast((each) => each.media <= media) ?? pieces[0]
  return piece && piece.wall + Math.min(Math.max(0, media - piece.media), piece.seconds)
}

/** The media position of a wall time, or of the next recorded time after it; undefined if there is none. */
export function mediaAt(pieces: readonly Piece[], wall: number): number | undefined {
  const piece = pieces.find((each) => each.wall + each.seconds > wall)
  return piece && piece.media + Math.max(0, wall - piece.wall)
}

/** Parses the service's playlists, for browsers that play HLS natively and do not expose the times. */
export function piecesOf(playlist: string): Piece[] {
  const pieces: Piece[] = []
  const entries = /#EXT-X-PROGRAM-DATE-TIME:(\S+)\s+#EXTINF:([\d.]+)/g
  let media = 0
  for (const [, when = '', length] of playlist.matchAll(entries)) {
    const seconds = Number(length)
    pieces.push({ media, wall: Date.parse(when) / 1000, seconds })
    media += seconds
  }
  return pieces
}
