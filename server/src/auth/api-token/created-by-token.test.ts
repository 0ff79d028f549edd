import { expect, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { requestMeta } from '../../../test/support/request-meta.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { testApiToken } from '../../../test/support/test-api-token.ts'
import { testUser } from '../../../test/support/test-user.ts'
import { internalAdmin, unauthenticated, type Identity } from '../../access/identity.ts'
import type { Caller } from '../../http/caller.ts'
import { systemRandom } from '../../shared/random.ts'
import type { User } from '../../users/user.ts'
import { hashOfSecret, newSecret } from '../link-secret.ts'
import { apiTokenText } from './api-token-text.ts'
import { createApiTokens } from './api-tokens.ts'
import { cappedByToken, tokenIdOf } from './created-by-token.ts'

const now = 1_800_000_000_000
const hour = 3_600_000
const week = 7 * 24 * hour

/** A request with an API token, as it is authenticated. */
async function byToken(owner: User, expiresAt: number | null): Promise<Pick<Caller, 'identity' | 'authentication'>> {
  const secret = newSecret(systemRandom)
  const token = testApiToken({ secretHash: hashOfSecret(secret), expiresAt })
  const authentication = await createApiTokens({
    store: { tokensById: async () => [token] },
    users: { byKey: () => owner },
    cameras: { nameOf: (key) => key, version: 1 },
    uses: { note() {} },
    addressOf: ({ peer }) => peer,
    isFresh: () => true,
    isAccepted: () => true,
    clock: createTestClock({ now }),
    log: silent,
  }).authenticate(requestMeta({ authorization: `Bearer ${apiTokenText({ id: token.id, secret })}` }))
  if (authentication?.identity.kind !== 'authenticated') throw new Error('the token was refused')
  return { identity: authentication.identity, authentication }
}

const ann = testUser('ann')
const provider = { issuer: 'https://id.example', subject: 'ann', recheckAt: now + 300_000 }
const tokenId = testApiToken().id

test.each<[who: string, owner: Partial<User>, tokenEnds: number | null, end: number]>([
  ['without an end', {}, null, now + week],
  ['that ends in an hour', {}, now + hour, now + hour],
  ['that ends later', {}, now + week + 1, now + week],
  ["without an end, of a provider's user", { provider }, null, now + week],
  ["that ends in an hour, of a provider's user", { provider }, now + hour, now + hour],
  ["that ends in a day, of a provider's user", { provider }, now + 24 * hour, now + 24 * hour],
  ['without an end, of a user who expires', { expiresAt: now + hour }, null, now + week],
])(
  '[LINK-3] [LINK-4] what a token %s creates ends with the token at the latest',
  async (_token, owner, tokenEnds, end) => {
    const by = await byToken({ ...ann, ...owner }, tokenEnds)
    expect([tokenIdOf(by), cappedByToken(now + week, by)]).toEqual([tokenId, end])
  },
)

const by = (kind: 'link' | 'screen'): Identity => ({
  ...internalAdmin,
  credential: { kind, id: 'credential', name: 'x', limits: {} },
})

test.each<[who: string, identity: Identity]>([
  ['a user who signed in', internalAdmin],
  ['no one', unauthenticated],
  ['a link', by('link')],
  ['a screen', by('screen')],
])('[LINK-3] what %s creates rests on no token', (_who, identity) => {
  const authentication = { identity, until: now + 1, reauthenticate: () => authentication }
  const caller = { identity, authentication }
  expect([tokenIdOf(caller), cappedByToken(now + week, caller)]).toEqual([null, now + week])
})
