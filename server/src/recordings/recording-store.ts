/** One file of recorded video. Times are Unix milliseconds, UTC. */
export interface Segment {
  readonly id: number
  readonly camera: string
  readonly start: number
  readonly end: number
  readonly bytes: number
  /** Of these, the init segment, with which the file begins. */
  readonly initBytes: number
  /** Percent of the picture that moved, at most: 0 to 100. */
  readonly motion: number
  /** The stream it was cut from: segments of one run follow each other without a break. */
  readonly run: number
  /** Below the library's folder. */
  readonly file: string
}

export type NewSegment = Omit<Segment, 'id'>

/** What a timeline is drawn from. */
export type SegmentSpan = Pick<Segment, 'start' | 'end' | 'motion' | 'run'>

export interface RecordedHour {
  readonly hour: number
  readonly recorded: number
  readonly motion: number
}

/** What one camera's recordings come to. */
export interface CameraUsage {
  readonly segments: number
  readonly bytes: number
  /** Unix milliseconds. */
  readonly oldest: number
  readonly newest: number
}

/** The index of one library: the recordings below one folder. Other libraries in the same database are not seen. */
export interface RecordingStore {
  /** One that is there already, by its file, stays as it is. */
  add(segments: readonly NewSegment[]): Promise<void>
  /** Those that overlap [after, before), oldest first. */
  between(camera: string, after: number, before: number, limit: number): Promise<Segment[]>
  /** The same, from the index alone. */
  spans(camera: string, after: number, before: number): Promise<SegmentSpan[]>
  /** By the hour (UTC) in which they begin: its number since 1970, milliseconds recorded, most that moved. */
  hours(camera: string, after: number, before: number): Promise<RecordedHour[]>
  byId(camera: string, id: number): Promise<Segment | undefined>
  /** undefined where nothing is recorded. */
  usage(camera: string): Promise<CameraUsage | undefined>
  /** The oldest of all, or of one camera. */
  oldest(camera: string | undefined, limit: number): Promise<Segment[]>
  /** Those of one camera whose file lies in [after, before) by its start. */
  filesFrom(camera: string, after: number, before: number): Promise<Pick<Segment, 'id' | 'file'>[]>
  /** Every camera that has recordings. */
  cameras(): Promise<string[]>
  /** The first start at or after a moment. */
  firstStart(camera: string, from: number): Promise<number | undefined>
  remove(ids: readonly number[]): Promise<void>
}
