import { describe, expect, test } from 'vitest'
import { AuthorizationResponseError, ResponseBodyError } from 'openid-client'
import { DiscoveryError } from './provider-failure.ts'
import { watchProvider, type ProviderStatus } from './provider-status.ts'
import type { Provider } from './provider.ts'

const away = new DiscoveryError('no answer')
const tokenError = (status: number, error: string) =>
  new ResponseBodyError('refused', { cause: { error }, response: new Response(null, { status }) })
const redirected = (error: string) => new AuthorizationResponseError('', { cause: new URLSearchParams({ error }) })

type Method = 'authorizationUrl' | 'signIn' | 'askAgain' | 'signOutUrl' | 'readLogoutToken' | 'discover'
type Step = readonly [Method, Error?]

/** A provider whose next response is an error, or none. */
function scripted() {
  let next: Error | undefined
  let issuer: string | null = 'https://id.example'
  let now = 1000
  const method = () => (next ? Promise.reject(next) : Promise.resolve({} as never))
  const provider: Provider = {
    authorizationUrl: method,
    signIn: method,
    askAgain: method,
    signOutUrl: method,
    readLogoutToken: method,
    discover: method,
  }
  const watched = watchProvider(provider, { issuer: () => issuer, clock: { now: () => now } })
  return {
    status: watched.status,
    changeIssuer: () => (issuer = 'https://other.example'),
    async take([method, error]: Step) {
      next = error
      now += 1000
      const called = (watched[method] as () => Promise<unknown>)()
      if (error) await expect(called).rejects.toBe(error)
      else await called
    },
  }
}

describe('[OIDC-5] the state of the provider', () => {
  test.each<[string, readonly Step[], ProviderStatus]>([
    ['before the first request', [], { state: 'unknown' }],
    ['after discovery', [['discover']], { state: 'ok' }],
    ['without discovery', [['discover', away]], { state: 'failing', since: 2000, setting: 'auth.oidc.issuer' }],
    [
      'failing longer',
      [
        ['discover', away],
        ['discover', away],
      ],
      { state: 'failing', since: 2000, setting: 'auth.oidc.issuer' },
    ],
    ['discovered again', [['discover', away], ['discover']], { state: 'ok' }],
    ['after a refused user', [['discover'], ['signIn', tokenError(400, 'invalid_grant')]], { state: 'ok' }],
    ['after a user who gave up', [['discover'], ['signIn', redirected('access_denied')]], { state: 'ok' }],
    [
      'with an unknown scope',
      [['discover'], ['signIn', redirected('invalid_scope')]],
      { state: 'failing', since: 3000, setting: 'auth.oidc.scopes' },
    ],
    ['with a failing token endpoint', [['signIn', tokenError(503, 'x')]], { state: 'failing', since: 2000 }],
    [
      'known, with a failing token endpoint',
      [['signIn', tokenError(503, 'x')], ['discover']],
      { state: 'failing', since: 2000 },
    ],
    ...(['authorizationUrl', 'signOutUrl', 'readLogoutToken'] as const).map(
      (method): [string, Step[], ProviderStatus] => [
        `known by ${method}, with a failing token endpoint`,
        [['signIn', tokenError(503, 'x')], [method]],
        { state: 'failing', since: 2000 },
      ],
    ),
    ['signed in again', [['signIn', tokenError(503, 'x')], ['signIn']], { state: 'ok' }],
    ['answering again', [['signIn', tokenError(503, 'x')], ['askAgain']], { state: 'ok' }],
    [
      'with a wrong secret',
      [['signIn', tokenError(401, 'invalid_client')]],
      { state: 'failing', since: 2000, setting: 'auth.oidc.client_id, auth.oidc.client_secret' },
    ],
  ])('%s', async (_name, steps, status) => {
    const at = scripted()
    for (const step of steps) await at.take(step)
    expect(at.status()).toEqual(status)
  })

  test('of another provider is unknown', async () => {
    const at = scripted()
    await at.take(['discover', away])
    at.changeIssuer()
    expect(at.status()).toEqual({ state: 'unknown' })
  })
})
