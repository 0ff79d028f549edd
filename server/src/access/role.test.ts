import { expect, test } from 'vitest'
import { emptyGrant } from './grant.ts'
import { roleNameProblem, rolesFrom } from './role.ts'

const roles = rolesFrom(new Map([['guard', ['yard']], ['admin', ['yard']]])) // prettier-ignore

test('[ROLE-1, ROLE-10] a role that does not exist grants nothing', () => {
  expect([roles.grantOf('typo'), roles.grantOf(undefined)]).toEqual([emptyGrant, emptyGrant])
  expect(['admin', 'viewer', 'guard', 'typo'].map(roles.exists)).toEqual([true, true, true, false])
  expect(roles.names).toEqual(['admin', 'viewer', 'guard'])
})

test('[ROLE-1, ROLE-2, ROLE-11] the actions of each role', () => {
  const reading = ['live', 'audio', 'history', 'review', 'export', 'download']
  expect([...roles.grantOf('guard').actions]).toEqual(reading)
  expect(roles.grantOf('viewer')).toEqual({ actions: roles.grantOf('guard').actions, cameras: 'all' })
  const onService = [
    'access.try',
    'audit.read',
    'cameras.manage',
    'config.manage',
    'exports.manage',
    'log.read',
    'roles.manage',
    'sessions.manage',
    'system.read',
    'users.manage',
  ]
  expect([...roles.grantOf('admin').actions].sort()).toEqual([...reading, 'share', 'delete', ...onService].sort())
})

test('[ROLE-2] a custom role cannot replace a built-in one', () => {
  expect(roles.grantOf('admin').cameras).toBe('all')
})

test.each([
  ['guard', undefined],
  ['Night.shift_2', undefined],
  ['a'.repeat(64), undefined],
  ['a'.repeat(65), 'invalid-role-name'],
  ['night shift', 'invalid-role-name'],
  ['', 'invalid-role-name'],
  ['._', 'no-letter'],
  ['admin', 'built-in-name'],
  ['Viewer', 'built-in-name'],
  ['__proto__', 'reserved-word'],
  ['Constructor', 'reserved-word'],
  ['prototype', 'reserved-word'],
])('a role named %j: %s', (name, problem) => {
  expect(roleNameProblem(name)).toBe(problem)
})
