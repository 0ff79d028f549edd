/** How much of a time range of a camera is recorded, according to the index. */
export interface Coverage {
  /** Total size of the files that overlap the range. */
  readonly bytes: number
  /** Milliseconds recorded inside the range. */
  readonly recorded: number
  /** Milliseconds of `recorded` that only retention can still remove. */
  readonly settled: number
  /** Whether the segment being written may still add to the range. */
  readonly growing: boolean
}
