import { dirname } from 'node:path'
import type { Log } from '../../shared/log.ts'
import type { Objects } from '../../shared/storage/objects.ts'
import { checksumIn, objectsOf } from './object-key.ts'
import type { RecordingStore } from '../index/recording-store.ts'
import type { RemovalQueue } from '../index/removal-queue.sql.ts'
import { hour } from '../../shared/time/durations.ts'

export interface ObjectSweepDeps {
  readonly volume: string
  readonly objects: Pick<Objects, 'list'>
  readonly store: Pick<RecordingStore, 'knownObjects'>
  readonly removals: Pick<RemovalQueue, 'add'>
  /**
   * Whether the index knows the objects of a folder's segments, by its path. A restored one doesn't until disk, index and
   * object storage were compared.
   */
  readonly knowsObjectsIn: (folder: string) => boolean
  readonly log: Log
}

/** Milliseconds after which an object without a segment isn't an upload in progress. */
const oldEnough = 6 * hour

/** Keys of one query. */
const batch = 500

/**
 * Queues the removal of objects that no segment has: of uploads that a kill ended, and of rows that a restored backup doesn't
 * have. Only this volume's objects are looked at, so that installations can share a bucket.
 *
 * @param now Unix milliseconds
 */
export async function sweepObjects(
  { volume, objects, store, removals, knowsObjectsIn, log }: ObjectSweepDeps,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const folderOf = (key: string): string => dirname(key.slice(objectsOf(volume).length))
  let removed = 0
  for await (const page of objects.list(objectsOf(volume), signal)) {
    const old = page
      .filter(({ key, modifiedAt }) => modifiedAt < now - oldEnough && checksumIn(key) !== undefined)
      .map(({ key }) => key)
      .filter((key) => knowsObjectsIn(folderOf(key)))
    for (let at = 0; at < old.length; at += batch) {
      const keys = old.slice(at, at + batch)
      const known = await store.knownObjects(keys)
      const orphaned = keys.filter((key) => !known.has(key))
      await removals.add(orphaned)
      removed += orphaned.length
    }
  }
  if (removed > 0) log.warn({ count: removed }, 'objects without a recording removed')
}
