import { basename, dirname, join } from 'node:path'
import type { Log } from '../../shared/log.ts'
import { readdir, rm, stat } from '../../shared/storage/media-disk.ts'
import type { RecordingStore, Segment } from '../index/recording-store.ts'
import { createSegmentRecovery } from './segment-recovery.ts'
import { draftNamed, segmentNamed } from './segment-name.ts'

export interface ReconcileDeps {
  readonly folder: string
  /** Id of this process in draft names; its drafts are left alone. */
  readonly writer: string
  /** Unix milliseconds. Files written later are from this process, which indexes them itself. */
  readonly startedAt: number
  readonly store: RecordingStore
  /** Rejects if the disk is missing. */
  readonly requireDisk: () => Promise<void>
  readonly log: Log
  readonly signal: AbortSignal
}

/** Number of files that differed, by kind. */
export interface Reconciled {
  /** On disk but not in the index; now indexed. */
  readonly found: number
  /** In the index but missing on disk; now dropped from the index. */
  readonly dropped: number
  /** On disk but without playable video; now quarantined. */
  readonly broken: number
  /** On disk with another size than in the index; now indexed again. */
  readonly changed: number
}

const day = 24 * 60 * 60_000

/**
 * Makes the disk and the index agree after the process ended at any moment: a file that isn't in the index is indexed,
 * or quarantined if it is broken; a row whose file is missing is dropped. A file whose segment is in the object storage
 * is removed.
 *
 * Handles one day of one camera at a time, so that requests are served in between.
 */
export async function reconcile(deps: ReconcileDeps): Promise<Reconciled> {
  const { folder, writer, startedAt, store, requireDisk, log, signal } = deps
  const sum = { found: 0, dropped: 0, broken: 0, changed: 0 }
  const recovery = createSegmentRecovery({ folder, store, log, sum })

  const oneDay = async (date: string, camera: string): Promise<void> => {
    const start = Date.parse(`${date}T00:00:00Z`)
    const indexed = new Map((await store.filesFrom(camera, start, start + day)).map((row) => [row.file, row]))
    for (const name of await namesIn(join(folder, date, camera))) {
      if (signal.aborted) return
      const place = `${date}/${camera}/`
      const draft = draftNamed(name)
      if (draft?.writer === writer) continue
      try {
        const file = draft ? await recovery.complete(place + name, place + draft.file) : place + name
        if (file === undefined || !segmentNamed(file)) continue
        const row = indexed.get(file)
        indexed.delete(file)
        const { size, mtimeMs } = await stat(join(folder, file))
        // The process ended between the two.
        if (row && row.object !== null) await rm(join(folder, file), { force: true })
        else if (row && row.bytes !== size) await recovery.reindex(row.id, file, size)
        else if (!row && (draft || mtimeMs < startedAt) && (await recovery.addToIndex(file, size))) sum.found++
      } catch (err) {
        log.warn({ file: place + name, err }, 'failed to check segment')
      }
    }
    await dropMissing([...indexed.values()].filter(({ object }) => object === null))
  }

  /**
   * Drops those rows whose file isn't in its folder, which is read after the rows: a file is on disk before its row is in
   * the index, and its folder can be newer than what was listed before.
   */
  const dropMissing = async (rows: readonly Pick<Segment, 'id' | 'file'>[]): Promise<void> => {
    for (const [place, some] of Map.groupBy(rows, ({ file }) => dirname(file))) {
      const names = new Set(await namesIn(join(folder, place)))
      const missing = some.filter(({ file }) => !names.has(basename(file)))
      if (missing.length === 0) continue
      if (signal.aborted) return
      await requireDisk()
      sum.dropped += (await store.removeMissing(missing.map(({ id }) => id))).length
    }
  }

  const dates = (await namesIn(folder)).filter((name) => /^\d{4}-\d{2}-\d{2}$/.test(name)).sort()
  const seen = new Set<string>()
  for (const date of dates) {
    for (const camera of await namesIn(join(folder, date))) {
      if (signal.aborted) return sum
      seen.add(`${date}/${camera}`)
      await oneDay(date, camera)
    }
  }
  await dropMissingDays()
  return sum

  /** Drops the rows of days whose folders no longer exist. Those of a day that began in the meantime have files. */
  async function dropMissingDays(): Promise<void> {
    for (const camera of await store.cameras()) {
      let start = await store.firstStart(camera, 0)
      while (start !== undefined && !signal.aborted) {
        const begin = Math.floor(start / day) * day
        if (!seen.has(`${new Date(begin).toISOString().slice(0, 10)}/${camera}`)) {
          await dropMissing(await store.filesFrom(camera, begin, begin + day, 'disk'))
        }
        start = await store.firstStart(camera, begin + day)
      }
    }
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}
