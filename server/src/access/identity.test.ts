import { expect, test } from 'vitest'
import {
  credentialOf,
  databaseIdOf,
  internalAdmin,
  isOwner,
  principalOf,
  nameForAdmins,
  nameForPrograms,
  ownerOf,
  ownerText,
  sessionOf,
  unauthenticated,
} from './identity.ts'

const ann = { ...internalAdmin, authMethod: 'password', key: 'ann', userId: 'id of ann', session: 's1' } as const

test('only database users have an id in the database', () => {
  expect(databaseIdOf(ann)).toBe('id of ann')
  expect(databaseIdOf({ ...ann, authMethod: 'oidc' })).toBe('id of ann')
  expect(databaseIdOf({ ...ann, authMethod: 'proxy', userId: null })).toBeUndefined()
  expect(databaseIdOf(internalAdmin)).toBeUndefined()
  expect(databaseIdOf(unauthenticated)).toBeUndefined()
})

test('the session is that of the caller', () => {
  expect([ann, internalAdmin, unauthenticated].map(sessionOf)).toEqual(['s1', undefined, undefined])
})

test('an unauthenticated caller owns nothing', () => {
  expect(principalOf(ann)).toBe(ann)
  expect(ownerOf(ann)).toEqual({ authMethod: 'password', key: 'ann', userId: 'id of ann' })
  expect(() => ownerOf(unauthenticated)).toThrow('unreachable')
})

test('[USER-5] an owner is the same user with the same sign-in, not one with the same name', () => {
  const owner = ownerOf(ann)
  expect(isOwner(ann, owner)).toBe(true)
  expect(isOwner({ ...ann, authMethod: 'proxy' }, owner)).toBe(false)
  expect(isOwner({ ...ann, key: 'bob' }, owner)).toBe(false)
  expect(isOwner({ ...ann, userId: 'id of a later ann' }, owner)).toBe(false)
})

test('[USER-5] the owner as one text differs for two users with the same name', () => {
  const owners = [ann, { ...ann, userId: 'id of a later ann' }, { ...ann, authMethod: 'proxy', userId: null }] as const
  expect(owners.map(ownerText)).toEqual(['id id of ann', 'id id of a later ann', 'proxy ann'])
})

test('the credential is that of the caller', () => {
  const credential = { kind: 'token', id: '1', name: 'player', limits: {}, expiresAt: null } as const
  expect([{ ...ann, credential }, ann, unauthenticated].map(credentialOf)).toEqual([credential, undefined, undefined])
})

test("[PROXY-14] [OIDC-2] other programs get a name that is unique: a provider's user can have any", () => {
  const boss = { ...ann, name: 'Boss', key: 'boss' }
  expect(nameForPrograms(boss)).toBe('Boss')
  expect(nameForPrograms({ ...boss, authMethod: 'oidc', key: 'oidc:1' })).toBe('oidc:1')
  expect(nameForPrograms({ ...boss, authMethod: 'proxy', key: 'Boss', displayName: 'Ann' })).toBe('Boss')
})

test('[PROXY-21] admins see both names of a user', () => {
  expect(nameForAdmins({ ...ann, name: '6f2e' })).toBe('6f2e')
  expect(nameForAdmins({ ...ann, name: '6f2e', displayName: '6f2e' })).toBe('6f2e')
  expect(nameForAdmins({ ...ann, name: '6f2e', displayName: 'Ann' })).toBe('Ann (6f2e)')
})
