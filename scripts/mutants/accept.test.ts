import { describe, expect, test } from 'vitest'
import { accepted } from './accepted.ts'
import { createAcceptance, described } from './accept.ts'
import { mutantsOf } from './mutations.ts'
import { readSources } from './sources.ts'

describe('accepted mutants', () => {
  const text = 'if (a) throw e\n'
  const mutants = mutantsOf('a.ts', text).map((mutant) => described(mutant, text))
  const entry = { file: 'a.ts', line: 'if (a) throw e', change: 'a → true', reason: 'never' }

  test('are found by their line and change', () => {
    expect(mutants.map(createAcceptance([entry]).reasonFor)).toEqual(['never', undefined])
  })
  test('an entry that isn’t a mutant of its file is reported', () => {
    const stale = { ...entry, change: 'b → true' }
    const acceptance = createAcceptance([entry, stale, { ...stale, file: 'other.ts' }])
    expect(acceptance.stale(mutants, (file) => file === 'a.ts')).toEqual([stale])
  })
  test('the list names only mutants that its files have today', () => {
    const today = readSources().flatMap(({ mutants, text }) => mutants.map((mutant) => described(mutant, text)))
    expect(createAcceptance(accepted).stale(today, () => true)).toEqual([])
  })
  test('every reason is a sentence', () => {
    expect(accepted.filter(({ reason }) => !/^[A-Z].*\.$/.test(reason))).toEqual([])
  })
})
