import { expect, test } from 'vitest'
import type { OidcConfig } from '../config/oidc.config.ts'
import { groupsForLog, groupsOfClaims, nameOfClaims, roleOfClaims } from './provider-role.ts'

const plain: OidcConfig = {
  issuer: 'https://id.example',
  name: null,
  client_id: 'gatehouse',
  client_secret: null,
  scopes: [],
  groups_claim: 'groups',
  role_map: new Map([
    ['admin', ['sysadmins']],
    ['guard', ['night', 'day']],
  ]),
  default_role: null,
  name_claim: 'preferred_username',
  recheck_interval: 300,
  only: false,
  emergency_user: null,
}
const roles = { names: ['admin', 'viewer', 'guard'] }

test.each<[groups: unknown, role: string | undefined]>([
  [['night'], 'guard'],
  [['night', 'sysadmins'], 'admin'],
  ['day', 'guard'],
  ['night,sysadmins', undefined],
  [['Night'], undefined],
  [['admin'], undefined],
  [[], undefined],
  [undefined, undefined],
  [null, undefined],
  [{ sysadmins: { '1': 'a.example' }, dev: { '1': 'a.example' } }, 'admin'],
  [{ sysadmins: true }, undefined],
  [{ sysadmins: {} }, undefined],
  [{ sysadmins: ['1'] }, undefined],
  [{ sysadmins: null }, undefined],
  [[['sysadmins']], undefined],
  [[1, true, null], undefined],
])('[PROXY-4] [PROXY-7] the groups %j give the role %s', (groups, role) => {
  expect(roleOfClaims({ groups }, plain, roles).role).toBe(role)
  expect(roleOfClaims({ groups }, { ...plain, default_role: 'viewer' }, roles).role).toBe(role ?? 'viewer')
})

test('[PROXY-4] without a map, groups are role names; an inherited property isn’t a claim', () => {
  const unmapped = { ...plain, role_map: new Map<string, string[]>() }
  expect(roleOfClaims({ groups: ['guard'] }, unmapped, roles).role).toBe('guard')
  expect(roleOfClaims({}, { ...unmapped, groups_claim: 'constructor' }, roles).role).toBeUndefined()
})

test.each<[claims: object, name: string, groups: readonly string[]]>([
  [{ realm_access: { roles: ['family'] } }, 'realm_access.roles', ['family']],
  [{ resource_access: { gatehouse: { roles: ['a', 'b'] } } }, 'resource_access.gatehouse.roles', ['a', 'b']],
  [{ 'a.b': ['exact'], a: { b: ['path'] } }, 'a.b', ['exact']],
  [{ 'a.b': null, a: { b: ['path'] } }, 'a.b', []],
  [{ 'https://example.com/groups': ['family'] }, 'https://example.com/groups', ['family']],
  [{ a: { b: { c: ['x'] } } }, 'a.b', []],
  [{ a: ['x'] }, 'a.0', []],
  [{ a: 'x' }, 'a.length', []],
  [{ a: {} }, 'a.constructor.name', []],
  [{ a: Object.create({ roles: ['inherited'] }) as object }, 'a.roles', []],
  [{}, '__proto__.toString', []],
  [{}, '.', []],
  [{ a: { '': ['x'] } }, 'a.', ['x']],
])('[OIDC-3] the claims %j have in %s the groups %j', (claims, name, groups) => {
  expect(groupsOfClaims(claims as Readonly<Record<string, unknown>>, name)).toEqual(groups)
})

test.each<[name: unknown, shown: string]>([
  ['ann', 'ann'],
  [' Zoë ', 'Zoë'],
  ['', 'subject-1'],
  ['a\u0000b', 'subject-1'],
  ['a\u200fb', 'subject-1'],
  ['\u200b', 'subject-1'],
  ['x'.repeat(256), 'x'.repeat(256)],
  ['x'.repeat(257), 'subject-1'],
  [7, 'subject-1'],
  [undefined, 'subject-1'],
])('the name %j is shown as %s', (preferred_username, shown) => {
  expect(nameOfClaims({ preferred_username }, 'subject-1', plain)).toBe(shown)
})

test('a user without any name that can be shown is unnamed', () => {
  expect(nameOfClaims({}, '\u0000', plain)).toBe('unnamed')
})

test('a log line names the first fifty groups', () => {
  const groups = Array.from({ length: 60 }, (_, number) => `g${number}`)
  expect(groupsForLog({ groups }, plain)).toEqual({ claim: 'groups', groups: groups.slice(0, 50) })
})
