import type { Piece } from './recorded-time.ts'

/** An error of a playlist or of one of its segments. */
export type SourceProblem =
  /** The HTTP status of the service; 0 if there was no response. */
  | { readonly kind: 'refused'; readonly status: number }
  /** The browser cannot play this kind of video. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'broken' }

/** The callbacks of one playlist in a video element. */
export interface Source {
  /** Approximate seconds to fetch ahead. */
  readonly ahead: number
  /** Called once the recordings are known. Returns where to start, media seconds. */
  readonly ready: (pieces: readonly Piece[]) => number
  readonly onAudio: (audio: boolean) => void
  readonly onProblem: (problem: SourceProblem) => void
}

/** Attaches a playlist to a video element. @returns a function that detaches it and frees everything fetched */
export type OpenSource = (video: HTMLVideoElement, url: URL, source: Source) => () => void
