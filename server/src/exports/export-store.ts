import type { Owner } from '../access/identity.ts'
import type { AuditEntry } from '../shared/audit.ts'
import type { AnyCodedMessage } from '../shared/coded-message.ts'

/** Times are Unix milliseconds, UTC. */
export interface NewExport {
  readonly id: string
  /** The key of one. */
  readonly camera: string
  /** Empty where none was given. */
  readonly name: string
  readonly start: number
  readonly end: number
  /** Milliseconds of recording that it has to hold at least: as much as was settled when it was asked for. */
  readonly expected: number
  /** Bytes that it will take, as was known when it was asked for or begun. */
  readonly promised: number
  readonly createdAt: number
  readonly owner: Owner
  /** Who made it, as shown. */
  readonly createdBy: string
}

export type StoredExport = NewExport & {
  /** How often it was begun. */
  readonly tries: number
} & (
    | { readonly state: 'queued' | 'running' }
    | { readonly state: 'done'; readonly bytes: number; readonly duration: number; readonly finishedAt: number }
    | { readonly state: 'failed'; readonly problem: AnyCodedMessage; readonly finishedAt: number }
  )

/** An export's place in the list, from which a page goes on. */
export type Place = Pick<NewExport, 'createdAt' | 'id'>

/** What a finished file is. */
export interface Finished {
  readonly bytes: number
  /** Milliseconds that it plays. */
  readonly duration: number
}

/** Bytes of exports. */
export interface ExportBytes {
  readonly done: number
  /** To those that wait and run. */
  readonly promised: number
}

/**
 * The exports of one library: those whose files lie beside its recordings. Others in the same database are not seen.
 * The audit entry of what a user asked for is committed with it (AUD-1), and only where something was changed.
 */
export interface ExportStore {
  add(made: NewExport, entry: AuditEntry): Promise<void>
  byId(id: string): Promise<StoredExport | undefined>
  /** Newest first; those older than `from`. */
  page(cameras: 'all' | readonly string[], from: Place | undefined, limit: number): Promise<StoredExport[]>
  /** Queued and running, oldest first. */
  unfinished(): Promise<StoredExport[]>
  /** Every one that is done. */
  done(): Promise<StoredExport[]>
  /** @returns whether it is there. */
  rename(id: string, name: string, entry: AuditEntry): Promise<boolean>
  /** Of all, or of one owner. */
  bytes(owner?: Owner): Promise<ExportBytes>
  /**
   * Each of these holds only from queued or running on; @returns whether it did.
   *
   * @param promised bytes, as is known now
   */
  begin(id: string, promised: number): Promise<boolean>
  /** Back to the queue, as if it had not been begun. */
  putBack(id: string): Promise<boolean>
  finish(id: string, finished: Finished, at: number): Promise<boolean>
  /** @param entry where a user canceled it. */
  fail(id: string, problem: AnyCodedMessage, at: number, entry?: AuditEntry): Promise<boolean>
  /** A done one whose file is gone. */
  lose(id: string, problem: AnyCodedMessage, at: number): Promise<boolean>
  /** @param entry where a user deleted it. */
  remove(id: string, entry?: AuditEntry): Promise<void>
  /** Those that failed before a moment. */
  failedBefore(at: number, limit: number): Promise<StoredExport[]>
}
