import type { Export } from '../shared/api-types.ts'

export const isUnfinished = ({ state }: Pick<Export, 'state'>): boolean => state === 'queued' || state === 'running'

/**
 * Which exports came to their end between two looks: those that ran before, and those that began since and are done
 * already. One that was cancelled is no news to who cancelled it.
 *
 * @param before undefined: nobody looked yet
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
    if (!one.own || isUnfinished(one) || one.reason?.code === 'cancelled') return false
    const was = known.get(one.id)
    // What moved up from an older page is older than all that was here.
    return was ? isUnfinished(was) : one.created_at > newest
  })
}
