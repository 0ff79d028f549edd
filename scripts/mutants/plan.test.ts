import { describe, expect, test } from 'vitest'
import type { MeasuredTest } from './measured-test.ts'
import { planFor } from './plan.ts'

const measured = (project: string, file: string, seconds: number, blocks: number[]): MeasuredTest => ({
  project,
  file,
  seconds,
  hash: '',
  hits: { 'gate/a.ts#1': blocks },
})

describe('the tests of a mutant', () => {
  const tests = [
    measured('in-process', 'test/slow.test.ts', 20, [1, 2]),
    measured('in-process', 'test/quick.test.ts', 5, [1]),
    measured('in-process-long', 'test/other.test.ts', 6, [2]),
    measured('unit', 'web/b.test.ts', 30, [1]),
    measured('unit', 'gate/a.test.ts', 1.5, [1]),
  ]
  const plan = (changes: Partial<Parameters<typeof planFor>[1]>) => {
    const options = {
      source: { file: 'gate/a.ts', hash: '1' },
      block: 1,
      budget: 60,
      kills: new Map(),
      ...changes,
    }
    const { batches, leftOut } = planFor(tests, options)
    return [...batches.map((batch) => batch.map(({ file }) => file)), leftOut]
  }

  test('unit tests first, those next to the source before others, and only tests that reach the block', () => {
    expect(plan({})).toEqual([['gate/a.test.ts', 'web/b.test.ts'], ['test/quick.test.ts'], ['test/slow.test.ts'], 0])
  })
  test('what has killed mutants of the same file comes earlier', () => {
    expect(plan({ kills: new Map([['test/slow.test.ts', 9]]) })[1]).toEqual(['test/slow.test.ts'])
  })
  test('the budget leaves out the slowest; without one, only unit tests run', () => {
    expect(plan({ budget: 10 })).toEqual([['gate/a.test.ts', 'web/b.test.ts'], ['test/quick.test.ts'], 1])
    expect(plan({ budget: 0 })).toEqual([['gate/a.test.ts', 'web/b.test.ts'], 2])
  })
  test('all tests of a source that has changed since they were measured', () => {
    expect(plan({}).flat()).not.toContain('test/other.test.ts')
    expect(plan({ source: { file: 'gate/a.ts', hash: '2' } }).flat()).toContain('test/other.test.ts')
  })
})
