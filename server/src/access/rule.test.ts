import { expect, test } from 'vitest'
import { partsOf, type AccessRule } from './rule.ts'

test.each<[AccessRule, readonly string[]]>([
  [{ cameras: 'any', parts: ['live'] }, ['live']],
  [{ camera: 'any', of: 'path', parts: ['live', 'audio'] }, ['live', 'audio']],
  [{ cameras: 'any' }, []],
  [{ signedIn: true }, []],
])('[GRANT-2] the parts of %o need %j', (rule, parts) => {
  expect(partsOf(rule)).toEqual(parts)
})
