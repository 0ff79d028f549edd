import type { CameraScope, ScopedKey } from '../access/grant.ts'
import type { Owner } from '../access/identity.ts'
import type { AuditEntry } from '../shared/audit/audit.ts'
import type { AnyCodedMessage } from '../shared/messages/coded-message.ts'
import type { CameraKey } from '../shared/camera/camera-keys.ts'

/** Times are Unix milliseconds, UTC. */
export interface NewExport {
  readonly id: string
  /** The camera's key. */
  readonly camera: CameraKey
  /** Empty if none was given. */
  readonly name: string
  readonly start: number
  readonly end: number
  /** Minimum milliseconds of recording in the export: those that were settled when the export was requested. */
  readonly expected: number
  /** Expected bytes of the file, estimated when the export was requested, and again when it began. */
  readonly promised: number
  readonly createdAt: number
  readonly owner: Owner
  /** Display name of the user who created the export. */
  readonly createdBy: string
}

export type StoredExport = NewExport & {
  /** Id of the volume on whose disk the file is or will be. */
  readonly volume: string
  /** Number of times the export began. */
  readonly tries: number
} & (
    | { readonly state: 'queued' | 'running' }
    | { readonly state: 'done'; readonly bytes: number; readonly duration: number; readonly finishedAt: number }
    | { readonly state: 'failed'; readonly problem: AnyCodedMessage; readonly finishedAt: number }
  )

/** An export's place in the list, after which the next page begins. */
export type ExportPosition = Pick<NewExport, 'createdAt' | 'id'>

/** Data of a finished file. */
export interface Finished {
  readonly bytes: number
  /** Duration in milliseconds. */
  readonly duration: number
}

/** Bytes of exports. */
export interface ExportBytes {
  readonly done: number
  /** Expected bytes of queued and running exports. */
  readonly promised: number
}

/** The exports that a caller can see. */
export interface VisibleExports {
  /** The caller's. With one of all cameras, also exports of removed cameras are visible. */
  readonly scope: CameraScope
  /** Keys of the existing cameras in any other scope. */
  readonly cameras: readonly ScopedKey<CameraKey>[]
}

export interface ExportQueries {
  byId(id: string): Promise<StoredExport | undefined>
  /** Exports made before `from`, newest first. */
  page(visible: VisibleExports, from: ExportPosition | undefined, limit: number): Promise<StoredExport[]>
  /** Queued and running, oldest first. */
  unfinished(): Promise<StoredExport[]>
  /** All finished exports. */
  done(): Promise<StoredExport[]>
  /** Exports that were marked with `lose`. */
  lost(): Promise<StoredExport[]>
  /** Exports that failed before a time. */
  failedBefore(at: number, limit: number): Promise<StoredExport[]>
  /** Bytes of all exports, or of one owner's. */
  bytes(owner?: Owner): Promise<ExportBytes>
}

export interface ExportChanges {
  add(made: NewExport, entry: AuditEntry): Promise<void>
  /** @returns whether the export exists. */
  rename(id: string, name: string, entry: AuditEntry): Promise<boolean>
  /**
   * Marks an export as running, only if it is queued or running. @returns whether it was; so do `putBack`, `finish`,
   * `fail` and `lose`.
   *
   * @param promised expected bytes, as estimated now
   */
  begin(id: string, promised: number): Promise<boolean>
  /** Puts a running export back into the queue, as if it had not begun. */
  putBack(id: string): Promise<boolean>
  finish(id: string, finished: Finished, at: number): Promise<boolean>
  /** @param entry audit entry, if a user canceled the export */
  fail(id: string, problem: AnyCodedMessage, at: number, entry?: AuditEntry): Promise<boolean>
  /** Marks a finished export as failed because its file is missing. */
  lose(id: string, problem: AnyCodedMessage, at: number): Promise<boolean>
  /** Marks an export that was marked with `lose` as finished again, if its file has as many bytes as it had. @returns whether it has */
  recover(id: string, bytes: number): Promise<boolean>
  /**
   * @param entry audit entry, if a user deleted the export
   * @returns ids of the share links that showed it, which are also announced; undefined: there is no such export
   */
  remove(id: string, entry?: AuditEntry): Promise<readonly string[] | undefined>
}

/**
 * The exports of one volume, whose files are next to its recordings; users see those of every instance that shares the
 * database, and of volumes that no instance has. The audit entry of a user's request is committed in the same transaction (AUD-1), only if something
 * changed.
 */
export interface ExportStore extends ExportQueries, ExportChanges {}
