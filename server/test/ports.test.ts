import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { connect, type TLSSocket } from 'node:tls'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { freePort } from './support/free-port.ts'
import { tokenIn } from './support/sign-in.ts'
import { failedStart, startService, type InProcessService } from './support/start-service.ts'
import { client } from './support/test-client.ts'

let service: InProcessService
beforeAll(async () => {
  service = await startService({
    config: { auth: { roles: { guard: ['yard'] } } },
    fresh: true,
  })
})
afterAll(stopAll)

const handshake = async (options: object = {}): Promise<TLSSocket> => {
  const socket = connect({ host: '127.0.0.1', port: service.gatePort, rejectUnauthorized: false, ...options })
  await once(socket, 'secureConnect')
  return socket
}

describe('the gate', () => {
  test('[PORT-1] serves pages and API over TLS, with a certificate from its own certificate authority that devices can download', async () => {
    const authority = new X509Certificate((await service.gate.get('/ca.crt')).body)
    const socket = await handshake({ ca: authority.toString(), rejectUnauthorized: true, servername: 'localhost' })
    const serverCertificate = socket.getPeerX509Certificate()
    socket.destroy()
    expect(serverCertificate?.checkHost('localhost')).toBe('localhost')
    expect(serverCertificate?.checkIP('127.0.0.1')).toBe('127.0.0.1')
    expect(serverCertificate?.checkIssued(authority)).toBe(true)
    expect(authority.ca).toBe(true)
    expect(serverCertificate?.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1')
    const days =
      (Date.parse(serverCertificate?.validTo ?? '') - Date.parse(serverCertificate?.validFrom ?? '')) / 86_400_000
    expect(days).toBeGreaterThan(300)
    expect(days).toBeLessThanOrEqual(397)
    const page = await service.gate.get('/')
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toContain('text/html')
  })

  test('[PORT-1] keeps its keys private, and its certificate across restarts', async () => {
    const before = readFileSync(`${service.configDir}/tls/ca.crt`, 'utf8')
    expect(statSync(`${service.configDir}/tls/ca.key`).mode & 0o077).toBe(0)
    expect(statSync(`${service.configDir}/tls/server.key`).mode & 0o077).toBe(0)
    service = await service.restart()
    expect(readFileSync(`${service.configDir}/tls/ca.crt`, 'utf8')).toBe(before)
  })

  test('[PORT-1] with TLS, plain HTTP gets no response', async () => {
    const { base } = service.gate
    for (const path of ['/', '/api/health', '/api/events']) {
      await expect(fetch(`${base.replace('https:', 'http:')}${path}`)).rejects.toThrow('fetch failed')
    }
  })

  test.each(['TLSv1', 'TLSv1.1'] as const)('[PORT-1] refuses %s', async (version) => {
    await expect(
      handshake({ minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' }),
    ).rejects.toThrow()
  })

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('[PORT-1] speaks %s', async (version) => {
    const socket = await handshake({ minVersion: version, maxVersion: version })
    expect(socket.getProtocol()).toBe(version)
    socket.destroy()
  })

  test('[PORT-1] speaks HTTP/1.1 to a client that offers HTTP/2 too', async () => {
    const socket = await handshake({ ALPNProtocols: ['h2', 'http/1.1'] })
    expect(socket.alpnProtocol).toBe('http/1.1')
    socket.destroy()
    await expect(handshake({ ALPNProtocols: ['h2'] })).rejects.toThrow()
  })

  test('[PORT-4] ignores a Remote-Role header from a client', async () => {
    const guard = await service.user('gill', 'guard')
    const claims = { 'remote-user': 'admin', 'remote-role': 'admin' }
    expect((await service.gate.get('/api/cameras', claims)).status).toBe(401)
    expect((await guard.get('/api/users', claims)).status).toBe(403)
    expect((await guard.get('/api/profile', claims)).json).toMatchObject({ username: 'gill', role: 'guard' })
  })

  test('[ERR-3] headers over 16 KiB are 431, a body over 1 MiB is 413', async () => {
    expect((await service.gate.get('/api/health', { 'x-long': 'x'.repeat(17 * 1024) })).status).toBe(431)
    // Rejected by the headers alone: a client that keeps writing into a closing connection may not get the response.
    const socket = await handshake()
    const length = 1024 * 1024 + 1
    socket.write(
      `POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`,
    )
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 413 /)
    expect(chunk.toString()).toContain('"code":"too-large"')
  })

  test('every response has the security headers', async () => {
    for (const path of ['/', '/api/health', '/api/cameras']) {
      const { headers } = await service.gate.get(path)
      expect(headers['content-security-policy']).toMatch(/object-src 'none'.*frame-ancestors 'self'/)
      expect(headers['content-security-policy']).not.toMatch(/script-src[^;]*unsafe/)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('same-origin')
      expect(headers['cross-origin-resource-policy']).toBe('same-origin')
      // Our own certificate is not trusted by every device yet: HSTS would lock them out.
      expect(headers['strict-transport-security']).toBeUndefined()
    }
    expect((await service.gate.get('/api/cameras')).headers['cache-control']).toMatch(/no-store|private/)
  })
})

describe('the internal port', () => {
  test('[PORT-2] treats every caller as the anonymous admin', async () => {
    expect((await service.internal.get('/api/profile')).json).toMatchObject({ username: 'anonymous', role: 'admin' })
    expect((await service.internal.get('/api/users')).status).toBe(200)
    expect((await service.internal.get('/')).headers['content-type']).toContain('text/html')
    expect((await service.internal.get('/')).headers['cross-origin-resource-policy']).toBe('same-origin')
  })

  test.each([
    { 'remote-user': 'gill', 'remote-role': 'viewer' },
    { authorization: 'Bearer nonsense' },
    { cookie: 'gatehouse_token=nonsense' },
    { 'x-forwarded-user': 'x', 'x-forwarded-groups': 'viewer' },
  ])('[PORT-3] ignores %o', async (headers) => {
    const response = await service.internal.get('/api/profile', headers)
    expect(response.json).toMatchObject({ username: 'anonymous', role: 'admin' })
    expect(response.cookies).toEqual([])
  })

  test('[PORT-3] allows login and logout as the gate does, and /api/auth renews nothing', async () => {
    await service.user('ines')
    const login = await service.internal.post('/api/login', { user: 'ines', password: 'correct horse battery staple' })
    expect(login.status).toBe(200)
    const token = tokenIn(login)
    expect((await service.gate.get('/api/profile', { cookie: `gatehouse_token=${token}` })).status).toBe(200)
    const auth = await service.internal.get('/api/auth', { cookie: `gatehouse_token=${token}` })
    expect(auth.status).toBe(202)
    expect(auth.headers['remote-user']).toBe('anonymous')
    expect(auth.headers['remote-role']).toBe('admin')
    expect(auth.cookies).toEqual([])
    const logout = await service.internal.post('/api/logout', undefined, { cookie: `gatehouse_token=${token}` })
    expect(logout.status).toBe(204)
    expect(tokenIn(logout)).toBe('')
    expect((await service.gate.get('/api/profile', { cookie: `gatehouse_token=${token}` })).status).toBe(401)
  })

  test('[PORT-1] plain HTTP on an address that is not loopback is logged as a warning', async () => {
    const warning = /"level":"warn".*gate serves plain HTTP to the network/
    const port = await freePort()
    for (const [enabled, host, warned] of [
      [false, '0.0.0.0', true],
      [false, '127.0.0.1', false],
      [true, '0.0.0.0', false],
    ] as const) {
      const open = await startService({ config: { tls: { enabled }, networking: { gate: { host, port } } } })
      expect([enabled, host, warning.test(open.output())]).toEqual([enabled, host, warned])
      await open.stop()
    }
  })

  test('[PORT-6] hostnames can be allowed, and an address that is not loopback is logged as a warning', async () => {
    const port = await freePort()
    const wide = await startService({
      config: { networking: { internal: { host: '0.0.0.0', port, allowed_hosts: ['nvr.lan'] } } },
    })
    const internal = client(port, 'http', {})
    expect((await internal.get('/api/users', { host: 'nvr.lan' })).status).toBe(200)
    expect((await internal.get('/api/users', { host: 'other.lan' })).status).toBe(421)
    expect(wide.output()).toMatch(/"level":"warn".*internal port reachable from the network/)
  })
})

test('[PORT-1] without TLS the gate serves plain HTTP, for a proxy on the same host', async () => {
  const plain = await startService({ config: { tls: { enabled: false } } })
  expect((await plain.gate.get('/api/health')).json).toEqual({ status: 'ok' })
  expect((await plain.gate.get('/ca.crt')).status).toBe(404)
})

test('[PORT-7] addresses and ports are configurable, and the gate listens on IPv6 and IPv4 by default', async () => {
  const port = await freePort()
  const both = await startService({ config: { networking: { gate: { port } } } })
  expect((await client(port, 'https', {}).get('/api/health')).status).toBe(200)
  expect((await client(port, 'https', {}, '::1').get('/api/health')).status).toBe(200)
  expect(both.output()).toContain(String(port))
})

test('a port that is in use stops the service at startup with a line that names it', async () => {
  const { status, output } = await failedStart({
    config: { networking: { gate: { host: '127.0.0.1', port: service.gatePort } } },
  })
  expect(status).toBe(1)
  expect(output).toMatch(new RegExp(`networking\\.gate.*${service.gatePort}|${service.gatePort}.*networking\\.gate`))
})
