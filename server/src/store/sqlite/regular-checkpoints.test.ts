import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { systemClock } from '../../shared/time/clock.ts'
import { openStore } from '../open.ts'
import type { Store } from '../store.ts'
import { regularCheckpoints } from './regular-checkpoints.ts'

/** Checkpoints that end when told, after every second commit. */
function controlled() {
  const runs: (PromiseWithResolvers<void> & { readonly signal: AbortSignal })[] = []
  const warnings: string[] = []
  const checkpoints = regularCheckpoints({
    path: 'a path',
    log: { ...silent, warn: (_fields, message) => void warnings.push(message) },
    commits: 2,
    checkpoint: (_path, signal) => {
      const run = { ...Promise.withResolvers<void>(), signal }
      runs.push(run)
      return run.promise
    },
  })
  const commit = (count: number) => {
    for (let i = 0; i < count; i += 1) checkpoints.committed()
  }
  return { ...checkpoints, runs, warnings, commit }
}

test('begin after so many commits, one at a time', async () => {
  const { commit, runs } = controlled()
  commit(1)
  expect(runs).toHaveLength(0)
  commit(1)
  expect(runs).toHaveLength(1)
  commit(5)
  expect(runs).toHaveLength(1)
  runs[0]?.resolve()
  await expect.poll(() => (commit(1), runs.length)).toBe(2)
})

test('log the first of several failures, and go on', async () => {
  const { commit, runs, warnings } = controlled()
  const failed = ['failed to checkpoint database log in background']
  const fail = async (nth: number) => {
    await expect.poll(() => (commit(1), runs.length)).toBe(nth)
    runs[nth - 1]?.reject(new Error('locked'))
  }
  await fail(1)
  await expect.poll(() => warnings).toEqual(failed)
  await fail(2)
  await expect.poll(() => (commit(1), runs.length)).toBe(3)
  expect(warnings).toEqual(failed)
  runs[2]?.resolve()
  await fail(4)
  await expect.poll(() => warnings).toEqual([...failed, ...failed])
})

test('end with the service', async () => {
  const { commit, runs, stop, warnings } = controlled()
  commit(2)
  const stopped = stop()
  expect(runs[0]?.signal.aborted).toBe(true)
  runs[0]?.reject(new Error('terminated'))
  await stopped
  commit(4)
  expect([runs.length, warnings]).toEqual([1, []])
})

const write = (store: Store, value: string) =>
  store.db
    .insertInto('meta')
    .values({ key: 'text', value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()

test('keep the log of a SQLite file small, in another thread', async () => {
  const dir = temporaryFolder()
  const store = await openStore({ url: 'sqlite', configDir: dir, log: silent, clock: systemClock })
  onTestFinished(() => store.close())
  const log = join(dir, 'gatehouse.db-wal')
  const file = join(dir, 'gatehouse.db')
  const before = statSync(file).mtimeMs
  const size = statSync(file).size
  for (let i = 0; i < 300; i += 1) await write(store, `${i}`.padEnd(20_000, 'x'))
  // Less than what makes SQLite do it itself.
  expect(statSync(log).size).toBeLessThan(16_000_000)
  await expect.poll(() => [statSync(file).mtimeMs > before, statSync(file).size > size]).toEqual([true, true])
  const rows = await store.db.selectFrom('meta').select('value').where('key', '=', 'text').execute()
  expect(rows.map(({ value }) => value.trimEnd().slice(0, 3))).toEqual(['299'])
})
