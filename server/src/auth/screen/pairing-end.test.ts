import { expect, test } from 'vitest'
import { emptyGrant, type Grant } from '../../access/grant.ts'
import { internalAdmin, unauthenticated, type Identity } from '../../access/identity.ts'
import type { Authenticated } from '../../http/authentication.ts'
import { createPairingEnd } from './pairing-end.ts'

const now = 1_700_000_000_000
const by = { tokenId: 'token' }
const pairs: Grant = { ...emptyGrant, actions: new Set(['screens.manage']) }

function world(identity: Identity | undefined, grant: Grant = pairs, until?: number) {
  const authentication = { identity: identity ?? unauthenticated, until, reauthenticate: () => authentication }
  const calls: unknown[] = []
  const pairingEnd = createPairingEnd({
    apiTokens: {
      current: (id): Authenticated => {
        calls.push(id)
        return authentication
      },
      identityOf: async (id, at) => {
        calls.push([id, at])
        return identity
      },
    },
    roles: () => ({
      grantOf: (_role, at) => {
        calls.push(at)
        return grant
      },
    }),
  })
  return { ...pairingEnd, calls }
}

test('[KEY-6] a screen that no token paired never ends', async () => {
  const { of, hasEndedAt, calls } = world(unauthenticated, emptyGrant)
  expect([of({ tokenId: null }), await hasEndedAt({ tokenId: null }, now), calls]).toEqual([undefined, false, []])
})

test.each<[token: string, identity: Identity | undefined, grant: Grant, hasEnded: boolean]>([
  ['can pair screens', internalAdmin, pairs, false],
  ['has ended', unauthenticated, pairs, true],
  ['does not exist', undefined, pairs, true],
  ['can do other things only', internalAdmin, { ...emptyGrant, actions: new Set(['live']) }, true],
])('[KEY-4] whether a screen has ended, if the token that paired it %s', async (_token, identity, grant, hasEnded) => {
  const { of, hasEndedAt, calls } = world(identity, grant, now + 5)
  expect(of(by)).toBe(hasEnded ? 'ended' : now + 5)
  expect(await hasEndedAt(by, now + 1)).toBe(hasEnded)
  // The role's grant of that time.
  if (identity?.kind === 'authenticated') expect(calls).toEqual(['token', undefined, ['token', now + 1], now + 1])
})
