import { expect, test } from 'vitest'
import { mutantsOf } from './mutations.ts'
import { switched, switchedSource, switchFunction } from './switched.ts'

/** What the function `f` of the source returns with each mutant, by what the mutant makes of the source. */
function results(text: string, argument: unknown): Record<string, unknown> {
  const mutants = mutantsOf('a.ts', text)
  const code = switched('a', text, mutants)
  const withOn = (on: number): unknown => {
    // The text has to run.
    // oxlint-disable-next-line typescript/no-implied-eval
    const load = new Function(switchFunction, `${code}\nreturn f`)
    const f = load(() => (index: number) => index === on) as (argument: unknown) => unknown
    try {
      return f(argument)
    } catch (error) {
      return String(error)
    }
  }
  const changes = mutants.map(
    ({ original, text: change }, index) => [`${original} → ${change}`, withOn(index)] as const,
  )
  return { none: withOn(-1), ...Object.fromEntries(changes) }
}

test.each<[string, string, unknown, Record<string, unknown>]>([
  [
    'conditions in conditions',
    'const f = (a) => a.x > 1 && a.y ? 1 : 2',
    { x: 1, y: true },
    { none: 2, 'a.x > 1 && a.y → false': 2, 'a.x > 1 → true': 1, 'a.x > 1 → a.x >= 1': 1, 'a.y → true': 2 },
  ],
  [
    'statements without braces and semicolons',
    'function f(a) {\n  for (const x of a) a = []\n  a.push(3)\n  if (a.length === 1) throw new Error("one")\n  return a\n}',
    [1],
    {
      none: 'Error: one',
      'a = [] → ;': [1, 3],
      'a.push(3) → ;': [],
      'a.length === 1 → true': 'Error: one',
      'a.length === 1 → false': [3],
    },
  ],
  [
    'a label, also where another one falls through to it',
    'function f(a) {\n  switch (a) {\n    case 1:\n    case 2: { return "two" }\n    default: return "other"\n  }\n}',
    1,
    { none: 'two', 'case 2: { return "two" } → ': 'other' },
  ],
  [
    'elements, the only one too',
    'const f = () => [[1, 2], [3]].flat()',
    0,
    { none: [1, 2, 3], '1, → ': [2, 3], ', 2 → ': [1, 3], '3 → ': [1, 2] },
  ],
  ['a method', 'const f = (a) => [a, 2].some((x) => x === 1)', 1, { none: true, 'some → every': false }],
  [
    'a part of an optional chain',
    'const f = (a) => a?.trim().toLowerCase() ?? "none"',
    undefined,
    {
      none: 'none',
      'a?.trim().toLowerCase() → a?.trim()': 'none',
      'a?.trim() → a': "TypeError: Cannot read properties of undefined (reading 'toLowerCase')",
    },
  ],
  [
    'a default, and the short form of a property',
    'const f = ({ a = true, b }) => ({ a, b })',
    { b: 1 },
    { none: { a: true, b: 1 }, 'true → false': { a: false, b: 1 } },
  ],
  ['what TypeScript adds', 'const f = (a) => (a === 1)', 1, { none: true }],
])('%s', (_name, text, argument, expected) => {
  expect(results(text, argument)).toMatchObject(expected)
})

test('a source that has changed since its mutants were listed fails the tests that load it', () => {
  const text = 'const f = (a) => a > 1'
  const source = { file: 'a.ts', text, key: 'a.ts#1', mutants: mutantsOf('a.ts', text) }
  expect(switchedSource(source, text)).toBe(switched('a.ts#1', text, source.mutants))
  expect(() => switchedSource(source, `${text}\n`)).toThrow('a.ts has changed')
})
