import { expect, test } from 'vitest'
import { fakeRole } from '../access/fake-roles.ts'
import { differingRoles, hashedRoles } from './role-differences.ts'

const hashed = (roles: Record<string, string[]>) =>
  hashedRoles(new Map(Object.entries(roles).map(([name, cameras]) => [name, fakeRole(cameras)])))

test.each([
  ['none', {}, {}, []],
  ['the same, in another order', { a: ['x', 'y'], b: ['z'] }, { b: ['z', 'z'], a: ['y', 'x'] }, []],
  ['one that is only there', {}, { a: ['x'] }, [{ role: 'a', difference: 'missing-here' }]],
  ['one that is only here', { a: ['x'] }, {}, [{ role: 'a', difference: 'missing-there' }]],
  ['other cameras', { a: ['x'] }, { a: ['x', 'y'] }, [{ role: 'a', difference: 'other-cameras' }]],
  [
    'cameras that read alike when joined',
    { a: ['x,y'] },
    { a: ['x', 'y'] },
    [{ role: 'a', difference: 'other-cameras' }],
  ],
  [
    'a misspelling',
    { guard: ['x'], other: ['y'] },
    { gaurd: ['x'], other: ['y'] },
    [
      { role: 'gaurd', difference: 'missing-here' },
      { role: 'guard', difference: 'missing-there' },
    ],
  ],
])('[ROLE-7] roles of two instances: %s', (_which, here, there, expected) => {
  expect(differingRoles(hashed(here as Record<string, string[]>), hashed(there as Record<string, string[]>))).toEqual(
    expected,
  )
})
