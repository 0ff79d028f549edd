import { expect, test } from 'vitest'
import { applied, mutantsOf } from './mutations.ts'

/** The mutants of a statement in a function, as what the statement becomes. */
function variants(statement: string): string[] {
  const before = 'async function f() { '
  const text = `${before}${statement} }`
  return mutantsOf('a.ts', text).map((mutant) => applied(text, mutant).slice(before.length, -2).trim())
}

// oxfmt-ignore
test.each<[string, string[]]>([
  ['if (a) b()',                     ['if (true) b()', 'if (false) b()']],
  ['if (!a) throw e',                ['if (!false) throw e', 'if (!true) throw e']],
  ['if (a) { log.warn(1); throw e }', ['if (true) { log.warn(1); throw e }', 'if (false) { log.warn(1); throw e }', 'if (a) { log.warn(1); ; }']],
  ['return a && b',                  ['return false', 'return true && b', 'return a && true']],
  ['return a || !b',                 ['return true', 'return false || !b', 'return a || !true']],
  ['return (a || b.c) && d() === 1', ['return true && d() === 1', 'return false', 'return (false || b.c) && d() === 1', 'return (a || false) && d() === 1', 'return (a || b.c) && true']],
  ['return a ?? b',                  ['return a', 'return b']],
  ["return a || 'b'",                ['return a', "return 'b'"]],
  ['return a === b',                 ['return true', 'return false']],
  ['return a < b',                   ['return true', 'return false', 'return a <= b']],
  ['return isOwner(a)',              ['return true', 'return false']],
  ['return a.some(f)',               ['return true', 'return false', 'return a.every(f)']],
  ['return Math.min(a, 1)',          ['return Math.max(a, 1)']],
  ['return a.toLowerCase()',         ['return a']],
  ['return db.where(a).limit(1)',    ['return db.limit(1)', 'return db.where(a)']],
  ['return { a: true }',             ['return { a: false }']],
  ['return [a, b, 1]',               ['return [b, 1]', 'return [a, 1]', 'return [a, b]']],
  ['return { examples: [{ a: [1] }] }', []],
  ['requireX(a); return 1',          ['; return 1']],
  ['await requireX(a)',              [';']],
  ['return; b()',                    ['; b()', 'return; ;']],
  ['return /^a$/i',                  ['return /a$/i', 'return /^a/i', 'return /^a$/']],
  ["switch (a) { case 'b': return 1 }", ['switch (a) {  }']],
  ["log.info({ a: 1 }, 'text')",     []],
  ['clock.every(5, f)',              [';']],
  ['for (let i = 0; i < 1; i += 1) f(i)', ['for (let i = 0; i <= 1; i += 1) f(i)', 'for (let i = 0; i < 1; i += 1) ;']],
  ['const a: true | 1 = b as true',  []],
])('%s', (statement, expected) => {
  expect(variants(statement).sort()).toEqual(expected.sort())
})

test('every mutant names its place and what it replaces', () => {
  const [first] = mutantsOf('a.ts', 'const a = 1\nif (b(\n  2)) c()')
  expect(first).toMatchObject({ file: 'a.ts', line: 2, column: 5, original: 'b( 2)', text: 'true' })
})
