import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  type WWWAuthenticateChallenge,
} from 'openid-client'
import { expect, test } from 'vitest'
import {
  DiscoveryError,
  gaveNoTokens,
  isRejectedCode,
  KeysError,
  NotConfirmedError,
  recheckFailure,
  settingAtFault,
  signInFailure,
  type ProviderFailure,
} from './provider-failure.ts'

const body = (error: string, status = 400) =>
  new ResponseBodyError('', { cause: { error }, response: new Response(null, { status }) })
type Scheme = WWWAuthenticateChallenge['scheme']
const challenge = (scheme: Scheme, status = 401) => challengeOf([scheme], status)
const challenges = (...schemes: Scheme[]) => challengeOf(schemes, 401)
const challengeOf = (schemes: readonly Scheme[], status: number) =>
  new WWWAuthenticateChallengeError('', {
    cause: schemes.map((scheme) => ({ scheme, parameters: {} })),
    response: new Response(null, { status }),
  })
const redirected = (error: string) => new AuthorizationResponseError('', { cause: new URLSearchParams({ error }) })
const answered = (status: number) => new ClientError('', { cause: new Response(null, { status }) })
const timedOut = Object.assign(new Error(''), { name: 'TimeoutError' })
const client = 'auth.oidc.client_id, auth.oidc.client_secret'

test.each<[what: string, error: Error, signIn: ProviderFailure, recheck: ProviderFailure, setting: string | undefined]>(
  [
    ['no discovery document', new DiscoveryError(''), 'unavailable', 'unavailable', 'auth.oidc.issuer'],
    [
      'a discovery document that is refused',
      new DiscoveryError('', { cause: answered(403) }),
      'unavailable',
      'unavailable',
      'auth.oidc.issuer',
    ],
    ['no keys', new KeysError(''), 'unavailable', 'unavailable', undefined],
    ['a wrong secret', body('invalid_client', 401), 'unavailable', 'unavailable', client],
    ['a wrong secret, with a challenge', challenge('basic'), 'unavailable', 'unavailable', client],
    [
      'a client that is not allowed to',
      body('unauthorized_client'),
      'unavailable',
      'unavailable',
      'auth.oidc.client_id',
    ],
    [
      'a request that the provider does not understand',
      body('invalid_request'),
      'unavailable',
      'unavailable',
      undefined,
    ],
    ['too many requests', body('slow_down', 429), 'unavailable', 'unavailable', undefined],
    ['too many requests, without a reason', answered(429), 'unavailable', 'unavailable', undefined],
    ['an unknown scope', redirected('invalid_scope'), 'denied', 'unavailable', 'auth.oidc.scopes'],
    ['a user who is refused', redirected('access_denied'), 'denied', 'unavailable', undefined],
    ['an overloaded provider', redirected('temporarily_unavailable'), 'unavailable', 'unavailable', undefined],
    ['a code or a refresh token that is not accepted', body('invalid_grant'), 'denied', 'denied', undefined],
    ['an access token that has ended', challenge('bearer'), 'denied', 'denied', undefined],
    ['an access token without the right', challenge('bearer', 403), 'denied', 'denied', undefined],
    ['a request that is wrong', challenge('bearer', 400), 'unavailable', 'unavailable', undefined],
    ['a challenge of two schemes', challenges('bearer', 'basic'), 'unavailable', 'unavailable', client],
    ['a text', 'failed' as unknown as Error, 'denied', 'unavailable', undefined],
    ['nothing', undefined as unknown as Error, 'denied', 'unavailable', undefined],
    [
      'an error of something else',
      Object.assign(new Error(''), { error: 'invalid_scope' }),
      'denied',
      'unavailable',
      undefined,
    ],
    ['another user', new NotConfirmedError(''), 'denied', 'denied', undefined],
    ['a failing server', answered(502), 'unavailable', 'unavailable', undefined],
    ['an error of the server', body('server_error', 500), 'unavailable', 'unavailable', undefined],
    ['a page that fails', redirected('server_error'), 'unavailable', 'unavailable', undefined],
    ['a challenge of a failing server', challenge('bearer', 503), 'unavailable', 'unavailable', undefined],
    ['401 without a challenge', answered(401), 'denied', 'denied', undefined],
    ['404', answered(404), 'unavailable', 'unavailable', undefined],
    ['a page instead of a response', answered(200), 'unavailable', 'unavailable', undefined],
    ['401 without a challenge, below', new Error('', { cause: answered(401) }), 'denied', 'unavailable', undefined],
    ['a failing server, below', new Error('', { cause: answered(502) }), 'unavailable', 'unavailable', undefined],
    ['no time left, below', new Error('', { cause: timedOut }), 'unavailable', 'unavailable', undefined],
    ['a server that fails without a reason', answered(500), 'unavailable', 'unavailable', undefined],
    [
      'a request that was given up',
      Object.assign(new Error(''), { name: 'AbortError' }),
      'unavailable',
      'unavailable',
      undefined,
    ],
    ['no connection', new TypeError('fetch failed'), 'unavailable', 'unavailable', undefined],
    ['a response that fails a check', new ClientError(''), 'denied', 'unavailable', undefined],
  ],
)('[OIDC-5] %s', (_, error, signIn, recheck, setting) => {
  expect([signInFailure(error), recheckFailure(error), settingAtFault(error)]).toEqual([signIn, recheck, setting])
})

test.each<[what: string, isRejected: boolean, error: unknown]>([
  ['that has been used', true, body('invalid_grant')],
  ['of a client with a wrong secret', false, body('invalid_client', 401)],
  ['of one request too many', false, body('slow_down', 429)],
  ['that the user did not get', false, redirected('access_denied')],
  ['and an error in the URL', false, redirected('invalid_grant')],
  ['with a challenge', false, challenge('bearer')],
  ['without a response', false, new TypeError('fetch failed')],
  ['with an error of something else', false, Object.assign(new Error(''), { error: 'invalid_grant' })],
  ['whose ID token fails a check', false, new ClientError('')],
  ['and nothing', false, undefined],
])('[RATE-2] a code %s is the fault of its sender: %s', (_, isRejected, error) => {
  expect(isRejectedCode(error)).toBe(isRejected)
})

test.each<[what: string, gaveNone: boolean, error: unknown]>([
  ['a failing server', true, answered(502)],
  ['too many requests', true, body('slow_down', 429)],
  ['a challenge', true, challenge('bearer')],
  ['401 without a challenge', true, answered(401)],
  ['401 without a challenge, below', true, new Error('', { cause: answered(401) })],
  ['tokens that fail a check', false, new ClientError('', { cause: new Error('') })],
  ['a user who is refused', false, redirected('access_denied')],
  ['nothing', false, undefined],
])('[OIDC-5] an exchange that ends with %s gave no tokens: %s', (_, gaveNone, error) => {
  expect(gaveNoTokens(error)).toBe(gaveNone)
})
