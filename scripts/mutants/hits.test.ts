import { describe, expect, test } from 'vitest'
import { hitFunction } from './hits-names.ts'
import { blockAround, instrumented } from './hits.ts'

describe('the blocks that a test reaches', () => {
  const text = 'const f = (a) => a ? { b: 1 } : g\nexport function g() {\n  if (f(1)) return f(2)\n  return 3\n}\n'
  const reached = (run: (module: { f: (a: unknown) => unknown; g: () => unknown }) => void): number[] => {
    const hits: number[] = []
    const code = instrumented('a.ts', text).replace('export ', '')
    // The instrumented code has to run to count its hits.
    // oxlint-disable-next-line typescript/no-implied-eval
    const load = new Function(hitFunction, `${code}\nreturn { f, g }`)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    run(load((_file: string, offset: number) => hits.push(offset)) as Parameters<typeof run>[0])
    return hits
  }

  test.each<[string, (module: { f: (a: unknown) => unknown; g: () => unknown }) => void, string[]]>([
    ['none, but the module', () => undefined, ['3']],
    ['an arrow function and one of its branches', ({ f }) => f(0), ['g\n', 'a ?']],
    ['the other one', ({ f }) => f(1), ['{ b', 'a ?']],
    ['a function, and a branch without braces', ({ g }) => g(), ['f(1)', 'return f(2)', '{ b', 'a ?', 'return 3']],
  ])('%s', (_name, run, places) => {
    const hits = new Set(reached(run))
    for (const place of ['g\n', 'a ?', '{ b', 'f(1)', 'return f(2)']) {
      const start = text.indexOf(place)
      expect(hits.has(blockAround('a.ts', text, { start, end: start + 1 })), place).toBe(places.includes(place))
    }
    expect(hits.has(-1)).toBe(true)
  })
})
