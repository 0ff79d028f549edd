import { expect, test } from 'vitest'
import { silent } from '../../test/support/null-log.ts'
import { createTestClock } from '../../test/support/test-clock.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { ServiceError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { createCleanUp } from './clean-up.ts'
import { createReconciliation } from './reconciliation.ts'
import type { RecordingStore } from './index/recording-store.ts'

type Step = 'deleteNoted' | 'reconcile' | 'count' | 'sweep'

/** What is done within a number of seconds. A step with an error fails. */
async function done(
  seconds: number,
  failing: Partial<Record<Step, Error>>,
): Promise<{ steps: Step[]; errors: unknown[] }> {
  const folder = temporaryFolder()
  const clock = createTestClock()
  const steps: Step[] = []
  const errors: unknown[] = []
  const step = async (name: Step): Promise<void> => {
    steps.push(name)
    const error = failing[name]
    if (error) throw error
  }
  const log: Log = { ...silent, warn: (fields) => void errors.push(...('err' in fields ? [fields.err] : [])) }
  const reconciliation = createReconciliation({
    folder,
    volume: 'ours',
    objectsIn: () => Promise.resolve(new Map()),
    writer: 'abc',
    isOwn: () => false,
    // Reconciling ends with it.
    store: {
      renamedKeys: () => Promise.resolve(new Map()),
      cameras: () => step('reconcile').then(() => []),
    } as Partial<RecordingStore> as RecordingStore,
    requireDisk: () => Promise.resolve(),
    usage: { setMissing: () => undefined },
    clock,
    log,
  })
  const cleanUp = createCleanUp({
    reconciliation,
    usage: { recount: () => step('count') },
    sweep: () => step('sweep'),
    deleteNoted: () => step('deleteNoted'),
    clock,
    log,
  })
  cleanUp.start()
  await expect.poll(() => clock.pending()).toBe(1)
  for (let second = 0; second < seconds; second += 30) {
    await clock.advance(30_000)
    await expect.poll(() => clock.pending()).toBe(1)
  }
  await cleanUp.stop()
  return { steps, errors }
}

const error = new Error('the disk is broken')

test.each<[what: string, failing: Partial<Record<Step, Error>>, steps: Step[], errors: number]>([
  [
    'each once, and later only what is due',
    {},
    ['deleteNoted', 'reconcile', 'count', 'sweep', 'deleteNoted', 'sweep'],
    0,
  ],
  [
    'the limits also if files deleted elsewhere can’t be removed',
    { deleteNoted: error },
    ['deleteNoted', 'reconcile', 'count', 'sweep', 'deleteNoted', 'sweep'],
    2,
  ],
  [
    'the limits also while disk and index can’t be reconciled',
    { reconcile: error },
    ['deleteNoted', 'reconcile', 'count', 'sweep', 'deleteNoted', 'sweep'],
    1,
  ],
  [
    'the limits also if the recordings can’t be counted, which is tried again',
    { count: new ServiceError('unavailable') },
    ['deleteNoted', 'reconcile', 'count', 'sweep', 'deleteNoted', 'count', 'sweep'],
    2,
  ],
  [
    'nothing further without the disk or the database',
    { deleteNoted: new ServiceError('unavailable') },
    ['deleteNoted', 'deleteNoted'],
    2,
  ],
])('background work: %s', async (_what, failing, steps, errors) => {
  expect(await done(30, failing)).toEqual({ steps, errors: Array(errors).fill(Object.values(failing)[0]) })
})

test('a sweep that is requested during a sweep follows it', async () => {
  const clock = createTestClock()
  let sweeps = 0
  const cleanUp = createCleanUp({
    reconciliation: { runIfDue: () => Promise.resolve(undefined) },
    usage: { recount: () => Promise.resolve() },
    sweep: async () => void (++sweeps === 1 && cleanUp.sweepNow()),
    deleteNoted: () => Promise.resolve(),
    clock,
    log: silent,
  })
  cleanUp.start()
  await expect.poll(() => clock.pending()).toBe(1)
  expect(sweeps).toBe(2)
  await cleanUp.stop()
})

test('disk and index are compared again ten minutes after an error', async () => {
  const { steps } = await done(10 * 60, { reconcile: error })
  expect(steps.flatMap((step, index) => (step === 'reconcile' ? [index] : []))).toEqual([1, steps.length - 3])
})
