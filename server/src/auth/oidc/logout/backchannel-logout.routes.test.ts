import { errors } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { silent } from '../../../../test/support/null-log.ts'
import type { Caller } from '../../../http/caller.ts'
import type { Input } from '../../../http/route.ts'
import type { AuditEntry } from '../../../shared/audit/audit.ts'
import { ServiceError } from '../../../shared/errors.ts'
import { backchannelLogoutRoute, type BackchannelLogoutDeps } from './backchannel-logout.routes.ts'
import { LogoutTokenError } from '../provider/logout-token.ts'

const now = 1_700_000_000_000
const address = '192.0.2.7'
const named = { issuer: 'https://id.lan', subject: 'ann' }

let settings: { enabled: boolean; oidc: { issuer: string | null } }
/** What the token is, or why it can't be read. */
let token: object | Error
let end: 'ended' | 'used' | Error
let ended: unknown[]
let entries: unknown[]
beforeEach(() => {
  settings = { enabled: true, oidc: { issuer: 'https://id.lan' } }
  token = named
  end = 'ended'
  ended = []
  entries = []
})

const route = backchannelLogoutRoute({
  provider: {
    async readLogoutToken(text: string) {
      ended.push(text)
      if (token instanceof Error) throw token
      return token
    },
  },
  sessions: {
    async endAtProvider(of: object, entry: (session: { id: string; user: string }) => AuditEntry) {
      if (end instanceof Error) throw end
      ended.push(of)
      entries.push(entry({ id: 's1', user: 'ann' }))
      return end
    },
  },
  settings: () => settings,
  audit: { record: (entry: AuditEntry) => void entries.push(entry) },
  clock: { now: () => now, elapsed: () => 0 },
  log: silent,
} as unknown as BackchannelLogoutDeps)
const send = (body = 'logout_token=t') =>
  route.handle!({ body } as unknown as Input<never>, { client: { address } } as Caller) as Promise<unknown>

const of = { auth_method: null, address, target: null }
const failure = (detail: string) => ({ action: 'logout', result: 'failure', user: null, ...of, detail })
const refused = { code: 'invalid-request', reason: 'invalid-logout-token' }

describe('[OIDC-4] a logout token', () => {
  test('ends what it names', async () => {
    expect(await send('x=1&logout_token=t')).toMatchObject({
      parts: { status: 200, headers: { 'cache-control': 'no-store' } },
    })
    expect(ended).toEqual(['t', { ...named, now }])
    const by = { auth_method: 'oidc', address, target: 's1', detail: 'provider' }
    expect(entries).toEqual([{ action: 'logout', result: 'success', user: 'ann', ...by }])
  })

  test.each(['', 'x=1', 'logout_token=t&logout_token=t'])('is refused if the body is %j', async (body) => {
    await expect(send(body)).rejects.toMatchObject(refused)
    expect([ended, entries]).toEqual([[], [failure('invalid-request')]])
  })

  test.each<[error: Error, expected: object]>([
    [new LogoutTokenError('x'), refused],
    [new errors.JWTExpired('x', {}), refused],
    [new errors.JWSSignatureVerificationFailed(), refused],
    [new errors.JWKSNoMatchingKey(), refused],
    [new errors.JWKSTimeout(), { code: 'unavailable' }],
    [new errors.JWKSInvalid(), { code: 'unavailable' }],
    [new errors.JOSEError('Expected 200 OK'), { code: 'unavailable' }],
    [new TypeError('fetch failed'), { code: 'unavailable' }],
  ])('that cannot be read, %s: %o', async (error, expected) => {
    token = error
    await expect(send()).rejects.toMatchObject(expected)
    expect([ended, entries]).toEqual([['t'], [failure((expected as { code: string }).code)]])
  })

  test('that was used before is refused', async () => {
    end = 'used'
    await expect(send()).rejects.toMatchObject(refused)
    expect(entries.slice(1)).toEqual([failure('invalid-request')])
  })

  test.each<[Error, detail: string]>([
    [new ServiceError('unavailable'), 'unavailable'],
    [new TypeError('unexpected'), 'internal'],
  ])('ends nothing after %s', async (error, detail) => {
    end = error
    await expect(send()).rejects.toBe(error)
    expect(entries).toEqual([failure(detail)])
  })

  test.each<[Partial<typeof settings>]>([[{ enabled: false }], [{ oidc: { issuer: null } }]])(
    'is not found with %j',
    async (more) => {
      Object.assign(settings, more)
      await expect(send()).rejects.toMatchObject({ code: 'not-found' })
      expect([ended, entries]).toEqual([[], []])
    },
  )
})
