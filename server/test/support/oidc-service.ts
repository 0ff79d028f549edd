import type { webcrypto } from 'node:crypto'
import { once } from 'node:events'
import type { JWTPayload } from 'jose'
import type { Client } from 'oidc-provider'
import { vi } from 'vitest'
import { onTestFinishedOrLater } from './cleanups.ts'
import {
  signInAtProvider,
  startOpenIdProvider,
  type OpenIdProvider,
  type OpenIdProviderOptions,
} from './openid-provider.ts'
import { startService, type InProcessOptions, type InProcessService } from './start-service.ts'
import type { Reply, TestClient } from './test-client.ts'

/** A sign-in with the provider, up to the response to the provider's redirect. */
export interface ProviderSignIn {
  /** `/api/oidc/login`. */
  readonly begun: Reply
  /** The path to which the provider sent the browser, with its query. */
  readonly path: string
  /** The cookie of the sign-in request. */
  readonly cookie: string
  readonly done: Reply
}

/** A service whose users sign in with an OpenID provider. */
export interface OidcService {
  readonly provider: OpenIdProvider
  readonly service: InProcessService
  begin(query?: string): Promise<{ readonly begun: Reply; readonly cookie: string }>
  signIn(login: string, query?: string): Promise<ProviderSignIn>
  /** Signs in, and returns a client with the session's cookie. */
  signedIn(login: string): Promise<TestClient>
  /** A logout token with these claims, instead of the usual ones. */
  logoutToken(claims: JWTPayload, key?: webcrypto.CryptoKey): Promise<string>
  /** @returns the status of the response */
  sendLogout(token: string): Promise<number>
}

export interface OidcServiceOptions {
  /** Keys of `auth.oidc`, beside those that name the provider. */
  readonly oidc?: Readonly<Record<string, unknown>>
  readonly auth?: Readonly<Record<string, unknown>>
  readonly more?: Partial<InProcessOptions>
  readonly config?: Readonly<Record<string, unknown>>
  readonly refreshTokens?: boolean
  readonly sid?: boolean
  /** What the client registered at the provider, beside its URLs. */
  readonly client?: Partial<Client>
  readonly provider?: Pick<OpenIdProviderOptions, 'claims' | 'clientAuthMethod' | 'otherIssuer'>
}

export const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

export async function startOidcService(options: OidcServiceOptions = {}): Promise<OidcService> {
  // The provider warns that its pages and keys are for development.
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(console, 'info').mockReturnValue()
  const at = (path: string) => `${service.gate.base}${path}`
  const provider = await startOpenIdProvider({
    client: () => ({
      // Below a sub-path too.
      redirect_uris: [at('/api/oidc/callback'), at('/nvr/api/oidc/callback')],
      post_logout_redirect_uris: [at('/login'), at('/nvr/login')],
      ...options.client,
      ...(options.sid && {
        backchannel_logout_uri: at('/api/oidc/backchannel-logout'),
        backchannel_logout_session_required: true,
      }),
    }),
    refreshTokens: options.refreshTokens ?? false,
    ...options.provider,
  })
  onTestFinishedOrLater(async () => provider.stop())
  const service = await startService({
    ...options.more,
    config: {
      tls: { enabled: false },
      ...options.config,
      auth: { failed_login_rate_limit: null, ...options.auth, oidc: { ...oidcKeys(provider), ...options.oidc } },
    },
  })

  const begin: OidcService['begin'] = async (query = '') => {
    const begun = await service.gate.get(`/api/oidc/login${query}`)
    return { begun, cookie: cookieOf(begun, 'gatehouse_sign_in') }
  }
  const signIn: OidcService['signIn'] = async (login, query) => {
    const { begun, cookie } = await begin(query)
    const { pathname, search } = await signInAtProvider(String(begun.headers.location), login)
    const path = pathname + search
    return { begun, path, cookie, done: await service.gate.get(path, { cookie }) }
  }
  let tokens = 0
  return {
    provider,
    service,
    begin,
    signIn,
    signedIn: async (login) => service.gate.with({ cookie: sessionOf((await signIn(login)).done) }),
    logoutToken(claims, key) {
      tokens += 1
      const iat = Math.floor(service.clock.now() / 1000)
      const usual = {
        iss: provider.issuer,
        aud: provider.clientId,
        jti: `t${tokens}`,
        iat,
        events: { [logoutEvent]: {} },
      }
      return provider.sign({ ...usual, ...claims }, 'logout+jwt', key)
    },
    async sendLogout(token) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return (await service.gate.post('/api/oidc/backchannel-logout', `logout_token=${token}`, headers)).status
    },
  }
}

/** Keys of `auth.oidc` for a provider. */
export const oidcKeys = ({ issuer, clientId, clientSecret }: OpenIdProvider) => ({
  issuer,
  client_id: clientId,
  client_secret: clientSecret,
  scopes: ['openid', 'profile', 'groups'],
  role_map: { admin: ['sysadmins'], viewer: ['family'] },
})

/** `name=value` of a cookie that a response sets; empty: none, or a cleared one. */
export const cookieOf = (response: Reply, name: string): string =>
  response.cookies
    .map((line) => line.split(';')[0] ?? '')
    .find((pair) => pair.startsWith(`${name}=`) && !pair.endsWith('=')) ?? ''

export const sessionOf = (response: Reply): string => cookieOf(response, 'gatehouse_token')

/** Opens a WebSocket. @returns resolves when the service has closed it */
export async function openSocket(client: TestClient, path: string): Promise<{ readonly closed: Promise<unknown> }> {
  const socket = client.socket(path)
  socket.on('error', () => {})
  await once(socket, 'open')
  return { closed: once(socket, 'close') }
}
