import { describe, expect, test } from 'vitest'
import { silent } from '../../test/support/null-log.ts'
import { createTestClock } from '../../test/support/test-clock.ts'
import { createLeases } from './leases.ts'
import { leaseTimes } from './lease.ts'
import { camerasNamed, recorder, viewOf } from '../../test/support/test-cluster.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'

type OnDatabaseLoss = 'stop' | 'keep'

/** What an instance's clock is like, in milliseconds. */
interface Timing {
  /** Timers run this much too early. */
  readonly early?: number
  /** Passes between two readings. */
  readonly perReading?: number
}

/** Instance `a`, beside `b`, which took the camera `yard` and lost the database right after it. */
async function withoutDatabase(onDatabaseLoss: OnDatabaseLoss, { early = 0, perReading = 0 }: Timing = {}) {
  const clock = createTestClock()
  let setting = onDatabaseLoss
  let readings = 0
  const leases = createLeases({
    self: 'a',
    store: { take: () => Promise.resolve(new Map([[cameraKey('yard'), 1]])), release: () => Promise.resolve() },
    toPull: () => camerasNamed('yard'),
    onDatabaseLoss: () => setting,
    serialized: (work) => work(),
    clock: {
      ...clock,
      elapsed: () => clock.elapsed() + perReading * readings++,
      after: (milliseconds, work) => clock.after(Math.max(1, milliseconds - early), work),
    },
    log: silent,
  })
  for (const now of [0, leaseTimes.renew]) {
    const view = viewOf(now, [recorder('a'), recorder('b')], [])
    leases.heartbeat({ view, renewed: [], loads: new Map(), isReplaced: false }, clock.elapsed())
  }
  await clock.advance(0)
  const pulled = () => leases.ownEpoch(cameraKey('yard')) !== undefined
  expect(pulled()).toBe(true)
  /** Whether the camera was pulled here after each change that was published. */
  const published: boolean[] = []
  leases.subscribe(() => void published.push(pulled()))
  return { leases, clock, published, set: (next: OnDatabaseLoss) => void (setting = next) }
}

describe('[NODE-2] an instance that lost the database', () => {
  // A timer can run a moment before its time, and time passes while the code looks at each camera.
  const timings = [0, 0.5, 1, 1.5, 2, 2.5, 3].flatMap((early) =>
    [0, 0.3, 0.7, 1].map((perReading) => [early, perReading]),
  )
  test.each(timings)(
    'stops pulling, with timers %f ms early and %f ms between two readings',
    async (early, perReading) => {
      const { clock, published } = await withoutDatabase('stop', { early, perReading })
      await clock.advance(leaseTimes.valid)
      expect(published.at(-1)).toBe(false)
    },
  )

  test('stops pulling also if the database is back before the end is noticed', async () => {
    const { leases, clock, published } = await withoutDatabase('stop', { early: -60_000 })
    await clock.advance(leaseTimes.valid)
    expect(published).toEqual([])
    const view = viewOf(leaseTimes.valid, [recorder('a'), recorder('b')], [])
    leases.heartbeat({ view, renewed: [cameraKey('yard')], loads: new Map(), isReplaced: false }, clock.elapsed())
    expect(published).toEqual([false, true])
  })

  test('goes on with `keep`, and stops once that is `stop`', async () => {
    const { leases, clock, published, set } = await withoutDatabase('keep')
    await clock.advance(leaseTimes.valid)
    expect(published).toEqual([])
    set('stop')
    leases.changed()
    expect(published).toEqual([false])
  })
})
