import type { ScopedKey } from '../../access/grant.ts'
import type { StoredFile } from '../../shared/storage/places.ts'
import type { PlayedPart } from '../one-history.ts'
import type { CameraKey } from '../../shared/camera/camera-keys.ts'

/** One file of recorded video. Times are Unix milliseconds, UTC. */
export interface Segment extends StoredFile {
  /** Row id. Never part of a response, because it counts the segments of all cameras: the API identifies a segment by its start. */
  readonly id: number
  readonly camera: CameraKey
  /** Unique per camera. */
  readonly start: number
  readonly end: number
  readonly bytes: number
  /** Bytes of the init segment at the beginning of the file. */
  readonly initBytes: number
  /** Largest part of the frame that moved, percent: 0 to 100. */
  readonly motion: number
  /** Id of the stream the segment was cut from. Segments of one stream follow each other without a gap. */
  readonly streamId: number
  /** Path relative to the volume's folder. */
  readonly file: string
  /** Of the camera's lease when it was recorded; 0: there was none. */
  readonly epoch: number
}

/** A segment that was recorded just now, on the volume. */
export interface NewSegment extends Omit<Segment, 'id' | 'epoch' | keyof StoredFile> {
  /** Of the camera's lease when it was recorded; absent: there was none, or it isn't known. */
  readonly epoch?: number
}

/** What a timeline needs. */
export interface SegmentSpan extends Pick<Segment, 'start' | 'end' | 'motion'> {
  /** The disk with the file can't be reached: of an instance that is unavailable, or of none. */
  readonly isAway?: true
  /** No instance has that disk, and none may ever have it again. */
  readonly isLost?: true
}

/** What a list of segments or a playlist needs. */
export type SegmentEntry = SegmentSpan & Pick<Segment, 'bytes' | 'streamId'>

/** A segment's position in the index. */
export type SegmentKey = Pick<Segment, 'camera' | 'start'>

/** A segment removed from the index. */
export type RemovedSegment = SegmentKey & Pick<Segment, 'bytes' | 'object'>

/** Where a segment's data is: on the volume, or in the object storage. */
export type SegmentPlace = 'disk' | 'object'

export interface RecordedQuarter {
  /** Number of the quarter hour since 1970, UTC. */
  readonly quarter: number
  /** Milliseconds. */
  readonly recorded: number
  /** Largest part of the frame that moved, percent. */
  readonly motion: number
  /** Milliseconds of it that are on disks that can't be reached. */
  readonly away?: number
}

/** Size of a camera's recordings. */
export interface CameraUsage {
  readonly segments: number
  readonly bytes: number
  /** Bytes that are in the object storage; the others are on the volume. */
  readonly stored: number
}

/** What the size of all recordings is counted from. */
export type CountedRecordings = Pick<RecordingTotals, 'cameras' | 'usage'> & Pick<SegmentQueries, 'firstStart'>

export interface SegmentQueries {
  /** Segments that overlap [after, before), oldest first. */
  between(camera: ScopedKey<CameraKey>, after: number, before: number, limit: number): Promise<Segment[]>
  /** The same without files and ids, from the database index alone, which is much cheaper. */
  entries(camera: ScopedKey<CameraKey>, after: number, before: number, limit: number): Promise<SegmentEntry[]>
  /** The same, without a limit. */
  spans(camera: ScopedKey<CameraKey>, after: number, before: number): Promise<SegmentSpan[]>
  /** Segments entirely inside [after, before), oldest first. */
  within(camera: ScopedKey<CameraKey>, after: number, before: number, limit: number): Promise<Segment[]>
  startingAt(camera: ScopedKey<CameraKey>, start: number): Promise<Segment | undefined>
  /** The first start at or after `from`. */
  firstStart(camera: CameraKey, from: number): Promise<number | undefined>
  /**
   * The oldest segments of one camera, or of all cameras; those in one place, or in both.
   *
   * @param after the position after which they begin; default: with the first
   */
  oldest(camera: CameraKey | undefined, limit: number, place?: SegmentPlace, after?: SegmentCursor): Promise<Segment[]>
  /** Files of one camera's segments that start in [after, before). */
  filesFrom(
    camera: CameraKey,
    after: number,
    before: number,
    place?: SegmentPlace,
  ): Promise<Pick<Segment, 'id' | 'camera' | 'file' | 'bytes' | 'object'>[]>
}

