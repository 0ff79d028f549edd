import { expect, test } from 'vitest'
import { newRoleKeys } from './roles.config.ts'
import { withRole } from './edit-roles.ts'

test.each([
  // before, cameras, after
  ['', ['yard'], 'auth:\n  roles:\n    guard: [yard]\n'],
  ['# mine', ['yard'], '# mine\nauth:\n  roles:\n    guard: [yard]\n'],
  ['{}', ['yard'], 'auth:\n  roles:\n    guard: [yard]\n'],
  ['auth:\n', ['yard'], 'auth:\n  roles:\n    guard: [yard]\n'],
  ['auth: null\n', ['yard'], 'auth:\n  roles:\n    guard: [yard]\n'],
  ['auth:\n  roles:\n', ['yard'], 'auth:\n  roles:\n    guard: [yard]\n'],
  ['auth: {roles: {}}\n', ['yard'], 'auth: {roles: {guard: [yard]}}\n'],
  ['tls: {enabled: false} # why\n', ['yard'], 'tls: {enabled: false} # why\nauth:\n  roles:\n    guard: [yard]\n'],
  ['auth:\n  roles:\n    guard: [a] # at night\n', ['b', 'c'], 'auth:\n  roles:\n    guard: [b, c] # at night\n'],
  [
    'auth:\n  # who\n  roles:\n    # old\n    guard:\n      - a\n    b: [x]\n',
    ['z'],
    'auth:\n  # who\n  roles:\n    # old\n    guard: [z]\n    b: [x]\n',
  ],
  ['auth:\n  roles:\n    guard: [a]\n    b: [x]\n', undefined, 'auth:\n  roles:\n    b: [x]\n'],
  ['auth:\n  roles:\n    guard: [a]\n', undefined, 'auth:\n  roles: {}\n'],
  ['auth:\n  roles: &r\n    guard: [a]\n', ['b'], 'auth:\n  roles: &r\n    guard: [b]\n'],
])('[CONF-4] %j, guard %j', (before, cameras, after) => {
  expect(withRole(before, 'guard', cameras && { ...newRoleKeys, cameras })).toBe(after)
})

test('a role named 1 is found, and not added twice', () => {
  expect(withRole('auth:\n  roles:\n    1: [a]\n', '1', { ...newRoleKeys, cameras: ['b'] })).toBe(
    'auth:\n  roles:\n    1: [b]\n',
  )
})

test.each([
  ['auth: &a\n  roles: {x: [y]}\nproxy: *a\n', undefined],
  ['x: &r {guard: [a]}\nauth:\n  roles: *r\n', 'guard'],
  ['auth: {', 'guard'],
  ['auth:\n  roles:\n    guard: &g [a]\n    other: *g\n', 'guard'],
])('%j is left to a person, or kept whole', (text, name) => {
  if (name === undefined) expect(withRole(text, 'x', { ...newRoleKeys, cameras: ['z'] })).toContain('*a')
  else expect(() => withRole(text, name, undefined)).toThrow('Edit the file instead')
})
