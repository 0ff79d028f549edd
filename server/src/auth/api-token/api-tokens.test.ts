import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { requestMeta } from '../../../test/support/request-meta.ts'
import { testApiToken } from '../../../test/support/test-api-token.ts'
import type { Authenticated } from '../../http/authentication.ts'
import { systemClock } from '../../shared/time/clock.ts'
import { systemRandom } from '../../shared/random.ts'
import { newUser } from '../../users/new-user.ts'
import type { User } from '../../users/user.ts'
import { hashOfSecret, newSecret } from '../link-secret.ts'
import type { ApiTokenUse } from './api-token-store.ts'
import { apiTokenText } from './api-token-text.ts'
import { createApiTokenUses } from './api-token-uses.ts'
import { createApiTokens } from './api-tokens.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

function world() {
  let now = 1_800_000_000_000
  const every = () => {
    at.timers += 1
    return () => void (at.timers -= 1)
  }
  const clock = { ...systemClock, now: () => now, every }
  const runtime = { clock, random: systemRandom, log: silent }
  const ann = newUser({ name: 'ann', role: 'viewer', hash: '', origin: 'own' }, runtime)
  const secret = newSecret(systemRandom)
  const token = testApiToken({
    userId: ann.id,
    secretHash: hashOfSecret(secret),
    createdAt: now,
    credentialVersion: ann.credentialVersion,
  })
  const rows = new Map([[token.id, token]])
  const at = {
    isFresh: true,
    reads: 0,
    written: [] as (readonly ApiTokenUse[])[],
    duringWrite: async () => {},
    isAccepted: true,
    timers: 0,
    user: ann as User | undefined,
    cameras: { nameOf: (key: string) => key, version: 1 },
    duringRead: async () => {},
  }
  const store = {
    async tokensById(ids: readonly string[]) {
      at.reads += 1
      await at.duringRead()
      return ids.flatMap((id) => rows.get(id) ?? [])
    },
    async noteUses(uses: readonly ApiTokenUse[]) {
      at.written.push(uses)
      await at.duringWrite()
    },
  }
  const uses = createApiTokenUses({ store, ...runtime })
  const tokens = createApiTokens({
    store,
    users: { byKey: (key) => (key === ann.key ? at.user : undefined) },
    cameras: {
      nameOf: (key) => at.cameras.nameOf(key),
      get version() {
        return at.cameras.version
      },
    },
    uses,
    addressOf: ({ peer }) => peer,
    isFresh: () => at.isFresh,
    isAccepted: () => at.isAccepted,
    ...runtime,
  })
  return { ...tokens, uses, rows, at, ann, token, secret, pass: (ms: number) => void (now += ms), now: () => now }
}

const withHeader = (authorization: string, peer?: string) => requestMeta({ authorization }, peer)
const bearer = (id: string, secret: string, peer?: string) => withHeader(`Bearer ${apiTokenText({ id, secret })}`, peer)
const basic = (password: string) => withHeader(`Basic ${Buffer.from(`x:${password}`).toString('base64')}`)
const kind = async (found: Authenticated | undefined) => (await found)?.identity.kind

test('[KEY-2] a right token is looked up once, and is then accepted without a promise', async () => {
  const { authenticate, token, secret, at } = world()
  const meta = bearer(token.id, secret)
  expect(await kind(authenticate(meta))).toBe('authenticated')
  expect(authenticate(meta)).toMatchObject({ identity: { kind: 'authenticated', name: 'ann' } })
  expect(at.reads).toBe(1)
})

test('[KEY-1] the secret is compared also if the token has to be looked up', async () => {
  const { authenticate, token, secret } = world()
  const wrong = bearer(token.id, newSecret(systemRandom))
  expect(await authenticate(wrong)).toMatchObject({ refusedToken: { reason: 'bad-token' } })
  expect(await kind(authenticate(bearer(token.id, secret)))).toBe('authenticated')
  expect(await authenticate(wrong)).toMatchObject({ refusedToken: { reason: 'bad-token' } })
})

