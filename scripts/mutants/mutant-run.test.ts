import { expect, test } from 'vitest'
import type { MeasuredTest } from './measured-test.ts'
import { createMutantRun, type ListedMutant } from './mutant-run.ts'
import type { Outcomes } from './report.ts'
import type { TryRunner } from './run-tries.ts'
import type { TryResult } from './tries.ts'

const source = { file: 'gate/a.ts', hash: '1' }
const mutant = (index: number): ListedMutant => {
  return { source, index, place: `gate/a.ts:${index}`, file: source.file, line: 'a', change: 'a → true' }
}
const measured = (project: string, file: string): MeasuredTest => {
  return { project, file, seconds: 1, hash: '1', reached: { 'gate/a.ts#1': { one: [0, 1, 2] } } }
}

/** Tries three mutants with a test file each of two projects. */
async function run(resultOf: (file: string, index: number) => TryResult['result'] | Error) {
  const outcomes: Outcomes = {}
  const runner = {
    run: (async (tries, _limitOf, onResult) => {
      for (const tried of tries) {
        const result = resultOf(tried.file, tried.mutant!.index)
        if (result instanceof Error) throw result
        onResult(tried, { result, seconds: 1, test: 'its title' })
      }
    }) satisfies TryRunner['run'],
  } as unknown as TryRunner
  const tests = [measured('unit', 'a.test.ts'), measured('unit-isolated', 'b.test.ts')]
  const none = { save: () => undefined, log: () => undefined }
  const runAll = createMutantRun({ tests, outcomes, runner, budget: 60, imports: () => true, ...none })
  const failing = await runAll([0, 1, 2].map(mutant)).catch((error: unknown) => String(error))
  return { failing, results: [0, 1, 2].map((index) => outcomes[`gate/a.ts#1:${index}`]) }
}

const killedBy = (project: string, file: string, tests: number) => {
  return { result: 'killed', by: { project, file, test: 'its title' }, tests, leftOut: 0 }
}

test('a mutant survives the tests of all projects', async () => {
  const { failing, results } = await run((file, index) =>
    (file === 'a.test.ts' && index === 0) || (file === 'b.test.ts' && index === 1) ? 'failed' : 'passed',
  )
  expect(failing).toEqual([])
  expect(results).toEqual([
    killedBy('unit', 'a.test.ts', 1),
    killedBy('unit-isolated', 'b.test.ts', 2),
    { result: 'survived', tests: 2, leftOut: 0 },
  ])
})

test('what an interrupted run has not tried with all of them has no result', async () => {
  const { failing, results } = await run((file, index) =>
    file === 'b.test.ts' ? new Error('interrupted') : index === 0 ? 'failed' : 'passed',
  )
  expect([failing, results]).toEqual(['Error: interrupted', [killedBy('unit', 'a.test.ts', 1), undefined, undefined]])
})

test('a test file that fails without the mutant too, and again as a whole, is returned', async () => {
  const { failing, results } = await run((file) => (file === 'a.test.ts' ? 'unsure' : 'passed'))
  expect(failing).toEqual([{ project: 'unit', file: 'a.test.ts', test: 'its title' }])
  expect(results[0]).toEqual({ result: 'survived', tests: 1, leftOut: 0 })
})
