import { parseInvalidation, type Invalidation } from '../access/invalidation.ts'
import { throttle } from '../shared/rate/throttle.ts'
import type { Clock, Timers } from '../shared/time/clock.ts'
import type { Changes } from '../store/store.ts'

export interface FollowInvalidationsDeps {
  readonly changes: Pick<Changes, 'subscribe'>
  readonly publish: (invalidation: Invalidation) => void
  readonly clock: Pick<Clock, 'elapsed'> & Pick<Timers, 'after'>
}

/** Milliseconds between two invalidations of everything. ROLE-10 allows a second. */
const betweenInvalidations = 100

/**
 * Publishes the invalidations of other instances. Anyone who can connect to the database can send anything, and each
 * invalidation of everything costs a query for each open stream, so these are limited.
 */
export function followInvalidations({ changes, publish, clock }: FollowInvalidationsDeps): { stop(): void } {
  const publishAll = throttle(() => publish({ kind: 'all' }), betweenInvalidations, clock)
  const unsubscribe = changes.subscribe((change) => {
    const invalidation: Invalidation | undefined =
      change === 'resync' ? { kind: 'all' } : parseInvalidation(change.message)
    if (invalidation?.kind === 'all') publishAll()
    else if (invalidation) publish(invalidation)
  })
  return {
    stop() {
      unsubscribe()
      publishAll.stop()
    },
  }
}