export interface RecordingTotals {
  /** Totals by the quarter hour in which segments begin. In every time zone, days begin at a quarter hour. */
  quarters(camera: ScopedKey<CameraKey>, after: number, before: number): Promise<RecordedQuarter[]>
  /** Size of a camera's segments that start in [after, before). Scans their index entries. */
  usage(camera: CameraKey, after: number, before: number): Promise<CameraUsage>
  /** Oldest and newest time of a camera, Unix milliseconds, with two index lookups. */
  ends(camera: ScopedKey<CameraKey>): Promise<{ readonly oldest: number; readonly newest: number } | undefined>
  /** Every camera that has recordings. */
  cameras(): Promise<CameraKey[]>
}

export interface SegmentChanges {
  /** Adds segments. A file that is already indexed stays unchanged; a segment whose start is taken gets the next free one. */
  add(segments: readonly NewSegment[]): Promise<void>
  /** Raises the motion of segments that overlap [after, before). @returns the segments that had less. */
  raiseMotion(camera: CameraKey, after: number, before: number, motion: number): Promise<SegmentKey[]>
  /** @returns the segments that existed; the objects of those in the object storage are queued for removal. */
  remove(ids: readonly number[]): Promise<RemovedSegment[]>
  /** The same, by file. */
  removeFiles(files: readonly string[]): Promise<RemovedSegment[]>
  /**
   * Removes segments because their files are missing or differ. One that moved to the object storage since its row was
   * read is kept: its file is missing because it moved.
   *
   * @returns the segments that were removed
   */
  removeMissing(ids: readonly number[]): Promise<RemovedSegment[]>
}

/** A position in all segments of the volume, by start and id. */
export type SegmentCursor = Pick<Segment, 'start' | 'id'>

/** What moves segments to the object storage. */
export interface StoredSegments {
  /** Segments on the volume that end before a time, after the given position, in its order. */
  waiting(before: number, after: SegmentCursor, limit: number): Promise<Segment[]>
  /** Notes that a segment on the volume is in the object storage now. @returns false if it is no longer on the volume */
  stored(segment: Pick<Segment, 'id' | 'volume'>, object: string): Promise<boolean>
  /** The key of a segment in the object storage, of any volume; null: it is on its volume; undefined: it doesn't exist anymore. */
  objectOf(id: number): Promise<string | null | undefined>
  /** Which of these keys of the object storage belong to a segment, of any volume. */
  knownObjects(keys: readonly string[]): Promise<Set<string>>
}

/** The index of one volume: the recordings in one folder. Volumes of other instances in the same database are not visible. */
export interface RecordingStore extends SegmentQueries, RecordingTotals, StoredSegments, SegmentChanges {
  /** Keys of cameras whose files are in the folders of another key, by that key. */
  renamedKeys(): Promise<ReadonlyMap<CameraKey, readonly CameraKey[]>>
}

/**
 * What users see: the recordings of the own volume and of those that no instance has, or of all volumes. A segment during which a newer one of
 * another volume begins ends there, and `fileEnd` says when its file ends.
 */
export interface History
  extends
    Pick<SegmentQueries, 'spans' | 'within' | 'startingAt' | 'oldest'>,
    Pick<RecordingTotals, 'quarters' | 'ends' | 'cameras'> {
  entries(...range: Parameters<SegmentQueries['entries']>): Promise<PlayedPart<SegmentEntry>[]>
  /** Without those that are lost. @throws ServiceError `unavailable` if one is on the disk of an unavailable instance */
  between(...range: Parameters<SegmentQueries['between']>): Promise<PlayedPart<Segment>[]>
}
