import { serviceItself, type Requester } from '../../shared/requester.ts'

/** The part of a waiting decoding that decides about its order. */
export interface WaitingDecoding {
  /** Those that wait for it: several if they requested the same snapshot. */
  readonly requesters: readonly Requester[]
}

/**
 * Picks the next decoding: the oldest of the requester served least recently. So a requester with many delays no other one
 * by more than one decoding, and isn't delayed forever by others that each have few.
 *
 * @param waiting oldest first
 * @param lastServed when each key of a requester was last served: any increasing number
 * @returns the decoding, and the requester whose turn it is; others that wait for it too keep theirs
 */
export function nextDecoding<T extends WaitingDecoding>(
  waiting: readonly T[],
  lastServed: Pick<ReadonlyMap<string, number>, 'get'>,
): { readonly decoding: T; readonly requester: Requester } | undefined {
  let next: { decoding: T; requester: Requester; turn: readonly number[] } | undefined
  for (const decoding of waiting) {
    for (const requester of decoding.requesters) {
      const turn = requester.map((key) => lastServed.get(key) ?? 0)
      if (!next || compare(turn, next.turn) < 0) next = { decoding, requester, turn }
    }
  }
  return next
}

/**
 * Picks the decoding that is dropped when too many wait: the newest of the requester with the most. One that several wait
 * for counts as that of the requester with the fewest: a requester with many can't take others' snapshots along. What the
 * service itself needs is dropped last: no one requests it again.
 *
 * @param waiting oldest first
 */
export function decodingToDrop<T extends WaitingDecoding>(waiting: readonly T[]): T | undefined {
  const counts = new Map<string, number>()
  for (const { requesters } of waiting)
    for (const key of new Set(requesters.flat())) counts.set(key, (counts.get(key) ?? 0) + 1)
  let dropped: { decoding: T; load: readonly number[] } | undefined
  for (const decoding of waiting) {
    const load = decoding.requesters
      .map((requester) => (requester === serviceItself ? [0] : requester.map((key) => counts.get(key) ?? 0)))
      .reduce((fewest, each) => (compare(each, fewest) < 0 ? each : fewest))
    if (!dropped || compare(load, dropped.load) >= 0) dropped = { decoding, load }
  }
  return dropped?.decoding
}

/** Compares the first numbers that differ. */
function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index])
  return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0)
}
