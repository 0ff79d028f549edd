import type { Export } from '../../../server/src/api-types.ts'

export const isUnfinished = ({ state }: Pick<Export, 'state'>): boolean => state === 'queued' || state === 'running'

/**
 * Returns the user's exports that ended between two polls: those that were running before, and those that started and
 * finished since. Omits an export the user canceled.
 *
 * @param before undefined at the first poll
 */
export function endedSince(before: readonly Export[] | undefined, now: readonly Export[]): Export[] {
  if (!before) return []
  const known = new Map(before.map((one) => [one.id, one]))
  const newest =
    before
      .map(({ created_at: at }) => at)
      .sort()
      .at(-1) ?? ''
  return now.filter((one) => {
    if (!one.own || isUnfinished(one) || one.reason?.code === 'canceled') return false
    const was = known.get(one.id)
    // An export that moved up from an older page is older than all that were listed before.
    return was ? isUnfinished(was) : one.created_at > newest
  })
}
