/** A piece of a playlist: where it stands in the media, and when it was. All in seconds, `wall` since 1970. */
export interface Piece {
  readonly media: number
  readonly wall: number
  readonly seconds: number
}

/** When it was what plays at a place of the media. @param pieces in order */
export function wallAt(pieces: readonly Piece[], media: number): number | undefined {
  const piece = pieces.findLast((each) => each.media <= media) ?? pieces[0]
  return piece && piece.wall + Math.min(Math.max(0, media - piece.media), piece.seconds)
}

/** Where a moment plays; one that was not recorded plays from the next that was. undefined: there is none after it. */
export function mediaAt(pieces: readonly Piece[], wall: number): number | undefined {
  const piece = pieces.find((each) => each.wall + each.seconds > wall)
  return piece && piece.media + Math.max(0, wall - piece.wall)
}

/** Reads our own playlists, where the browser plays them by itself and does not tell. */
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
