import type { Piece } from './recorded-time.ts'

/** What went wrong with a playlist, or in the middle of it. */
export type SourceProblem =
  /** The service's answer; 0 where none came. */
  | { readonly kind: 'refused'; readonly status: number }
  /** The browser cannot play this kind of video. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'broken' }

/** One playlist in a video element. */
export interface Source {
  /** Seconds that are fetched ahead, about. */
  readonly ahead: number
  /** Where it is to play once it is known what is there: media seconds. */
  readonly ready: (pieces: readonly Piece[]) => number
  readonly onSound: (sound: boolean) => void
  readonly onProblem: (problem: SourceProblem) => void
}

/** Puts a playlist into a video element. @returns a function that takes it out again, and all that was fetched of it */
export type OpenSource = (video: HTMLVideoElement, url: URL, source: Source) => () => void
