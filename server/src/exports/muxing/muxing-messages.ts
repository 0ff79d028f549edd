/** What the muxing thread gets when it starts. */
export interface MuxingOptions {
  /** An empty file. */
  readonly file: string
  /** The init segment of all fragments. */
  readonly head: Uint8Array
  /** Seconds before the first frame to be shown. */
  readonly lead: number
  /** Seconds from there to the end. */
  readonly length: number
  /** When the video was recorded, Unix milliseconds. */
  readonly filmed: number
}

/** A file of recorded fragments, with the times that they have in the clip. */
export interface MuxedFile {
  readonly data: Uint8Array
  /** Bytes of `data` that are muxed, end exclusive. */
  readonly from: number
  readonly to: number
}

/** Requests are answered in their order. */
export type MuxingRequest = { readonly file: MuxedFile } | 'finish'

export type MuxingResponse =
  /** Something was written. */
  | 'alive'
  | 'added'
  | { readonly seconds: number }
  /** The thread does nothing more. `code` is that of a system error. */
  | { readonly failed: Error; readonly code: string | undefined }
