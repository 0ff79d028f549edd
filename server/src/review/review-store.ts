import type { Owner } from '../access/identity.ts'
import type { AuditEntry } from '../shared/audit.ts'
import type { MotionBox } from './motion.ts'
import type { Severity } from './review-response.ts'

/** One thing that happened before a camera. Times are Unix milliseconds, UTC. */
export interface ReviewItem {
  readonly id: string
  readonly camera: string
  readonly severity: Severity
  readonly start: number
  /** As far as is known where it is still open. */
  readonly end: number
  readonly open: boolean
  /** Percent of the picture that moved, at most: 0 to 100. */
  readonly motion: number
  readonly box: MotionBox | null
  /** The moment that its picture shows; null where there is none. */
  readonly thumbnailAt: number | null
}

export interface SeenItem extends ReviewItem {
  /** By the one who asked. */
  readonly seen: boolean
}

/** An item's place in a list, from which a page goes on. */
export type Place = Pick<ReviewItem, 'start' | 'id'>

export interface ItemFilter {
  /** All that it is about: none of other cameras is touched. */
  readonly cameras: readonly string[]
  /** Of its start: at or later than, and earlier than. */
  readonly after: number
  readonly before: number
  /** undefined: both. */
  readonly severity?: Severity | undefined
}

export interface ItemQuery extends ItemFilter {
  /** What comes after this place: older ones. */
  readonly from?: Place | undefined
  readonly limit: number
}

/** Items that begin in one part of a time. */
export interface PartCount {
  readonly severity: Severity
  readonly part: number
  readonly total: number
  readonly seen: number
}

/** The items of one library; others in the same database are not seen. */
export interface ReviewStore {
  /** New, or as it is by now. One that has become an alert is new to everybody again. */
  save(item: ReviewItem): Promise<void>
  /** Ends what an earlier run left open, with what is known. @returns how many there were. */
  closeOpen(): Promise<number>
  byId(id: string): Promise<ReviewItem | undefined>
  /** The cameras of items, in the order of the ids; undefined where there is no such item. */
  camerasOf(ids: readonly string[]): Promise<(string | undefined)[]>
  isSeen(owner: Owner, id: string): Promise<boolean>
  /** Newest first. */
  items(owner: Owner, query: ItemQuery): Promise<SeenItem[]>
  /** Those of one camera, from the index alone, in each part between two edges; Unix milliseconds. */
  counts(owner: Owner, camera: string, edges: readonly number[]): Promise<PartCount[]>
  /** Of the given items those of these cameras. */
  markIds(owner: Owner, ids: readonly string[], cameras: readonly string[], seen: boolean): Promise<void>
  /** In small batches, so that it holds up nobody. */
  markAll(owner: Owner, filter: ItemFilter, seen: boolean): Promise<void>
  /** Every camera that has items. */
  cameras(): Promise<string[]>
  /** Those that are over and began before a moment. */
  olderThan(camera: string, before: number, limit: number): Promise<ReviewItem[]>
  /** @param entry of a removal that a user asked for; in its transaction, and only where something was there. */
  remove(ids: readonly string[], entry?: AuditEntry): Promise<void>
}
