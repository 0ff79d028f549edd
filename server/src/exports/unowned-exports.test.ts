import { expect, onTestFinished, test } from 'vitest'
import { engines } from '../../test/support/engines.ts'
import { testEntry } from '../../test/support/test-entry.ts'
import { exportStore } from './export-store.sql.ts'
import { exportProblem } from './problem.ts'
import { cleanUpUnowned } from './unowned-exports.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'

const hour = 60 * 60_000
const owner = { authMethod: 'password', key: 'gil', userId: null } as const

test('[NODE-3] exports of a lost disk wait for it for a day; of two instances that remove a failed one, one announces it', async () => {
  const database = await engines[0]!.create()
  onTestFinished(() => database.remove())
  const store = exportStore(await database.open(), 'lost')
  const add = (id: string, createdAt: number) =>
    store.add(
      {
        id,
        camera: cameraKey('yard'),
        name: '',
        start: 0,
        end: 1,
        expected: 1,
        promised: 1,
        createdAt,
        owner,
        createdBy: 'gil',
      },
      testEntry,
    )
  const now = Date.UTC(2026, 10, 21, 10)
  await add('failed', now - 8 * 24 * hour)
  await store.fail('failed', exportProblem('disk-full'), now - 8 * 24 * hour)
  await add('old', now - 25 * hour)
  await add('new', now - 23 * hour)
  const read = await store.failedBefore(now, 10)
  const removed: string[] = []
  const changed: string[] = []
  const cleanUp = (isClockTrusted = true) =>
    cleanUpUnowned({
      isClockTrusted: () => isClockTrusted,
      volumes: () => ['lost'],
      storeOf: () => ({ ...store, failedBefore: () => Promise.resolve(read) }),
      onChange: ({ id, state }) => void changed.push(`${id} ${state}`),
      onRemoved: ({ id }) => void removed.push(id),
      clock: { now: () => now },
    })
  await cleanUp(false)
  expect([removed, changed]).toEqual([[], []])
  await Promise.all([cleanUp(), cleanUp()])
  expect(removed).toEqual(['failed'])
  expect(changed).toEqual(['old failed'])
  expect((await store.byId('new'))?.state).toBe('queued')
})
