import { randomBytes, type webcrypto } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, SignJWT, type JWTPayload } from 'jose'
import { Provider, type Client } from 'oidc-provider'
import { signingKeys } from './signing-keys.ts'

/** A user's claims; the username is another one than what the user types to sign in. */
export interface Claims {
  readonly preferred_username: string
  readonly groups?: unknown
  readonly [claim: string]: unknown
}

export interface OpenIdProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** By login. Read whenever a client requests them. */
  readonly users: Map<string, Claims>
  /** Paths that were requested, newest last. */
  readonly requests: string[]
  /** The scheme of `Authorization` in each request for a token; undefined: it had none. */
  readonly tokenSchemes: (string | undefined)[]
  /** Ids of its sessions in the ID tokens that it issued, oldest first. */
  readonly sessionIds: string[]
  /** What each request gets instead of the provider's response; undefined: the provider responds. */
  failure: 'refused' | 'error' | 'silence' | undefined
  /** Signs claims with the provider's key, or with another one. */
  sign(claims: JWTPayload, type?: string, key?: webcrypto.CryptoKey): Promise<string>
  stop(): void
}

export interface OpenIdProviderOptions {
  /** Read at the first request: the port of the service may be known only then. */
  readonly client: () => Pick<Client, 'redirect_uris'> & Partial<Client>
  /** Whether clients get a refresh token. Default: no. */
  readonly refreshTokens?: boolean
  /** Claims of the scope `groups`. Default: `groups`. */
  readonly claims?: readonly string[]
  /** How clients prove who they are. Default: as the client says, or `client_secret_basic`. */
  readonly clientAuthMethod?: string
  /** The issuer that its discovery document names. Default: its own. */
  readonly otherIssuer?: string
}

const clientId = 'gatehouse'

/** Starts an OpenID provider with its own pages to sign in, consent and sign out. It accepts any password. */
export async function startOpenIdProvider(options: OpenIdProviderOptions): Promise<OpenIdProvider> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clientSecret = randomBytes(24).toString('hex')
  const { privateKey } = await signingKeys()
  const jwk = { ...(await exportJWK(privateKey)), kid: 'test', alg: 'RS256', use: 'sig' }
  let respond: ReturnType<Provider['callback']> | undefined
  const opened = () => {
    const opened = new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          grant_types: ['authorization_code', ...(options.refreshTokens ? ['refresh_token'] : [])],
          post_logout_redirect_uris: [],
          ...(options.clientAuthMethod !== undefined && { token_endpoint_auth_method: options.clientAuthMethod }),
          ...options.client(),
        },
      ],
      claims: { openid: ['sub'], profile: ['preferred_username'], groups: options.claims ?? ['groups'] },
      ...(options.clientAuthMethod !== undefined && { clientAuthMethods: [options.clientAuthMethod] }),
      jwks: { keys: [jwk] },
      cookies: { keys: [randomBytes(24).toString('hex')] },
      features: { backchannelLogout: { enabled: true }, jwtUserinfo: { enabled: true } },
      pkce: { required: () => true },
      issueRefreshToken: async () => options.refreshTokens ?? false,
      findAccount: (_, id) => {
        const claims = provider.users.get(id)
        return claims && { accountId: id, claims: () => ({ sub: id, ...claims }) }
      },
    })
    opened.on('grant.success', ({ body }) => {
      const { sid } = decodeJwt(body.id_token ?? '')
      if (typeof sid === 'string') provider.sessionIds.push(sid)
    })
    return opened.callback()
  }

  const provider: OpenIdProvider = {
    issuer,
    clientId,
    clientSecret,
    users: new Map(),
    requests: [],
    tokenSchemes: [],
    sessionIds: [],
    failure: undefined,
    sign: (claims, type = 'JWT', key = privateKey) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'test', typ: type }).sign(key),
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
  server.on('request', (request, response) => {
    const { pathname } = new URL(request.url ?? '', issuer)
    provider.requests.push(pathname)
    if (pathname === '/token') provider.tokenSchemes.push(request.headers.authorization?.split(' ')[0])
    if (provider.failure === 'refused') request.socket.destroy()
    else if (provider.failure === 'error') response.writeHead(503).end()
    else if (options.otherIssuer !== undefined && pathname.startsWith('/.well-known/')) {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ issuer: options.otherIssuer }))
    } else if (provider.failure === undefined) (respond ??= opened())(request, response)
  })
  return provider
}

/**
 * Follows the provider's pages as a browser does.
 *
 * @param start URL at which the client sent the browser to the provider
 * @returns the URL of the client's callback
 */
export async function signInAtProvider(start: string, login: string): Promise<URL> {
  const jar = new Map<string, string>()
  let url = new URL(start)
  let body: URLSearchParams | undefined
  for (let step = 0; step < 12; step += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(body && { method: 'POST', body }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    body = undefined
    const location = response.headers.get('location')
    if (location !== null) {
      url = new URL(location, url)
      if (url.origin !== new URL(start).origin) return url
      continue
    }
    const page = await response.text()
    const [, action = '', prompt = ''] = /action="([^"]+)"[\s\S]*?name="prompt" value="(\w+)"/.exec(page) ?? []
    url = new URL(action, url)
    body = new URLSearchParams({ prompt, ...(prompt === 'login' && { login, password: 'any' }) })
  }
  throw new Error('the provider did not redirect to the callback')
}
