import type { Clock } from '../shared/time/clock.ts'
import { everyPart } from '../shared/every-part.ts'
import type { ExportFolder } from './export-folder.ts'
import type { ExportStore, StoredExport } from './export-store.ts'
import type { LostExports } from './lost-exports.ts'
import { day } from '../shared/time/durations.ts'

export interface CleanUpFailedDeps {
  readonly folder: Pick<ExportFolder, 'dropDraft' | 'remove'>
  readonly store: Pick<ExportStore, 'lost' | 'failedBefore' | 'remove'>
  readonly lost: Pick<LostExports, 'recover'>
  /** @param links ids of the share links that showed it */
  readonly onRemoved: (removed: StoredExport, links: readonly string[]) => void
  /** Whether the clock can be trusted enough to remove exports by age. */
  readonly isClockTrusted: () => boolean
  readonly clock: Pick<Clock, 'now'>
}

/** Milliseconds that a failed export stays in the list. */
export const failedRetention = 7 * day

/**
 * Removes old failed exports with whatever is left of their files. Before, lost ones whose files are there as they were
 * are finished again.
 *
 * @throws the first error; ServiceError `unavailable` if the disk is missing: what may be on it stays in the list
 */
export async function cleanUpFailed(deps: CleanUpFailedDeps): Promise<void> {
  const { folder, store, lost, onRemoved, isClockTrusted, clock } = deps
  for (const one of await store.lost()) await lost.recover(one)
  if (!isClockTrusted()) return
  const old = await store.failedBefore(clock.now() - failedRetention, 1000)
  await everyPart(
    old.map((one) => async () => {
      await folder.dropDraft(one.id)
      await folder.remove(one.id)
      const links = await store.remove(one.id)
      if (links) onRemoved(one, links)
    }),
  )
}
