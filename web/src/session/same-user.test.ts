import { expect, test } from 'vitest'
import type { Profile } from '../../../server/src/api-types.ts'
import { isSameUser } from './same-user.ts'

const user = (auth: Profile['auth'], key: string | null, username: string) => ({ auth, key, username })

test.each([
  ['a user', user('password', 'ann', 'Ann'), user('password', 'ann', 'Ann'), true],
  ['two users', user('password', 'ann', 'Ann'), user('password', 'bob', 'bob'), false],
  ['two users of a provider with the same name', user('oidc', 'oidc:1', 'Ann'), user('oidc', 'oidc:2', 'Ann'), false],
  ["a provider's user with a new name", user('oidc', 'oidc:1', 'Ann'), user('oidc', 'oidc:1', 'Ann Q'), true],
  ["a local user and a proxy's with the same name", user('password', 'ann', 'ann'), user('proxy', null, 'ann'), false],
  ['two users of a proxy', user('proxy', null, 'ann'), user('proxy', null, 'bob'), false],
  ["a proxy's user", user('proxy', null, 'ann'), user('proxy', null, 'ann'), true],
])('[OIDC-2] %s', (_what, one, other, same) => {
  expect(isSameUser(one, other)).toBe(same)
})
