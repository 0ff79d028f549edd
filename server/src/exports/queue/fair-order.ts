import { ownerText, type Owner } from '../../access/identity.ts'

/** The part of an export that decides when its job runs. */
export interface QueuedJob {
  readonly id: string
  readonly owner: Owner
}

/**
 * Picks the next job: of the users with the fewest running jobs, the one served least recently, and of that user the
 * oldest job. So a user with many jobs delays no one else.
 *
 * @param waiting oldest first
 * @param lastServed when each user was last served, by {@link ownerText}: any increasing number
 */
export function nextJob<T extends QueuedJob>(
  waiting: readonly T[],
  running: readonly QueuedJob[],
  lastServed: ReadonlyMap<string, number>,
): T | undefined {
  const busy = new Map<string, number>()
  for (const { owner } of running) busy.set(ownerText(owner), (busy.get(ownerText(owner)) ?? 0) + 1)
  const rankOf = ({ owner }: T) => [busy.get(ownerText(owner)) ?? 0, lastServed.get(ownerText(owner)) ?? 0] as const
  let next: T | undefined
  for (const each of waiting) {
    if (!next) next = each
    const [[runs, turn], [fewest, first]] = [rankOf(each), rankOf(next)]
    if (runs < fewest || (runs === fewest && turn < first)) next = each
  }
  return next
}
