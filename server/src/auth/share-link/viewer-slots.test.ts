import { expect, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import type { Viewer } from './share-link-store.ts'
import { createViewerSlots } from './viewer-slots.ts'

function world() {
  const clock = createTestClock()
  const taken: [Viewer, number | null][] = []
  const at = { takes: () => Promise.resolve(true) }
  const slots = createViewerSlots({
    store: {
      takeSlot(viewer, max) {
        taken.push([viewer, max])
        return at.takes()
      },
      viewerCounts: async (since, until) =>
        new Map(Object.entries({ since: clock.now() - since, until: until - clock.now() })),
    },
    clock,
    log: silent,
  })
  return {
    ...slots,
    holdFor: slots.hold,
    hold: (max: number | null = 3) => slots.hold('link', 'viewer', max),
    clock,
    taken,
    at,
  }
}

test('[LINK-3] a viewer keeps a slot for 45 seconds, and renews it after 15', async () => {
  const { hold, clock, taken } = world()
  const began = clock.now()
  expect([await hold(), await hold()]).toEqual([began + 15_000, began + 15_000])
  expect(taken).toEqual([
    [{ link: 'link', viewer: 'viewer', at: began, keptSince: began - 45_000, keptUntil: began + 60_000 }, 3],
  ])
  await clock.advance(14_999)
  expect(await hold()).toBe(began + 15_000)
  expect(taken).toHaveLength(1)
  await clock.advance(1)
  expect(await hold()).toBe(began + 30_000)
  expect(taken).toHaveLength(2)
})

test('[LINK-3] each viewer of each link takes its own slot', async () => {
  const { hold, holdFor, taken } = world()
  await hold()
  await holdFor('link', 'other', 3)
  await holdFor('other', 'viewer', 3)
  expect(taken).toHaveLength(3)
})

test('[LINK-3] a clock that was set back makes no slot last longer', async () => {
  const { hold, clock, taken } = world()
  await hold()
  clock.setWallTime(clock.now() - 1)
  expect(await hold()).toBe(clock.now() + 15_000)
  expect(taken).toHaveLength(2)
})

test('[LINK-3] without a free slot there is none, until the database has one', async () => {
  const { hold, at, taken } = world()
  at.takes = async () => false
  expect([await hold(), await hold()]).toEqual(['full', 'full'])
  at.takes = async () => true
  expect(await hold()).toBeTypeOf('number')
  expect(taken).toHaveLength(3)
})

const lost = () => Promise.reject(new Error('the database is unavailable'))

test('[LINK-3] a limit holds also while the database is unavailable', async () => {
  const { hold, at } = world()
  at.takes = lost
  await expect(hold()).rejects.toThrow('unavailable')
})

test('without a limit, viewers are only counted: none waits for the database, or fails without it', async () => {
  const { hold, at, clock } = world()
  for (const takes of [() => new Promise<never>(() => undefined), async () => false, lost]) {
    at.takes = takes
    expect(await hold(null)).toBe(clock.now() + 15_000)
    await clock.advance(15_000)
  }
})

test('viewers of the last 45 seconds are counted, also by a clock that is a minute ahead', async () => {
  expect(await world().counts()).toEqual(new Map(Object.entries({ since: 45_000, until: 60_000 })))
})
