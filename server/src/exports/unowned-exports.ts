import { everyPart } from '../shared/every-part.ts'
import type { Clock } from '../shared/time/clock.ts'
import { failedRetention } from './clean-up-failed.ts'
import type { ExportStore, StoredExport } from './export-store.ts'
import { exportProblem } from './problem.ts'
import { day } from '../shared/time/durations.ts'

export interface UnownedExportsDeps {
  /** Ids of the volumes that no instance has, with exports. */
  readonly volumes: () => readonly string[]
  readonly storeOf: (volume: string) => Pick<ExportStore, 'unfinished' | 'fail' | 'byId' | 'failedBefore' | 'remove'>
  readonly onChange: (changed: StoredExport, progress: number) => void
  /** @param links ids of the share links that showed it */
  readonly onRemoved: (removed: StoredExport, links: readonly string[]) => void
  /** Whether the clock can be trusted enough to end and remove exports by age. */
  readonly isClockTrusted: () => boolean
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Ends the queued and running exports of volumes that no instance has, a day after they were requested, because none makes
 * them, and removes the old failed ones there. Finished ones stay, as on any volume: their disk can come back. Every
 * instance does this: what one has removed, another doesn't announce again.
 */
export async function cleanUpUnowned(deps: UnownedExportsDeps): Promise<void> {
  const { volumes, storeOf, onChange, onRemoved, isClockTrusted, clock } = deps
  if (!isClockTrusted()) return
  const cleanUp = async (volume: string): Promise<void> => {
    const store = storeOf(volume)
    for (const { id, createdAt } of await store.unfinished()) {
      if (createdAt > clock.now() - day) continue
      if (!(await store.fail(id, exportProblem('file-missing'), clock.now()))) continue
      const ended = await store.byId(id)
      if (ended) onChange(ended, 0)
    }
    for (const old of await store.failedBefore(clock.now() - failedRetention, 1000)) {
      const links = await store.remove(old.id)
      if (links) onRemoved(old, links)
    }
  }
  await everyPart(volumes().map((volume) => () => cleanUp(volume)))
}
