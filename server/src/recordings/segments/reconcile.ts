import { join } from 'node:path'
import type { Log } from '../../shared/log.ts'
import { rm, stat } from '../../shared/storage/media-disk.ts'
import type { RecordingStore } from '../index/recording-store.ts'
import { dropMissingSegments, namesIn, type MissingSegmentsDeps } from './missing-segments.ts'
import { createSegmentRecovery } from './segment-recovery.ts'
import { draftNamed, segmentNamed } from './segment-name.ts'

export interface ReconcileDeps extends MissingSegmentsDeps {
  /** Id of this process in draft names; its drafts are left alone. */
  readonly writer: string
  /** Unix milliseconds. Files written later are from this process, which indexes them itself. */
  readonly startedAt: number
  readonly store: RecordingStore
  readonly log: Log
}

/** Number of files that differed, by kind. */
export interface Reconciled {
  /** On disk but not in the index; now indexed. */
  readonly found: number
  /** In the index but missing on disk; now dropped from the index. */
  readonly dropped: number
  /** Missing on disk but in the object storage; a restored index didn't know, and now does. */
  readonly stored: number
  /** Missing on disk, and still in the index, because the object storage couldn't be asked. */
  readonly undecided: number
  /** On disk but without playable video; now quarantined. */
  readonly broken: number
  /** On disk with another size than in the index; now indexed again. */
  readonly changed: number
}

const day = 24 * 60 * 60_000

/**
 * Makes the disk and the index agree after the process ended at any moment: a file that isn't in the index is indexed,
 * or quarantined if it is broken; a row whose file is missing is dropped, unless the object storage has it. A file whose
 * segment is in the object storage is removed.
 *
 * Handles one day of one camera at a time, so that requests are served in between.
 */
export async function reconcile(deps: ReconcileDeps): Promise<Reconciled> {
  const { folder, writer, startedAt, store, log, signal } = deps
  const sum = { found: 0, dropped: 0, stored: 0, undecided: 0, broken: 0, changed: 0 }
  const dropMissing = dropMissingSegments(deps, sum)
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
