import { describe, expect, test } from 'vitest'
import type { MeasuredTest } from './measured-test.ts'
import { planFor } from './plan.ts'

const measured = (file: string, seconds: number, byTest: Record<string, number[]>): MeasuredTest => ({
  project: 'unit',
  file,
  seconds,
  hash: '',
  reached: { 'gate/a.ts#1': byTest },
})

describe('the tests of a mutant', () => {
  const tests = [
    measured('test/slow.test.ts', 20, { one: [1], two: [2] }),
    measured('test/quick.test.ts', 5, { one: [1], two: [1, 2], three: [2] }),
    measured('test/other.test.ts', 6, { file: [2], one: [2] }),
    measured('gate/a.test.ts', 9, { import: [3], one: [1] }),
  ]
  const options = {
    source: { file: 'gate/a.ts', hash: '1' },
    index: 1,
    imports: () => true,
    budget: 60,
    kills: new Map(),
  }
  const plan = (changes: Partial<Parameters<typeof planFor>[1]>) => {
    const { tries, leftOut } = planFor(tests, { ...options, ...changes })
    return { tries: tries.map(({ file, tests: ids }) => [file, ids]), leftOut }
  }
  const next = ['gate/a.test.ts', ['one']]
  const quick = ['test/quick.test.ts', ['one', 'two']]
  const slow = ['test/slow.test.ts', ['one']]

  test('only those that reach it: those next to the source first, then the quickest', () => {
    expect(plan({})).toEqual({ tries: [next, quick, slow], leftOut: 0 })
  })
  test('what has killed mutants of the same source comes earlier', () => {
    expect(plan({ kills: new Map([['test/slow.test.ts', 9]]) }).tries[0]).toEqual(slow)
  })
  test('the budget leaves out the slowest', () => {
    expect(plan({ budget: 15 })).toEqual({ tries: [next, quick], leftOut: 1 })
  })
  test('all tests of a file that reaches it in a hook', () => {
    expect(plan({ index: 2 }).tries).toEqual([
      ['test/quick.test.ts', ['two', 'three']],
      ['test/other.test.ts', undefined],
      ['test/slow.test.ts', ['two']],
    ])
  })
  test('of what is evaluated with its source: the tests next to it, and those that reach anything else of it', () => {
    const { tries } = planFor(tests, { ...options, index: 3 })
    expect(tries.map(({ file, tests: ids }) => [file, ids])).toEqual([
      ['gate/a.test.ts', undefined],
      ['test/quick.test.ts', ['one', 'two', 'three']],
      ['test/other.test.ts', undefined],
      ['test/slow.test.ts', ['one', 'two']],
    ])
    expect(tries.every(({ evaluates }) => evaluates)).toBe(true)
  })
  test('of what is evaluated: the tests in a folder around it that import it, and those that evaluated it', () => {
    const first = measured('test/first.test.ts', 1, { import: [3] })
    const around = measured('gate.test.ts', 2, {})
    const { tries } = planFor([first, around, ...tests.slice(0, 2), measured('other/a.test.ts', 3, {})], {
      ...options,
      index: 3,
    })
    expect(tries.map(({ file, tests: ids }) => [file, ids])).toEqual([
      ['test/first.test.ts', undefined],
      ['gate.test.ts', undefined],
      ['test/quick.test.ts', ['one', 'two', 'three']],
      ['test/slow.test.ts', ['one', 'two']],
    ])
  })
  test('of a source in which nothing else can be reached: all tests that import it', () => {
    const first = measured('test/first.test.ts', 1, { import: [3] })
    const later = { ...measured('test/later.test.ts', 2, {}), reached: {} }
    const other = { ...later, file: 'test/other.test.ts' }
    const { tries } = planFor([first, later, other], {
      ...options,
      index: 3,
      imports: ({ file }) => file !== 'test/other.test.ts',
    })
    expect(tries.map(({ file, tests: ids }) => [file, ids])).toEqual([
      ['test/first.test.ts', undefined],
      ['test/later.test.ts', undefined],
    ])
  })
})