test('[KEY-2] a token has the identity of its owner, within its limits', async () => {
  const { authenticate, identityOf, token, secret, rows, at, ann, now } = world()
  const known = {
    kind: 'authenticated',
    authMethod: 'password',
    name: 'ann',
    key: 'ann',
    userId: ann.id,
    role: 'viewer',
  }
  const limited = (limits: object) => ({
    ...known,
    session: undefined,
    credential: { kind: 'token', id: token.id, name: 'x', limits, expiresAt: null },
  })
  const { identity } = (await authenticate(bearer(token.id, secret)))!
  expect(identity).toEqual(limited({ cameras: undefined, actions: undefined }))
  expect(await identityOf(token.id, now())).toBe(identity)
  rows.set(token.id, { ...token, cameras: [cameraKey('yard'), cameraKey('roof~1')], actions: ['live'] })
  at.isFresh = false
  const next = { cameras: new Set(['yard']), actions: new Set(['live']) }
  expect((await authenticate(bearer(token.id, secret)))?.identity).toEqual(limited(next))
})

test('[KEY-4] what was made with a token has what the token allows now, as long as it exists', async () => {
  const { current, invalidate, token, rows, at, now } = world()
  rows.set(token.id, { ...token, expiresAt: now() + 5 })
  const allowed = { identity: { kind: 'authenticated', name: 'ann' }, until: now() + 5, ambient: false }
  expect(await current(token.id)).toMatchObject(allowed)
  // Without a promise.
  expect(current(token.id)).toMatchObject({ identity: { name: 'ann' } })
  at.isAccepted = false
  expect(current(token.id)).toMatchObject({ identity: { kind: 'unauthenticated' } })
  at.isAccepted = true
  rows.clear()
  invalidate({ kind: 'credential', id: token.id })
  expect(await current(token.id)).toMatchObject({ identity: { kind: 'unauthenticated' } })
})

test('[CAM-4] the cameras of a token are those that have its keys, by their names of now', async () => {
  const { authenticate, token, secret, rows, at } = world()
  rows.set(token.id, { ...token, cameras: [cameraKey('yard')] })
  const limits = async () => {
    const { identity } = (await authenticate(bearer(token.id, secret)))!
    return identity.kind === 'authenticated' ? identity.credential?.limits : undefined
  }
  const first = await limits()
  expect(first).toMatchObject({ cameras: new Set(['yard']) })
  at.cameras = { nameOf: () => 'door', version: 1 }
  expect(await limits()).toBe(first)
  at.cameras.version = 2
  const renamed = await limits()
  expect(renamed).toMatchObject({ cameras: new Set(['door']) })
  expect(await limits()).toBe(renamed)
})

test('[KEY-2] a change of its owner reaches a token at once', async () => {
  const { authenticate, token, secret, at, ann } = world()
  const identity = async () => (await authenticate(bearer(token.id, secret)))?.identity
  const first = await identity()
  expect(await identity()).toBe(first)
  at.user = { ...ann, role: 'guard' }
  expect(await identity()).toMatchObject({ role: 'guard' })
})

test.each([
  [{ kind: 'all' }, 2],
  [{ kind: 'credential', id: 'another' }, 1],
  [{ kind: 'config' }, 1],
] as const)('[KEY-5] after %j the token has been read %i times', async (invalidation, reads) => {
  const { authenticate, invalidate, token, secret, at } = world()
  await authenticate(bearer(token.id, secret))
  invalidate(invalidation)
  await authenticate(bearer(token.id, secret))
  expect(at.reads).toBe(reads)
})

test('[KEY-3] only a request without a token is left to other credentials', async () => {
  const { authenticate, token, secret, at } = world()
  expect(authenticate(withHeader('Basic eDp5'))).toBeUndefined()
  expect(await kind(authenticate(bearer(token.id, secret)))).toBe('authenticated')
  for (const text of ['gh_wrong', apiTokenText({ id: 'f'.repeat(32), secret })]) {
    const wrong = withHeader(`Bearer ${text}`)
    for (const _ of [1, 2])
      expect(await authenticate(wrong)).toMatchObject({
        refusedToken: { reason: 'bad-token', user: null, ambient: false },
      })
  }
  // What has not the shape of a token is not looked up.
  expect(at.reads).toBe(2)
})

