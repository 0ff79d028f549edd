import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
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

const notEditable = expect.objectContaining({ code: 'conflict', reason: 'config-not-editable' }) as object

test.each([
  ['x: &r {guard: [a]}\nauth:\n  roles: *r\n', 'guard'],
  ['auth: {', 'guard'],
  ['auth:\n  roles:\n    guard: &g [a]\n    other: *g\n', 'guard'],
  // Without the second anchor, the alias would refer to the first.
  ['auth:\n  roles:\n    first: &g [a]\n    guard: &g [b]\n    other: *g\n', 'guard'],
])('[CONF-4] %j is left to a person', (text, name) => {
  expect(() => withRole(text, name, undefined)).toThrow(notEditable)
})

describe('[CONF-4] a role that other roles repeat with an alias', () => {
  const shared = `auth:
  roles:
    family: &f
      cameras: [yard]
      allow: [live]
    neighbor: *f
    guard: [door]
`
  const role = { ...newRoleKeys, cameras: ['yard', 'bedroom'], allow: ['live'] } as const

  test.each([
    ['a map', shared, 'family'],
    ['a list', 'auth:\n  roles:\n    family: &f [yard]\n    neighbor: *f\n', 'family'],
    ['its cameras', shared.replace(' &f', '').replace('[yard]', '&f [yard]').replace('*f', '{cameras: *f}'), 'family'],
    ['all roles', 'auth:\n  roles: &f\n    family: [yard]\nx: *f\n', 'guest'],
    ['a section', 'auth: &f\n  roles: {family: [yard]}\nproxy: *f\n', 'guest'],
    [
      'an alias in an anchor',
      shared
        .replace('guard: [door]', 'guard: &g {cameras: [door], allow: *l}\n    x: *g')
        .replace('allow: [live]', 'allow: &l [live]'),
      'guard',
    ],
  ])('is not changed, since they would change with it: %s', (_what, text, name) => {
    expect(() => withRole(text, name, role)).toThrow(notEditable)
  })

  test('can be saved without a change', () => {
    expect(withRole(shared, 'family', { ...role, cameras: ['yard'] })).toBe(shared)
  })

  test('stays when one of them is changed, which then has its own keys', () => {
    const after = withRole(shared, 'neighbor', role)
    expect(after).toContain('    family: &f\n      cameras: [yard]\n      allow: [live]\n    neighbor:\n')
    expect(parse(after)).toEqual({
      auth: {
        roles: {
          family: { cameras: ['yard'], allow: ['live'] },
          neighbor: { cameras: ['yard', 'bedroom'], allow: ['live'] },
          guard: ['door'],
        },
      },
    })
  })

  test('stays when another role is changed, added or removed', () => {
    expect(withRole(shared, 'guard', { ...newRoleKeys, cameras: ['yard'] })).toBe(shared.replace('[door]', '[yard]'))
    expect(withRole(shared, 'guest', { ...newRoleKeys, cameras: ['yard'] })).toBe(`${shared}    guest: [yard]\n`)
    expect(withRole(shared, 'neighbor', undefined)).toBe(shared.replace('    neighbor: *f\n', ''))
  })
})
