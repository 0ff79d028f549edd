import { expect, test } from 'vitest'
import type { Caller } from '../http/caller.ts'
import type { Input } from '../http/route.ts'
import type { AuthConfig } from './config/auth.config.ts'
import { loginMethodsRoutes, type LoginMethods } from './login-methods.routes.ts'

interface World {
  readonly enabled?: boolean
  readonly issuer?: string | null
  readonly only?: boolean
  readonly isProxied?: boolean
  readonly host?: string
  readonly origins?: readonly string[]
  readonly hasPasskeys?: boolean
}

function methods({ enabled = true, issuer = null, only = false, isProxied = false, ...more }: World) {
  const { host = 'cameras.example', origins = [], hasPasskeys = true } = more
  const oidc = { issuer, name: null, only }
  const [found] = loginMethodsRoutes({
    settings: () => ({ enabled, mfa: { origins }, oidc }) as unknown as Pick<AuthConfig, 'enabled' | 'mfa' | 'oidc'>,
    factors: { hasPasskeys: async () => hasPasskeys },
  })
  const caller = { isProxied, client: { host, encrypted: true, basePath: '/base/' } } as unknown as Caller
  return found!.handle!({} as Input<never>, caller) as Promise<LoginMethods>
}

const oidc = { name: 'id.example', login_url: '/base/api/oidc/login' }
const issuer = 'https://id.example/realm'
const none = { password: false, oidc: null, passkeys: false }

test.each<[string, World, LoginMethods]>([
  ['by password and passkey', {}, { password: true, oidc: null, passkeys: true }],
  ['by password, if no one has a passkey', { hasPasskeys: false }, { ...none, password: true }],
  ['by password, where passkeys do not work', { host: '192.0.2.1' }, { ...none, password: true }],
  ['by password, at an origin without passkeys', { origins: ['https://other.example'] }, { ...none, password: true }],
  ['also at an identity provider', { issuer }, { password: true, oidc, passkeys: true }],
  ['at an identity provider, and not by password', { issuer, only: true }, { password: false, oidc, passkeys: true }],
  ['at a proxy, if the service has no sessions', { enabled: false, issuer }, none],
  ['at the proxy that authenticates the request', { isProxied: true, issuer }, none],
])('[PROXY-17] [OIDC-1] users sign in %s', async (_how, world, found) => {
  expect(await methods(world)).toEqual(found)
})