test('[TOK-13] a browser sends Basic credentials by itself', async () => {
  const { authenticate, token, secret } = world()
  for (const [meta, ambient] of [
    [bearer(token.id, secret), false],
    [basic(apiTokenText({ id: token.id, secret })), true],
  ] as const) {
    const found = (await authenticate(meta))!
    expect([found.ambient, (await found.reauthenticate()).ambient]).toEqual([ambient, ambient])
  }
})

test('[KEY-2] the identity that a token gives at a time', async () => {
  const { identityOf, rows, token, now } = world()
  rows.set(token.id, { ...token, expiresAt: now() + 5 })
  expect(await identityOf(token.id, now() + 4)).toMatchObject({ kind: 'authenticated' })
  expect(await identityOf(token.id, now() + 5)).toEqual({ kind: 'unauthenticated' })
  expect(await identityOf('another', now())).toBeUndefined()
})

test('[KEY-3] a wrong token is looked up once, and one of a cached id or in another form never', async () => {
  const { authenticate, invalidate, rows, token, secret, at } = world()
  const unknown = bearer('0'.repeat(32), newSecret(systemRandom))
  for (const _ of [1, 2]) expect(await authenticate(unknown)).toMatchObject({ refusedToken: { reason: 'bad-token' } })
  expect(at.reads).toBe(1)
  expect(await kind(authenticate(bearer(token.id, secret)))).toBe('authenticated')
  for (const wrong of [bearer(token.id, newSecret(systemRandom)), bearer('x', secret)]) {
    expect(authenticate(wrong)).toMatchObject({ refusedToken: { reason: 'bad-token' } })
  }
  expect(at.reads).toBe(2)

  // A restored database has it again.
  rows.delete(token.id)
  invalidate({ kind: 'credential', id: token.id })
  expect(await kind(authenticate(bearer(token.id, secret)))).toBe('unauthenticated')
  rows.set(token.id, token)
  expect(await kind(authenticate(bearer(token.id, secret)))).toBe('unauthenticated')
  invalidate({ kind: 'all' })
  expect(await kind(authenticate(bearer(token.id, secret)))).toBe('authenticated')
})

test('[KEY-3] while five hundred unknown tokens are looked up, others wait for a moment, and those in use go on', async () => {
  const { authenticate, rows, token, secret, at } = world()
  await authenticate(bearer(token.id, secret))
  const other = { ...token, id: 'f'.repeat(32) }
  rows.set(other.id, other)
  const { promise, resolve } = Promise.withResolvers<void>()
  at.duringRead = () => promise
  const flood = Array.from({ length: 500 }, (_, of) =>
    authenticate(bearer(String(of).padStart(32, '0'), newSecret(systemRandom))),
  )
  await expect(authenticate(bearer(other.id, secret))).rejects.toMatchObject({ code: 'busy', retryAfter: 1 })
  expect(await kind(authenticate(bearer(token.id, secret)))).toBe('authenticated')
  resolve()
  expect(new Set(await Promise.all(flood.map(kind)))).toEqual(new Set(['unauthenticated']))
  expect(await kind(authenticate(bearer(other.id, secret)))).toBe('authenticated')
})

test('[KEY-5] while changes are not received, each request reads its token', async () => {
  const { authenticate, token, secret, at, rows } = world()
  const meta = bearer(token.id, secret)
  await authenticate(meta)
  at.isFresh = false
  expect(await kind(authenticate(meta))).toBe('authenticated')
  expect(at.reads).toBe(2)
  rows.clear()
  expect(await kind(authenticate(meta))).toBe('unauthenticated')
})

