import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, SignJWT, type CryptoKey, type JWK, type JWTHeaderParameters, type JWTPayload } from 'jose'
import { signingKeys } from './signing-keys.ts'

/** A request that the provider got. */
export interface ProviderRequest {
  readonly path: string
  readonly body: URLSearchParams
  readonly authorization: string | undefined
}

/** An OpenID provider without pages, which sends whatever a test wants. A code is the nonce of the ID token. */
export interface FakeProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly requests: ProviderRequest[]
  /** Public keys of the key set. */
  readonly keys: JWK[]
  readonly privateKey: CryptoKey
  /** Changes of the discovery document. */
  metadata: Readonly<Record<string, unknown>>
  /** Changes of the claims of each ID token; `undefined` removes one. */
  claims: JWTPayload
  /** Makes the ID token from the claims; undefined: none. */
  idToken: ((claims: JWTPayload) => string | undefined | Promise<string | undefined>) | undefined
  /** More members of a response of the token endpoint. */
  tokens: Readonly<Record<string, unknown>>
  /** Response of the userinfo endpoint, beside the subject. */
  userinfo: Readonly<Record<string, unknown>>
  /** Responses instead of the usual ones, by path. */
  readonly instead: Map<string, RequestListener>
  sign(claims: JWTPayload, header?: Partial<JWTHeaderParameters>, key?: CryptoKey | Uint8Array): Promise<string>
  /** Everything as at the start. */
  reset(): void
  stop(): void
}

export const fakePaths = {
  discovery: '/.well-known/openid-configuration',
  keys: '/keys',
  token: '/token',
  userinfo: '/userinfo',
  end: '/end',
} as const

const usual = { metadata: {}, claims: {}, idToken: undefined, tokens: {}, userinfo: {} }

export async function startFakeProvider(): Promise<FakeProvider> {
  // It closes no idle connection: on a busy machine, the service could use it at the same moment.
  const server = createServer({ keepAliveTimeout: 0 }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey, publicKey } = await signingKeys()
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }

  const provider: FakeProvider = {
    issuer,
    clientId: 'gatehouse',
    clientSecret: 'a-secret-of-the-client-with-enough-characters',
    requests: [],
    keys: [key],
    privateKey,
    ...usual,
    instead: new Map(),
    sign: (claims, header, by = privateKey) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(by),
    reset() {
      Object.assign(provider, usual)
      provider.instead.clear()
      provider.keys.splice(0, provider.keys.length, key)
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
  const claimsFor = (nonce: string | null): JWTPayload => {
    // The service compares it with the machine's clock.
    const iat = Math.floor(Date.now() / 1000)
    const made = { iss: issuer, sub: 'ann', aud: provider.clientId, iat, exp: iat + 300, groups: ['family'] }
    return { ...made, ...(nonce !== null && { nonce }), ...provider.claims }
  }
  const respond = async ({ path, body }: ProviderRequest, response: ServerResponse): Promise<void> => {
    if (path === fakePaths.discovery) send(response, { ...metadataOf(issuer), ...provider.metadata })
    else if (path === fakePaths.keys) send(response, { keys: provider.keys })
    else if (path === fakePaths.userinfo) send(response, { sub: 'ann', ...provider.userinfo })
    else if (path === fakePaths.token) {
      const claims = claimsFor(body.get('code'))
      // What a test sets after it saw the request is for the next one.
      const { tokens } = provider
      const made = await (provider.idToken ?? provider.sign)(claims)
      send(response, { access_token: 'an-access-token', token_type: 'bearer', id_token: made, ...tokens })
    } else response.writeHead(404).end()
  }
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname: path } = new URL(request.url ?? '', issuer)
    let text = ''
    for await (const part of request) text += String(part)
    const got = { path, body: new URLSearchParams(text), authorization: request.headers.authorization }
    provider.requests.push(got)
    const instead = provider.instead.get(path)
    if (instead) instead(request, response)
    else await respond(got, response)
  }
  server.on('request', (request, response) => void handle(request, response))
  return provider
}

const send = (response: ServerResponse, body: unknown) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body))

const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: issuer + fakePaths.token,
  userinfo_endpoint: issuer + fakePaths.userinfo,
  jwks_uri: issuer + fakePaths.keys,
  end_session_endpoint: issuer + fakePaths.end,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  authorization_response_iss_parameter_supported: true,
})

/** Keys of `auth.oidc` for a fake provider. */
export const fakeKeys = ({ issuer, clientId, clientSecret }: FakeProvider) => ({
  issuer,
  client_id: clientId,
  client_secret: clientSecret,
  role_map: { admin: ['sysadmins'], viewer: ['family'] },
})
