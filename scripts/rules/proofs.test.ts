import { expect, test } from 'vitest'
import { missingProofs } from './proofs.ts'

const files: Readonly<Record<string, string>> = {
  'server/test/a.test.ts': "test('[TOK-1] one', run)\ntest.skip('two', run)\ntest.each(rows)(`three ${each}`, run)",
  'server/src/b.ts': '',
}

test.each([
  ['`server/test/a.test.ts` “[TOK-1] one”', []],
  ['`server/test/a.test.ts` “three ${each}”; `server/src/b.ts`', []],
  ['`server/test/a.test.ts` “[TOK-1] one”, “[TOK-1]”', ['server/test/a.test.ts “[TOK-1]”']],
  ['`server/test/a.test.ts` “two”', ['server/test/a.test.ts “two”']],
  ['`server/src/b.ts` “[TOK-1] one”', ['server/src/b.ts “[TOK-1] one”']],
  ['`server/src/gone.ts`', ['server/src/gone.ts']],
  ['`attacks/gone.test.ts`', ['attacks/gone.test.ts']],
  ['“a title without a file”', [' “a title without a file”']],
  ['`auth.cookie_name`, `no-store`', []],
])('of %s, %j is missing', (page, missing) => {
  expect(missingProofs(page, (file) => files[file])).toEqual(missing)
})
