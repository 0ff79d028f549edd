import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

/** A user's claims; the username is another one than what the user types to sign in. */
export interface Claims {
  readonly preferred_username: string
  readonly groups?: unknown
}

export interface OpenIdProvider {
  readonly issuer: string
  readonly clientSecret: string
  /** By login. Read whenever a client requests them. */
  readonly users: Map<string, Claims>
  stop(): void
}

/**
 * Starts an OpenID provider with its own pages to sign in, consent and sign out. It accepts any password.
 *
 * @param site the URL of the site whose users sign in here, without a slash at the end
 */
export async function startOpenIdProvider(site: string): Promise<OpenIdProvider> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const users = new Map<string, Claims>()
  const clientSecret = randomBytes(24).toString('hex')
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'gatehouse',
        client_secret: clientSecret,
        redirect_uris: [`${site}/oidc`],
        post_logout_redirect_uris: [`${site}/`],
      },
    ],
    claims: { openid: ['sub'], profile: ['preferred_username'], groups: ['groups'] },
    cookies: { keys: [randomBytes(24).toString('hex')] },
    pkce: { required: () => true },
    findAccount: (_, id) => {
      const claims = users.get(id)
      return claims && { accountId: id, claims: () => ({ sub: id, ...claims }) }
    },
  })
  server.on('request', provider.callback())
  return {
    issuer,
    clientSecret,
    users,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
