import { expect, test } from 'vitest'
import { measureTests } from './measure.ts'
import type { MeasuredTest } from './measured-test.ts'
import type { TryRunner } from './run-tries.ts'

const unit = (file: string) => ({ project: 'unit', file })
const measured = (file: string, hash: string): MeasuredTest => ({ ...unit(file), seconds: 1, hash, reached: {} })

/** Measures files, each of which fails a number of times before it passes. */
async function measure(failures: Readonly<Record<string, number>>, known: readonly MeasuredTest[] = []) {
  const runs: string[] = []
  const saved: MeasuredTest[] = []
  const run: TryRunner['run'] = async (tries, _limitOf, onResult) => {
    for (const tried of tries) {
      const earlier = runs.filter((file) => file === tried.file).length
      runs.push(tried.file)
      const result = earlier < (failures[tried.file] ?? 0) ? 'unsure' : 'passed'
      onResult(tried, { result, seconds: 1, test: 'its title' })
    }
  }
  const { tests, failing } = await measureTests(Object.keys(failures).map(unit), {
    known,
    hashOf: (file) => `hash of ${file}`,
    save: (all) => void saved.splice(0, saved.length, ...all),
    runner: { run },
  })
  return { runs, failing, tests: tests.map(({ file }) => file), saved: saved.map(({ file }) => file) }
}

test('a test file that fails runs a second time, and is reported if it fails again', async () => {
  expect(await measure({ good: 0, busy: 1, broken: 2 })).toEqual({
    runs: ['good', 'busy', 'broken', 'busy', 'broken'],
    tests: ['good', 'busy'],
    saved: ['good', 'busy'],
    failing: [{ ...unit('broken'), test: 'its title' }],
  })
})

test('a test file that has changed, or that imports what has, is measured again; results of others stay', async () => {
  const known = [measured('same', 'hash of same'), measured('changed', 'earlier'), measured('other', 'any')]
  expect(await measure({ same: 0, changed: 0 }, known)).toMatchObject({
    runs: ['changed'],
    tests: ['same', 'changed'],
    saved: ['other', 'same', 'changed'],
  })
})
