import { expect, test } from 'vitest'
import { createAcceptance } from './accept.ts'
import { keyOf, type ListedMutant } from './mutant-run.ts'
import { summarize } from './summary.ts'

const mutant = (file: string): ListedMutant => {
  const source = { file: `server/src/gate/${file}`, hash: '1' }
  return { source, index: 0, place: `${file}:1:1`, file: source.file, line: 'a', change: 'a → true' }
}
const mutants = [mutant('a.ts'), mutant('b.ts')]
const survived = { result: 'survived', tests: 0, leftOut: 0 } as const
const options = {
  mutants,
  outcomes: Object.fromEntries(mutants.map((each) => [keyOf(each), survived])),
  acceptance: createAcceptance([]),
  isChosen: () => true,
  failing: [{ project: 'unit', file: 'a.test.ts', test: 'its title' }],
  imports: (_test: string, source: string) => source.endsWith('a.ts'),
}

test('what survives is undecided if a test that imports its source fails without any change', () => {
  const { lines } = summarize(options)
  expect(lines).toEqual([
    'UNDECIDED: a.ts:1:1  a → true',
    'SURVIVED: b.ts:1:1  a → true  (no test reaches it)',
    expect.stringMatching(/^server\/src\/gate: 2 mutants, .* 1 survived, 1 undecided, 0 not tried$/),
    'FAILS WITHOUT ANY CHANGE: a.test.ts: its title',
  ])
})

test('a test file that fails without any change is left to do', () => {
  expect(summarize({ ...options, mutants: [] }).isWhole).toBe(false)
  expect(summarize({ ...options, mutants: [], failing: [] }).isWhole).toBe(true)
})
