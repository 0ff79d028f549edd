import { expect, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { systemRandom } from '../../shared/random.ts'
import { objectKey } from './object-key.ts'
import { createTier, type TierDeps } from './tier.ts'

const volume = 'a'.repeat(32)
const orphaned = objectKey(volume, '1970-01-01/yard/10-30-15.250.mp4', 'b'.repeat(64))

test('[NODE-5] objects without a recording are removed only while the clock can be trusted', async () => {
  const clock = createTestClock()
  let isTrusted = false
  const removed: string[] = []
  const deps: Partial<TierDeps> = {
    folder: '/nowhere',
    volume,
    objects: {
      configured: () => true,
      async *list() {
        yield [{ key: orphaned, modifiedAt: 0 }]
      },
    } as Partial<TierDeps['objects']> as TierDeps['objects'],
    store: {
      waiting: () => Promise.resolve([]),
      stored: () => Promise.resolve(true),
      knownObjects: () => Promise.resolve(new Set()),
    },
    removals: {
      add: async (keys: readonly string[]) => void removed.push(...keys),
      claim: () => Promise.resolve([]),
    } as Partial<TierDeps['removals']> as TierDeps['removals'],
    settings: () => ({ storage: { tier: { after_hours: 1 } } }) as ReturnType<TierDeps['settings']>,
    requireDisk: () => Promise.resolve(),
    isClockTrusted: () => isTrusted,
    knowsObjectsIn: () => true,
    clock,
    random: systemRandom,
    log: silent,
  }
  const tier = createTier(deps as TierDeps)
  tier.start()
  await expect.poll(() => clock.pending()).toBe(4)
  await clock.advance(11 * 60_000)
  expect(removed).toEqual([])
  isTrusted = true
  await clock.advance(12 * 60 * 60_000)
  await expect.poll(() => removed).toEqual([orphaned])
  await tier.stop()
})
