import { expect, test } from 'vitest'
import { nameKey, userNameProblem } from './user-name.ts'

test.each(['a', 'Bob', 'bob@example.org', 'a+b', '7', 'constructor', '__proto__x', 'x'.repeat(64)])(
  '[USER-1] %s is a name',
  (name) => {
    expect(userNameProblem(name)).toBeUndefined()
  },
)

test.each([
  '',
  ' bob',
  'bob ',
  'a b',
  'bob\n',
  'bøb',
  '\u212Aim',
  '...',
  '@',
  'Anonymous',
  'anonymous',
  'a/b',
  'x'.repeat(65),
])('[USER-1] %j isn’t a username', (name) => {
  expect(userNameProblem(name)?.code).toBeTypeOf('string')
})

test('[USER-1] names are compared without regard to case, and only ASCII has one', () => {
  expect(nameKey('Kim')).toBe('kim')
  expect(nameKey('\u212Aim')).toBeUndefined()
})
