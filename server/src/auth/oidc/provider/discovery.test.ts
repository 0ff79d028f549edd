import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestClock } from '../../../../test/support/test-clock.ts'
import { createDiscovery, failureAge } from './discovery.ts'

let origin: string
let metadata: Readonly<Record<string, unknown>>
let reads: string[]
const server = createServer(({ url = '' }, response) => {
  reads.push(url)
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ issuer: origin, ...metadata }))
})
beforeAll(async () => {
  const listens = once(server, 'listening')
  server.listen(0, '127.0.0.1')
  await listens
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  metadata = {}
  reads = []
})

const settings = (more: object = {}) => ({ issuer: origin, client_id: 'gatehouse', client_secret: 's', ...more })
const discover = (more: object = {}) => {
  const all = settings(more)
  return createDiscovery({ settings: () => all, clock: createTestClock() })()
}
const document = '/.well-known/openid-configuration'

describe('[OIDC-1] the discovery document', () => {
  test.each<[issuer: string, path: string]>([
    ['', document],
    ['/', document],
    ['/realms/cams', `/realms/cams${document}`],
    ['/realms/cams/', `/realms/cams${document}`],
  ])('of the issuer with the path %j is at %s', async (path, at) => {
    metadata = { issuer: origin + path }
    const found = await discover({ issuer: origin + path })
    expect([reads, found.configuration.serverMetadata().issuer]).toEqual([[at], origin + path])
  })

  test.each<[what: string, settings: object, metadata: Readonly<Record<string, unknown>>, error: RegExp]>([
    ['another issuer', {}, { issuer: 'https://id.lan' }, /the issuer in .* is https:\/\/id\.lan, and not http/],
    ['an endpoint that isn’t a URL', {}, { token_endpoint: 'x' }, /token_endpoint in .* isn't an https: URL/],
    ['an endpoint that isn’t text', {}, { jwks_uri: 7 }, /jwks_uri in .* isn't an https: URL/],
    ['a list of endpoints', {}, { token_endpoint: ['https://id.lan/'] }, /token_endpoint in .* isn't an https: URL/],
    ['an endpoint elsewhere without TLS', {}, { userinfo_endpoint: 'http://id.lan/' }, /userinfo_endpoint/],
    ['an endpoint of another scheme', {}, { end_session_endpoint: 'ftp://127.0.0.1/' }, /end_session_endpoint/],
    ['a page to sign in without TLS', {}, { authorization_endpoint: 'http://id.lan/' }, /authorization_endpoint/],
  ])('with %s is refused', async (_what, more, changes, error) => {
    metadata = changes
    await expect(discover(more)).rejects.toThrow(error)
  })

  test.each<[what: string, settings: object]>([
    ['without an issuer', { issuer: null }],
    ['without a client', { client_id: null }],
  ])('is not read %s', async (_what, more) => {
    await expect(discover(more)).rejects.toThrow('no identity provider is configured')
    expect(reads).toEqual([])
  })

  test('can name endpoints elsewhere over TLS, and here without', async () => {
    metadata = {
      jwks_uri: 'https://keys.lan/',
      token_endpoint: `${origin}/token`,
      userinfo_endpoint: 'http://localhost/',
    }
    expect((await discover()).configuration.serverMetadata()).toMatchObject(metadata)
  })

  test('that cannot be read says where it should be', async () => {
    metadata = { issuer: 7 }
    await expect(discover()).rejects.toThrow(`failed to read ${origin}${document}`)
  })
})

describe('[OIDC-5] the discovery document', () => {
  test('is read once an hour, and again for other settings', async () => {
    const clock = createTestClock()
    let current = settings()
    const configured = createDiscovery({ settings: () => current, clock })
    const first = await configured()
    await clock.skip(3_600_000 - 1)
    current = settings()
    expect(await configured()).toBe(first)
    await clock.advance(1)
    expect(await configured()).not.toBe(first)
    expect(reads).toHaveLength(2)
    for (const more of [{ client_id: 'other' }, { client_secret: 'other' }, { client_secret: null }]) {
      current = settings(more)
      await configured()
      await configured()
    }
    expect(reads).toHaveLength(5)
    metadata = { issuer: `${origin}/` }
    current = settings({ issuer: `${origin}/`, client_secret: null })
    await configured()
    expect(reads).toHaveLength(6)
  })

  test('that failed is read again after two seconds', async () => {
    const clock = createTestClock()
    const configured = createDiscovery({ settings: () => settings(), clock })
    metadata = { issuer: 'https://other.lan' }
    for (const _ of [1, 2]) await expect(configured()).rejects.toThrow('the issuer')
    await clock.advance(failureAge - 1)
    await expect(configured()).rejects.toThrow('the issuer')
    expect(reads).toHaveLength(1)
    metadata = {}
    await clock.advance(1)
    expect((await configured()).configuration.serverMetadata().issuer).toBe(origin)
  })
})
