/** One file of recorded video. Times are Unix milliseconds, UTC. */
export interface Segment {
  /** Of its row. It counts all cameras, so it leaves the service in no answer: a segment is named by its start. */
  readonly id: number
  readonly camera: string
  /** No two of one camera begin at the same. */
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
export type SegmentSpan = Pick<Segment, 'start' | 'end' | 'motion'>

/** All but the file. */
export type SegmentEntry = SegmentSpan & Pick<Segment, 'bytes' | 'run'>

/** Where in the index one stood. */
export type SegmentPlace = Pick<Segment, 'camera' | 'start'>

/** What was taken out of the index. */
export type RemovedSegment = SegmentPlace & Pick<Segment, 'bytes'>

export interface RecordedQuarter {
  /** Of an hour: its number since 1970, UTC. */
  readonly quarter: number
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
  /** One that is there already, by its file, stays as it is. One whose start is taken gets the next that is free. */
  add(segments: readonly NewSegment[]): Promise<void>
  /** Those that overlap [after, before), oldest first. */
  between(camera: string, after: number, before: number, limit: number): Promise<Segment[]>
  /** The same, from the index alone: a fraction of the work. */
  entries(camera: string, after: number, before: number, limit: number): Promise<SegmentEntry[]>
  /** The same, without a limit. */
  spans(camera: string, after: number, before: number): Promise<SegmentSpan[]>
  /** By the quarter of an hour in which they begin, with which days begin in every time zone: milliseconds, most that moved. */
  quarters(camera: string, after: number, before: number): Promise<RecordedQuarter[]>
  /** Those that lie wholly inside [after, before), oldest first. */
  within(camera: string, after: number, before: number, limit: number): Promise<Segment[]>
  startingAt(camera: string, start: number): Promise<Segment | undefined>
  /** Raises the motion of those that overlap [after, before). @returns where those stand that moved less. */
  raiseMotion(camera: string, after: number, before: number, motion: number): Promise<SegmentPlace[]>
  /** undefined where nothing is recorded. Goes through the camera's whole index. */
  usage(camera: string): Promise<CameraUsage | undefined>
  /** The same ends, in two steps of the index. */
  ends(camera: string): Promise<Pick<CameraUsage, 'oldest' | 'newest'> | undefined>
  /** The oldest of all, or of one camera. */
  oldest(camera: string | undefined, limit: number): Promise<Segment[]>
  /** Those of one camera whose file lies in [after, before) by its start. */
  filesFrom(camera: string, after: number, before: number): Promise<Pick<Segment, 'id' | 'file' | 'bytes'>[]>
  /** Every camera that has recordings. */
  cameras(): Promise<string[]>
  /** The first start at or after a moment. */
  firstStart(camera: string, from: number): Promise<number | undefined>
  /** @returns those that were there. */
  remove(ids: readonly number[]): Promise<RemovedSegment[]>
  /** The same, by file. */
  removeFiles(files: readonly string[]): Promise<RemovedSegment[]>
}
