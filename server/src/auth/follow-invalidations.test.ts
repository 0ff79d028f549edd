import { expect, test } from 'vitest'
import { createTestClock } from '../../test/support/test-clock.ts'
import type { Invalidation } from '../access/invalidation.ts'
import { clusterNews } from '../cluster/cluster-store.sql.ts'
import { createBus } from '../shared/bus.ts'
import { silent } from '../../test/support/null-log.ts'
import { deletedFilesNews } from '../store/deleted-files.ts'
import type { ChangeMessage } from '../store/store.ts'
import { followInvalidations } from './follow-invalidations.ts'

const all: Invalidation = { kind: 'all' }
const user: Invalidation = { kind: 'user', key: 'ann' }

function setUp() {
  const clock = createTestClock()
  const bus = createBus<ChangeMessage>(silent)
  const published: Invalidation[] = []
  const { stop } = followInvalidations({
    changes: bus,
    publish: (invalidation) => void published.push(invalidation),
    clock,
  })
  return { clock, published, stop, receive: bus.publish }
}

test('[ROLE-10] what another instance announces is published immediately, unless it changes no access', () => {
  const { published, receive } = setUp()
  for (const message of [user, clusterNews, deletedFilesNews, { kind: 'config' }, user]) {
    receive({ message })
  }
  expect(published).toEqual([user, { kind: 'config' }, user])
})

test('[ROLE-10] after a missed announcement everything is invalidated, at most every 100 ms', async () => {
  const { clock, published, receive } = setUp()
  receive('resync')
  expect(published).toEqual([all])
  for (const _ of [1, 2, 3]) receive({ message: 'unknown' })
  receive({ message: user })
  expect(published).toEqual([all, user])
  await clock.advance(99)
  expect(published).toHaveLength(2)
  await clock.advance(1)
  expect(published).toEqual([all, user, all])
})

test('nothing is published after the stop, not even what waits', async () => {
  const { clock, published, receive, stop } = setUp()
  receive('resync')
  receive('resync')
  stop()
  receive('resync')
  receive({ message: user })
  await clock.advance(1000)
  expect(published).toEqual([all])
})
