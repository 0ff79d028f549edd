import type { ScopedKey } from '../access/grant.ts'
import type { Owner } from '../access/identity.ts'
import type { AuditEntry } from '../shared/audit/audit.ts'
import type { FileOwner } from '../store/deleted-files.ts'
import type { MotionBox } from '../shared/camera/motion-sample.ts'
import type { Severity } from './review-response.ts'
import type { CameraKey } from '../shared/camera/camera-keys.ts'

/** A review item: motion that a camera saw. Times are Unix milliseconds, UTC. */
export interface ReviewItem {
  readonly id: string
  readonly camera: CameraKey
  readonly severity: Severity
  readonly start: number
  /** The end so far while the item is open. */
  readonly end: number
  readonly open: boolean
  /** Largest part of the frame that moved, percent: 0 to 100. */
  readonly motion: number
  readonly box: MotionBox | null
  /** Time that the thumbnail shows; null if there is none. */
  readonly thumbnailAt: number | null
  /** Of the camera's lease when it began; absent: there was none. */
  readonly epoch?: number
}

export interface SeenItem extends ReviewItem {
  /** Whether the caller has seen the item. */
  readonly seen: boolean
}

/** An item's place in a list, after which the next page begins. */
export type ItemPosition = Pick<ReviewItem, 'start' | 'id'>

export interface ItemFilter {
  /** Only items of these cameras are affected. */
  readonly cameras: readonly ScopedKey<CameraKey>[]
  /** The item's start is in [after, before). */
  readonly after: number
  readonly before: number
  /** undefined: both severities. */
  readonly severity?: Severity | undefined
}

export interface ItemQuery extends ItemFilter {
  /** Only items after this place, which are older. */
  readonly from?: ItemPosition | undefined
  readonly limit: number
}

/** Number of items that begin in one part of a time range. */
export interface PartCount {
  readonly severity: Severity
  readonly part: number
  readonly total: number
  readonly seen: number
}

export interface ItemRows {
  /**
   * Inserts or updates an item. An item that became an alert is unseen again for every user.
   *
   * @returns false: the camera has another owner since the item began, so it was only closed
   */
  save(item: ReviewItem): Promise<boolean>
  /** Closes items that an earlier run of the service left open. @returns their number. */
  closeOpen(): Promise<number>
  byId(id: string): Promise<ReviewItem | undefined>
  /** The volume with an item's thumbnail, and what a ticket for it names; undefined for an unknown id. */
  volumeOf(id: string): Promise<(Pick<ReviewItem, 'camera' | 'start'> & { readonly volume: string }) | undefined>
  /** The cameras and starts of items, in the order of the ids; undefined for an unknown id. */
  starts(ids: readonly string[]): Promise<(Pick<ReviewItem, 'camera' | 'start'> | undefined)[]>
  /** Every camera that has items. */
  cameras(): Promise<CameraKey[]>
  /**
   * Closed items that began before a time, in the order of severity, start and id.
   *
   * @param after the item after which they begin; default: with the first
   */
  olderThan(
    camera: CameraKey,
    before: number,
    limit: number,
    after?: ItemPosition & Pick<ReviewItem, 'severity'>,
  ): Promise<ReviewItem[]>
  /**
   * @param entry audit entry of a removal by a user; inserted in the same transaction, only if an item existed
   * @param owner of the volumes, see `DeletedFiles`
   */
  remove(ids: readonly string[], entry?: AuditEntry, owner?: FileOwner): Promise<void>
}

/** The items as one user sees them. */
export interface SeenItems {
  isSeen(owner: Owner, id: string): Promise<boolean>
  /** Newest first. */
  items(owner: Owner, query: ItemQuery): Promise<SeenItem[]>
  /** Counts a camera's items in each part between two edges (Unix milliseconds), from the database index alone. */
  counts(owner: Owner, camera: ScopedKey<CameraKey>, edges: readonly number[]): Promise<PartCount[]>
}

/** Which items a user has seen. */
export interface SeenMarks {
  /** Marks those of the given items that are of these cameras. */
  markIds(owner: Owner, ids: readonly string[], cameras: readonly ScopedKey<CameraKey>[], seen: boolean): Promise<void>
  /** Marks all items of a filter, in small batches, so that other requests don't wait. */
  markAll(owner: Owner, filter: ItemFilter, seen: boolean): Promise<void>
}

/** The items of one volume, or for users those of all volumes that they see. */
export interface ReviewStore extends ItemRows, SeenItems, SeenMarks {}
