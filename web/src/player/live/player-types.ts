import type { Camera, ReasonResponse } from '../../../../server/src/api-types.ts'

/** The state of a live view, as shown to the viewer. */
export type LiveState =
  | { readonly kind: 'connecting' }
  | {
      readonly kind: 'playing'
      readonly audio: boolean
      readonly audioCodec?: string | undefined
      readonly way: 'socket' | 'hls'
    }
  | { readonly kind: 'offline'; readonly detail?: string | undefined; readonly reason?: ReasonResponse | undefined }
  /** The tile shows a series of snapshots and plays no video. */
  | { readonly kind: 'snapshots' }
  /** No connection, or no more data from it; the player is reconnecting. */
  | { readonly kind: 'lost' }
  /** The service refused the connection for now, with a message; the player is retrying. */
  | { readonly kind: 'refused'; readonly detail: string; readonly reason: ReasonResponse | undefined }
  /** The page is hidden. */
  | { readonly kind: 'paused' }
  /** The browser cannot play this video. */
  | { readonly kind: 'unsupported'; readonly codec?: string | undefined }
  | { readonly kind: 'ended'; readonly reason: 'permission' | 'session' }

/** The camera behind a live view, as far as a player needs it. */
export type LiveCamera = Pick<Camera, 'state' | 'codec' | 'detail' | 'reason'>

/** Why a connection was refused: permanently, or for now with a message. */
export type Refusal =
  | 'permission'
  | 'session'
  | 'unknown'
  | { readonly detail: string; readonly reason: ReasonResponse | undefined }

/** Where live video comes from. */
export interface LiveSource {
  /** The WebSocket. */
  readonly url: URL
  /** The same stream as HLS. */
  readonly hls: URL
  /** Finds out why a connection was refused before it opened, since a socket does not say. */
  readonly refusalReason: () => Promise<Refusal>
  /** Fetches the camera; undefined if the service does not respond. */
  readonly camera: () => Promise<LiveCamera | undefined>
}

export interface PlayerProps extends LiveSource {
  readonly video: HTMLVideoElement
  readonly onState: (state: LiveState) => void
}

export interface Player {
  /** Whether the user can see the video. The player starts when that first becomes true. */
  setWanted(requested: boolean): void
  stop(): void
}
