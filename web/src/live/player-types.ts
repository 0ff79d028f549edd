import type { Camera, ReasonResponse } from '../shared/api-types.ts'

/** What a viewer may be told of a live picture. */
export type LiveState =
  | { readonly kind: 'connecting' }
  | {
      readonly kind: 'playing'
      readonly sound: boolean
      readonly soundCodec?: string | undefined
      readonly way: 'socket' | 'hls'
    }
  | { readonly kind: 'offline'; readonly detail?: string | undefined; readonly reason?: ReasonResponse | undefined }
  /** Pictures, one after the other: it is not played here. */
  | { readonly kind: 'pictures' }
  /** No connection, or one that went silent; it is being tried again. */
  | { readonly kind: 'lost'; readonly detail?: string | undefined; readonly reason?: ReasonResponse | undefined }
  /** Nobody looks: the page is hidden. */
  | { readonly kind: 'paused' }
  /** The browser cannot play this video. */
  | { readonly kind: 'unsupported'; readonly codec?: string | undefined }
  | { readonly kind: 'ended'; readonly why: 'permission' | 'session' }

/** Why a connection was refused: for good, or in words, for now. */
export type Refusal =
  'permission' | 'session' | 'unknown' | { readonly detail: string; readonly reason: ReasonResponse | undefined }

export interface PlayerProps {
  readonly video: HTMLVideoElement
  readonly url: URL
  /** The same as HLS. */
  readonly hls: URL
  readonly onState: (state: LiveState) => void
  /** A connection was refused before it opened: finds out why, since a socket does not say. */
  readonly refusalReason: () => Promise<Refusal>
  /** How the camera fares, undefined where nobody says. */
  readonly camera: () => Promise<Camera | undefined>
}

export interface Player {
  /** Whether anybody could see it; it begins with the first who does. */
  setWanted(requested: boolean): void
  stop(): void
}
