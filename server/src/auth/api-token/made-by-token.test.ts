import { expect, test } from 'vitest'
import { internalAdmin, unauthenticated, type Identity } from '../../access/identity.ts'
import type { Authentication } from '../../http/authentication.ts'
import { cappedByToken, tokenIdOf } from './made-by-token.ts'

const by = (kind: 'token' | 'link' | 'screen'): Identity => ({
  ...internalAdmin,
  credential: { kind, id: 'credential', name: 'x', limits: {} },
})

test.each<[string, Identity, number | undefined, string | null, number]>([
  ['a user who signed in', internalAdmin, 5, null, 7],
  ['no one', unauthenticated, 5, null, 7],
  ['a link', by('link'), 5, null, 7],
  ['a screen', by('screen'), 5, null, 7],
  ['a token', by('token'), 5, 'credential', 5],
  ['a token that ends later', by('token'), 8, 'credential', 7],
  ['a token without an end', by('token'), undefined, 'credential', 7],
])('[LINK-3] what %s creates ends no later than the token', (_who, identity, until, id, end) => {
  const authentication: Authentication = { identity, until, reauthenticate: () => authentication }
  expect(tokenIdOf({ identity })).toBe(id)
  expect(cappedByToken(7, { identity, authentication })).toBe(end)
})
