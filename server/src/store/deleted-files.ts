import type { Transaction } from 'kysely'
import { batches } from '../shared/batches.ts'
import type { Message, Store } from './store.ts'
import type { Tables } from './tables.ts'

export type FileKind = 'recording' | 'review' | 'export'

/**
 * `none`: no instance has the volumes of the files, which retention deletes, so none is told; one that gets such a disk looks
 * at its start.
 */
export type FileOwner = 'running' | 'none'

/** A file whose row was deleted. */
export interface DeletedFile {
  /** Id of the volume on whose disk it is. */
  readonly volume: string
  /** Of a recording: its path; of a review item or an export: its id. */
  readonly file: string
  /** Unix milliseconds. */
  readonly start: number
}

/**
 * Files on other disks whose rows were deleted here. The instance that has a file deletes it immediately, or when it is back,
 * and until then doesn't add it to the index again. A disk that no instance has may get one.
 */
export interface DeletedFiles {
  /** Notes those files that are on other volumes, in the transaction that deletes their rows. @param owner default: `running` */
  note(kind: FileKind, files: readonly DeletedFile[], within: Transaction<Tables>, owner?: FileOwner): Promise<void>
  /**
   * Those on the own volume that still exist, at most 500, in the order of their files.
   *
   * @param after the file after which they begin; default: with the first
   */
  own(kind: FileKind, after?: string): Promise<DeletedFile[]>
  /** Which of these files on the own volume are noted. */
  among(kind: FileKind, files: readonly string[], within?: Transaction<Tables>): Promise<ReadonlySet<string>>
  /** Forgets files on the own volume, which were deleted. */
  done(kind: FileKind, files: readonly string[]): Promise<void>
  /**
   * Forgets old files of a volume that no instance has: on a disk that returns so late, they are deleted by age. Recordings
   * that a user deleted aren't forgotten: they would be shown again, if only until then.
   *
   * @param kind one whose names begin with the time
   * @param before Unix milliseconds
   */
  forgetOld(kind: 'recording' | 'review', volume: string, before: number): Promise<void>
  /** Calls the listener when another instance may have noted files. @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void
}

/** Rows read, written or deleted per statement. */
const batch = 500

export const deletedFilesNews: Message = { kind: 'deleted-files' }

/** Whether an announcement says that files were noted. */
const saysFilesDeleted = (message: Message): boolean => JSON.stringify(message) === JSON.stringify(deletedFilesNews)

export function deletedFiles({ db, changes }: Pick<Store, 'db' | 'changes'>, volume: string): DeletedFiles {
  const ours = (kind: FileKind, within: Pick<typeof db, 'selectFrom'> = db) =>
    within.selectFrom('deleted_file').where('volume', '=', volume).where('kind', '=', kind)
  const forget = async (of: string, kind: FileKind, files: readonly string[]): Promise<void> => {
    for (const some of batches(files, batch)) {
      await db
        .deleteFrom('deleted_file')
        .where('volume', '=', of)
        .where('kind', '=', kind)
        .where('file', 'in', some)
        .execute()
    }
  }
  return {
    async note(kind, deleted, within, owner = 'running') {
      const files = deleted.filter((each) => each.volume !== volume)
      for (const some of batches(files, batch)) {
        await within
          .insertInto('deleted_file')
          .values(some.map((each) => ({ ...each, kind, by_age: owner === 'none' ? 1 : 0 })))
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      }
      if (files.length > 0 && owner === 'running') await changes.announce(deletedFilesNews, within)
    },
    own(kind, after) {
      const rows = after === undefined ? ours(kind) : ours(kind).where('file', '>', after)
      return rows.select(['volume', 'file', 'start']).orderBy('file').limit(batch).execute()
    },
    async among(kind, files, within) {
      const found = new Set<string>()
      for (const some of batches(files, batch)) {
        for (const { file } of await ours(kind, within).where('file', 'in', some).select('file').execute())
          found.add(file)
      }
      return found
    },
    done: (kind, files) => forget(volume, kind, files),
    async forgetOld(kind, other, before) {
      for (;;) {
        const notes = db.selectFrom('deleted_file').where('volume', '=', other).where('kind', '=', kind)
        // The key's order is that of time.
        const old = kind === 'recording' ? notes.where('by_age', '=', 1) : notes
        const first = await old.select(['file', 'start']).orderBy('file').limit(batch).execute()
        const due = first.filter(({ start }) => start < before).map(({ file }) => file)
        await forget(other, kind, due)
        if (due.length < batch) return
      }
    },
    subscribe: (listener) =>
      changes.subscribe((change) => {
        if (change === 'resync' || saysFilesDeleted(change.message)) listener()
      }),
  }
}
