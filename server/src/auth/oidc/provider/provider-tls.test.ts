import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startFakeProvider, type FakeProvider } from '../../../../test/support/fake-provider.ts'
import { systemClock } from '../../../shared/time/clock.ts'
import type { OidcConfig } from '../../config/oidc.config.ts'
import { createProvider } from './provider.ts'

let fake: FakeProvider
/** URLs that were requested: the fake provider responds to all of them. */
let requested: string[]
beforeAll(async () => {
  fake = await startFakeProvider()
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    requested.push(url)
    return fetch(fake.issuer + new URL(url).pathname, init)
  })
})
afterAll(() => {
  vi.unstubAllGlobals()
  fake.stop()
})
beforeEach(() => {
  requested = []
  fake.reset()
})

/** A provider at an address, with its endpoints there. */
function providerAt(issuer: string) {
  const paths = ['authorization', 'token', 'userinfo', 'end_session']
  const endpoints = paths.map((path): [string, string] => [`${path}_endpoint`, `${issuer}/${path}`])
  fake.metadata = { issuer, ...Object.fromEntries(endpoints), jwks_uri: `${issuer}/keys` }
  fake.claims = { iss: issuer }
  const settings = { issuer, client_id: fake.clientId, client_secret: null, scopes: [] } as unknown as OidcConfig
  return createProvider({ settings: () => settings, clock: systemClock })
}
const signInAt = (issuer: string) => {
  const query = new URLSearchParams({ code: 'nonce', state: 'state', iss: issuer })
  const url = new URL(`https://cams.lan/api/oidc/callback?${query.toString()}`)
  return providerAt(issuer).signIn(url, { state: 'state', nonce: 'nonce', verifier: 'v'.repeat(43) })
}

describe('[OIDC-1] a provider elsewhere', () => {
  const issuer = 'https://id.lan'

  test('signs its ID tokens, also those that come over TLS', async () => {
    expect(await signInAt(issuer)).toMatchObject({ issuer, subject: 'ann' })
    expect(requested).toContain(`${issuer}/keys`)
    fake.keys.length = 0
    await expect(signInAt(issuer)).rejects.toThrow()
  })

  test('is not asked without TLS', async () => {
    await expect(providerAt('http://id.lan').discover()).rejects.toThrow('failed to read http://id.lan/')
    expect(requested).toEqual([])
  })

  test.each(['https://id.lan', 'https://127.0.0.1'])('whose issuer is %s has no endpoint without TLS', async (at) => {
    const provider = providerAt(at)
    fake.metadata = { ...fake.metadata, token_endpoint: 'http://127.0.0.1/token' }
    await expect(provider.discover()).rejects.toThrow('token_endpoint')
  })
})