test.each<[string, (of: ReturnType<typeof world>) => void]>([
  ['was revoked', ({ rows }) => rows.clear()],
  ['has another secret', ({ rows, token }) => rows.set(token.id, { ...token, secretHash: hashOfSecret('another') })],
  ['has expired', ({ rows, token, now }) => rows.set(token.id, { ...token, expiresAt: now() })],
  ['is for another password', ({ rows, token }) => rows.set(token.id, { ...token, credentialVersion: 7 })],
])('[KEY-5] an open stream ends once its token %s', async (_what, change) => {
  const of = world()
  const stream = (await of.authenticate(bearer(of.token.id, of.secret)))!
  expect(await kind(stream.reauthenticate())).toBe('authenticated')
  change(of)
  of.invalidate({ kind: 'credential', id: of.token.id })
  expect(await stream.reauthenticate()).toMatchObject({ refusedToken: { reason: 'revoked-token' } })
})

test.each<[string, number | null, number | null, number]>([
  ['of neither', null, null, Infinity],
  ['of the token', 1_800_000_000_005, null, 1_800_000_000_005],
  ['of the owner, before that of the token', 1_800_000_000_005, 1_800_000_000_004, 1_800_000_000_004],
  ['of the token, before that of the owner', 1_800_000_000_005, 1_800_000_000_006, 1_800_000_000_005],
])('[KEY-5] a token is accepted until the end %s', async (_whose, tokenEnds, ownerEnds, until) => {
  const { authenticate, rows, at, ann, token, secret } = world()
  rows.set(token.id, { ...token, expiresAt: tokenEnds })
  at.user = { ...ann, expiresAt: ownerEnds }
  expect(await authenticate(bearer(token.id, secret))).toMatchObject({ identity: { kind: 'authenticated' }, until })
})

test.each<[string, (of: ReturnType<typeof world>) => void, object | null]>([
  ['whose owner was deleted', ({ at }) => (at.user = undefined), null],
  ['whose owner has another account with the old name', ({ at, ann }) => (at.user = { ...ann, id: 'later' }), null],
  [
    'of a user whom the configuration no longer accepts',
    ({ at }) => (at.isAccepted = false),
    { name: 'ann', authMethod: 'password' },
  ],
  [
    'of a user whom the provider no longer confirms',
    ({ at, ann }) => (at.user = { ...ann, provider: { issuer: 'https://id.lan', subject: 'ann', recheckAt: 0 } }),
    { name: 'ann', authMethod: 'oidc' },
  ],
])('[KEY-2] [KEY-5] [OIDC-2] a token %s is refused', async (_what, change, user) => {
  const of = world()
  change(of)
  const { token, secret } = of
  const refusedToken = { reason: 'revoked-token', user }
  expect(await of.authenticate(bearer(token.id, secret))).toMatchObject({ refusedToken })
  expect(await of.identityOf(token.id, of.now())).toEqual({ kind: 'unauthenticated' })
  expect(of.uses.unwritten(token.id)).toBeUndefined()
})

test.each([
  [0, '192.0.2.4'],
  [1, '192.0.2.3'],
])(
  '[KEY-5] of all uses of a minute the last is written, and one %i ms later from %s is kept for the next',
  async (ms, from) => {
    const { authenticate, token, secret, uses, at, pass, now } = world()
    for (const peer of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      pass(1)
      await authenticate(bearer(token.id, secret, peer))
    }
    const last = { id: token.id, at: now(), address: '192.0.2.3' }
    expect(uses.unwritten(token.id)).toEqual(last)
    at.duringWrite = async () => {
      pass(ms)
      await authenticate(bearer(token.id, secret, from))
    }
    expect(at.timers).toBe(1)
    await uses.stop()
    expect(at.timers).toBe(0)
    expect(at.written).toEqual([[last]])
    expect(uses.unwritten(token.id)).toEqual({ ...last, at: last.at + ms, address: from })
    at.duringWrite = async () => {}
    await uses.stop()
    expect(at.written).toHaveLength(2)
    expect(uses.unwritten(token.id)).toBeUndefined()
    await uses.stop()
    expect(at.written).toHaveLength(2)
  },
)

test('[KEY-1] no secret is kept in memory after its request', () => {
  const program = join(import.meta.dirname, '../../../test/support/secret-in-heap.ts')
  expect(execFileSync(process.execPath, [program], { encoding: 'utf8' })).toBe('not kept\n')
}, 30_000)
