import type { AuditEntry } from '../../shared/audit/audit.ts'
import type { ShareLink } from './share-link.ts'

export type NewShareLink = Omit<
  ShareLink,
  'userKey' | 'userName' | 'userMethod' | 'exportExists' | 'revokedAt' | 'wrongCodes' | 'opens' | 'lastOpenedAt'
>

/** A viewer of a link. Times are Unix milliseconds. */
export interface Viewer {
  readonly link: string
  readonly viewer: string
  readonly at: number
  /** Slots that were not used since then are free. */
  readonly keptSince: number
  /** Slots that were used later than this are free, too: by a clock that was ahead. */
  readonly keptUntil: number
}

/**
 * Share links. Each method is one transaction, and writes the audit entry of its change (AUD-1). What ends a link is
 * announced. All methods throw ServiceError `unavailable` if the database does not respond.
 */
export interface ShareLinkStore {
  /** @param max links of one user that have not ended; as many that have ended are kept, the newest. */
  add(link: NewShareLink, entry: AuditEntry, max: number): Promise<'added' | 'full'>
  /** Returns only rows that exist, in any order. */
  linksById(ids: readonly string[]): Promise<ShareLink[]>
  /** The links of a user, or of all users, newest first. */
  links(userId?: string): Promise<ShareLink[]>
  /**
   * Records that a link was opened.
   *
   * @param counted false: by a viewer who opened it before, which isn't a further use
   * @returns `over`: it has ended or was opened as often as it can be. Of concurrent requests, no more succeed.
   */
  open(id: string, at: number, counted: boolean, entry: AuditEntry): Promise<'opened' | 'over'>
  /** Counts a code as wrong before it is checked, so that concurrent guesses count. @returns whether it can be checked */
  takeCodeTry(id: string, max: number): Promise<boolean>
  /** The code was right after all. */
  returnCodeTry(id: string): Promise<void>
  /** Takes or keeps a viewer's slot. @param max null: no limit @returns false if `max` others have one */
  takeSlot(viewer: Viewer, max: number | null): Promise<boolean>
  /** How many viewers have used their slot last in this time, by link; links without viewers are missing. */
  viewerCounts(since: number, until: number): Promise<ReadonlyMap<string, number>>
  /** @returns false if it does not exist. Of a link that has ended, the end stays the same. */
  revoke(id: string, at: number, entry: AuditEntry): Promise<boolean>
  /** Deletes links that ended before a time. @returns their ids */
  removeEnded(before: number): Promise<readonly string[]>
}
