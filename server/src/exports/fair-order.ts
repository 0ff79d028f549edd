import type { Owner } from '../access/identity.ts'

/** What of an export its turn depends on. */
export interface QueuedJob {
  readonly id: string
  readonly owner: Owner
}

/**
 * Whose turn it is: of who has the fewest running the one who waited longest since their last turn, and of theirs the
 * oldest. So many of one person hold up nobody else.
 *
 * @param waiting oldest first
 * @param lastServed when each had a turn, by {@link personOf}: any number that rises
 */
export function nextJob<T extends QueuedJob>(
  waiting: readonly T[],
  running: readonly QueuedJob[],
  lastServed: ReadonlyMap<string, number>,
): T | undefined {
  const busy = new Map<string, number>()
  for (const { owner } of running) busy.set(personOf(owner), (busy.get(personOf(owner)) ?? 0) + 1)
  const rank = ({ owner }: T) => [busy.get(personOf(owner)) ?? 0, lastServed.get(personOf(owner)) ?? 0] as const
  let next: T | undefined
  for (const each of waiting) {
    if (!next) next = each
    const [[runs, turn], [fewest, first]] = [rank(each), rank(next)]
    if (runs < fewest || (runs === fewest && turn < first)) next = each
  }
  return next
}

export const personOf = ({ source, key, userId }: Owner): string => `${source} ${userId ?? key}`
