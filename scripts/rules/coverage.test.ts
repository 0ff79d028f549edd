import { expect, test } from 'vitest'
import { coverage, rulesIn, rulesNamedIn } from './coverage.ts'

const book = rulesIn(`
## TOK
- **TOK-1** one
- **TOK-2** two
- **TOK-3** three

## Not yet
- TOK-3: waits for recordings.
`)

test.each([
  [`test('[TOK-1] a', run)`, ['TOK-1']],
  [`test.each(rows)("[TOK-1, TOK-2] a", run)`, ['TOK-1', 'TOK-2']],
  [`test('[TOK-1] [TOK-2, TOK-3] a', run)`, ['TOK-1', 'TOK-2', 'TOK-3']],
  ['describe(`[TOK-1] ${engine}`, run)', ['TOK-1']],
  [`test.skip('[TOK-1] a', run)`, []],
  [`test.todo(\n  '[TOK-1] a')`, []],
  [`  // test('[TOK-1] a', run)`, []],
  [`test('TOK-1 without brackets', run)`, []],
  [`const row = rows['TOK-1']`, []],
])('%s names %j', (source, ids) => {
  expect([...rulesNamedIn(source)]).toEqual(ids)
})

test('a rule is covered, excused, or reported', () => {
  const { rules, uncovered, excused, misnamed, onlyInside } = coverage(
    book,
    new Map([['server/src/a.test.ts', new Set(['TOK-1', 'TOK-9'])]]),
  )
  expect(rules).toBe(3)
  expect(uncovered.map(({ id }) => id)).toEqual(['TOK-2'])
  expect(excused).toEqual([{ id: 'TOK-3', reason: 'waits for recordings.' }])
  expect(misnamed).toEqual([{ id: 'TOK-9', file: 'server/src/a.test.ts' }])
  expect(onlyInside.map(({ id }) => id)).toEqual(['TOK-1'])
})

test.each([
  ['server/test/a.test.ts', []],
  ['attacks/a.test.ts', []],
  ['e2e/a.test.ts', []],
  ['server/src/a.test.ts', ['TOK-1']],
  ['web/src/a.test.ts', ['TOK-1']],
  ['scripts/a.test.ts', ['TOK-1']],
])('rules named only in %s are reported as %j', (file, reported) => {
  expect(coverage(book, new Map([[file, new Set(['TOK-1'])]])).onlyInside.map(({ id }) => id)).toEqual(reported)
})
