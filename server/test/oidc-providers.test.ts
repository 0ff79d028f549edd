import { afterAll, describe, expect, test, vi } from 'vitest'
import { changeConfig } from './support/change-config.ts'
import { stopAll } from './support/cleanups.ts'
import { oidcKeys, startOidcService, type OidcServiceOptions } from './support/oidc-service.ts'
import type { InProcessService } from './support/start-service.ts'

afterAll(stopAll)

const roles = 'urn:zitadel:iam:org:project:roles'

/** The role of a user with these claims beside the name. */
async function roleOf(options: OidcServiceOptions, claims: object): Promise<unknown> {
  const { provider, signedIn } = await startOidcService(options)
  provider.users.set('u', { preferred_username: 'Uma', ...claims })
  return ((await (await signedIn('u')).get('/api/profile')).json as { role?: string }).role
}

describe('[OIDC-3] the groups that a provider sends', () => {
  test('can be the keys of an object, as those of Zitadel', async () => {
    const claims = { [roles]: { family: { '216582': 'home.id.example' } } }
    expect(await roleOf({ provider: { claims: [roles] }, oidc: { groups_claim: roles } }, claims)).toBe('viewer')
  })

  test('can be inside another claim, as the roles of a realm in Keycloak', async () => {
    const oidc = { groups_claim: 'realm_access.roles' }
    const claims = { realm_access: { roles: ['offline_access', 'sysadmins'] } }
    expect(await roleOf({ provider: { claims: ['realm_access'] }, oidc }, claims)).toBe('admin')
  })

  test('can come from a signed response of the userinfo endpoint', async () => {
    expect(await roleOf({ client: { userinfo_signed_response_alg: 'RS256' } }, { groups: ['family'] })).toBe('viewer')
  })
})

test.each([
  ['client_secret_basic', 'Basic'],
  ['client_secret_post', undefined],
])('[OIDC-1] the secret is sent as the discovery document says: %s', async (clientAuthMethod, scheme) => {
  const { provider, signedIn } = await startOidcService({ provider: { clientAuthMethod } })
  provider.users.set('u', { preferred_username: 'Uma', groups: ['family'] })
  expect((await (await signedIn('u')).get('/api/profile')).status).toBe(200)
  expect(provider.tokenSchemes).toEqual([scheme])
})

interface Line {
  readonly level: string
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

const warnings = async ({ internal }: InProcessService) =>
  ((await internal.get('/api/logs')).json as { lines: Line[] }).lines
    .filter(({ level }) => level === 'warn')
    .map(({ message, fields }) => ({ message, ...fields }))

const logs = async (service: InProcessService, line: object) =>
  vi.waitFor(async () => expect(await warnings(service)).toContainEqual(expect.objectContaining(line)), 60_000)

describe('the log names the setting that is wrong', () => {
  test('[OIDC-5] at startup, for a discovery document of another issuer; no one can sign in with it', async () => {
    const otherIssuer = 'https://login.example/{tenantid}/v2.0'
    const { service, provider, begin } = await startOidcService({ provider: { otherIssuer } })
    await logs(service, {
      message: 'identity provider unavailable',
      issuer: provider.issuer,
      setting: 'auth.oidc.issuer',
      err: expect.objectContaining({ message: expect.stringContaining(otherIssuer) as string }) as object,
    })
    expect((await begin()).begun.headers.location).toBe('/login?failure=provider-unavailable')
  })

  test('[OIDC-5] when the configuration changes, for a provider that is not there', async () => {
    const { service, provider } = await startOidcService()
    expect(await warnings(service)).not.toContainEqual(expect.objectContaining({ setting: 'auth.oidc.issuer' }))
    const issuer = `${provider.issuer}/other`
    await changeConfig(service, { auth: { oidc: { ...oidcKeys(provider), issuer } } })
    await logs(service, { message: 'identity provider unavailable', issuer, setting: 'auth.oidc.issuer' })
  })

  test('[OIDC-1] at the sign-in, for a wrong secret', async () => {
    const { service, provider, signIn } = await startOidcService({ oidc: { client_secret: 'wrong' } })
    provider.users.set('u', { preferred_username: 'Uma', groups: ['family'] })
    await signIn('u')
    const setting = 'auth.oidc.client_id, auth.oidc.client_secret'
    await logs(service, { message: 'sign-in with the identity provider failed', setting })
  })

  test('[OIDC-3] at the sign-in, for a claim without a known group', async () => {
    const { service, provider, signIn } = await startOidcService()
    provider.users.set('u', { preferred_username: 'Uma', groups: ['/family'] })
    await signIn('u')
    const message = 'sign-in with the identity provider gave no role'
    await logs(service, { message, user: 'Uma', subject: 'u', claim: 'groups', groups: ['/family'] })
  })

  test('[OIDC-3] at a re-check, for a claim without a known group', async () => {
    const { service, provider, signedIn } = await startOidcService()
    provider.users.set('u', { preferred_username: 'Uma', groups: ['family'] })
    const uma = await signedIn('u')
    provider.users.set('u', { preferred_username: 'Uma', groups: ['left'] })
    await service.clock.advance(301_000)
    const message = 're-check with the identity provider gave no role'
    await logs(service, { message, user: 'Uma', subject: 'u', claim: 'groups', groups: ['left'] })
    await vi.waitFor(async () => expect((await uma.get('/api/profile')).status).toBe(401), 60_000)
  })

  test('[OIDC-5] a secret that was replaced at the provider ends no session', async () => {
    const { service, provider, signedIn } = await startOidcService({ refreshTokens: true })
    provider.users.set('u', { preferred_username: 'Uma', groups: ['family'] })
    const uma = await signedIn('u')
    await changeConfig(service, { auth: { oidc: { ...oidcKeys(provider), client_secret: 'replaced' } } })
    await service.clock.advance(301_000)
    const message = 'identity provider unavailable; asking again in a minute'
    await logs(service, { message, setting: 'auth.oidc.client_id, auth.oidc.client_secret' })
    expect((await uma.get('/api/profile')).status).toBe(200)
  })
})
