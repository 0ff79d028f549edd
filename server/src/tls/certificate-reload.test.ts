import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import { isIP, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { connect, type ConnectionOptions, type DetailedPeerCertificate, type TLSSocket } from 'node:tls'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestClock } from '../../test/support/test-clock.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { systemClock } from '../shared/time/clock.ts'
import { StartError } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { createCertificateAuthority, issueServerCertificate } from './generate-certificate.ts'
import type { KeyPair } from './x509.ts'
import { hostNames, type CertificateNames } from './host-names.ts'
import { openTls, type Tls, type TlsDeps } from './certificate-reload.ts'

vi.mock('node:fs/promises', { spy: true })

const day = 86_400_000
const begin = Date.UTC(2026, 5, 1)
const site: CertificateNames = {
  names: ['localhost', 'nvr', 'nvr.local'],
  addresses: ['127.0.0.1', '::1', '192.0.2.7', '2001:db8::7'],
}

let dir: string
let now: number
let named: CertificateNames
let lines: { level: string; fields: object; message: string }[]
let opened: Tls[]
const line = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message })
const log: Log = {
  debug: line('debug'),
  info: line('info'),
  warn: line('warn'),
  error: line('error'),
  enabled: () => true,
}

beforeEach(() => {
  dir = join(temporaryFolder(), 'tls')
  now = begin
  named = site
  lines = []
  opened = []
})
afterEach(() => {
  for (const tls of opened) tls.stop()
  rmSync(join(dir, '..'), { recursive: true })
})

async function open(more: Partial<TlsDeps> = {}): Promise<Tls> {
  // A test calls `check` itself: another check in the middle of a slow test would be one too many.
  const clock = { ...systemClock, now: () => now, elapsed: () => now, every: () => () => undefined }
  const tls = await openTls({ dir, configured: null, site: () => named, clock, log, ...more })
  opened.push(tls)
  return tls
}

const leafOf = (tls: Tls) => new X509Certificate(String(tls.options().cert))
const authorityOf = (tls: Tls) => new X509Certificate(tls.caCertificate() ?? '')
const siteOf = (name: string): CertificateNames => ({ names: [name], addresses: [] })
/** A certificate with its own authority. */
const leafFor = async (name: string): Promise<KeyPair> =>
  issueServerCertificate(await createCertificateAuthority(siteOf(name), now), siteOf(name), now)
const file = (name: string) => join(dir, name)
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
const authorityIn = (): KeyPair => ({
  key: readFileSync(file('ca.key'), 'utf8'),
  cert: readFileSync(file('ca.crt'), 'utf8'),
})
const only = (text: string): CertificateNames =>
  isIP(text) === 0 ? { names: [text], addresses: [] } : { names: [], addresses: [text] }
const openssl = (...args: string[]) => spawnSync('openssl', args, { encoding: 'utf8' })

describe('[PORT-1] the own certificate', () => {
  test('is issued by its own authority, for this host and its addresses', async () => {
    const tls = await open()
    const [serverCertificate, authority] = [leafOf(tls), authorityOf(tls)]

    expect(tls.ownCertificate).toBe(true)
    expect(authority.ca).toBe(true)
    expect(serverCertificate.ca).toBe(false)
    expect(serverCertificate.checkIssued(authority) && serverCertificate.verify(authority.publicKey)).toBe(true)
    expect(serverCertificate.publicKey.asymmetricKeyDetails).toMatchObject({ namedCurve: 'prime256v1' })
    expect(authority.publicKey.asymmetricKeyDetails).toMatchObject({ namedCurve: 'prime256v1' })
    for (const name of site.names) expect(serverCertificate.checkHost(name)).toBe(name)
    for (const address of site.addresses) expect(serverCertificate.checkIP(address)).toBe(address)
    expect(serverCertificate.validToDate.getTime() - serverCertificate.validFromDate.getTime()).toBeLessThanOrEqual(
      397 * day,
    )
    expect(authority.validToDate.getTime() - begin).toBeGreaterThan(3650 * day)
    expect(String(tls.options().cert)).toContain(tls.caCertificate())
  })

  test('has key files that only the service can read', async () => {
    await open()
    expect(mode(dir)).toBe('700')
    expect(mode(file('ca.key'))).toBe('600')
    expect(mode(file('server.key'))).toBe('600')
    chmodSync(file('ca.key'), 0o644)
    await open()
    expect(mode(file('ca.key'))).toBe('600')
    expect(readdirSync(dir).sort()).toEqual(['ca.crt', 'ca.key', 'server.crt', 'server.key'])
  })

  test('has a chain that openssl accepts', { skip: openssl('version').status !== 0 }, async () => {
    await open()
    const at = String(Math.floor(begin / 1000))
    const strict = ['-x509_strict', '-purpose', 'sslserver', '-attime', at]
    const chain = ['-verify_hostname', 'nvr.local', '-CAfile', file('ca.crt'), file('server.crt')]
    const verified = openssl('verify', ...strict, ...chain)
    expect(verified.stdout + verified.stderr).toContain('OK')
    const text = openssl('x509', '-in', file('server.crt'), '-noout', '-text').stdout
    expect(text).toContain('TLS Web Server Authentication')
    expect(text).toContain('CA:FALSE')
    expect(openssl('x509', '-in', file('ca.crt'), '-noout', '-text').stdout).toMatch(
      /CA:TRUE, pathlen:0[^]*Certificate Sign/,
    )
  })

  test('is reused at the next startup', async () => {
    const first = await open()
    now += 100 * day
    const second = await open()
    expect(second.options()).toEqual(first.options())
    expect(second.caCertificate()).toBe(first.caCertificate())
  })

  test('is renewed before it expires, by the same authority, and servers are notified', async () => {
    const tls = await open()
    const [authority, first] = [tls.caCertificate(), leafOf(tls)]
    const received: unknown[] = []
    const end = tls.onChange((settings) => void received.push(settings))

    now = first.validToDate.getTime() - 31 * day
    await tls.check()
    expect(received).toEqual([])
    now += 2 * day
    await tls.check()
    expect(received).toEqual([tls.options()])
    expect(leafOf(tls).serialNumber).not.toBe(first.serialNumber)
    expect(leafOf(tls).validToDate.getTime()).toBeGreaterThan(now + 390 * day)
    expect(leafOf(tls).verify(authorityOf(tls).publicKey)).toBe(true)
    expect(tls.caCertificate()).toBe(authority)
    await tls.check()
    end()
    now += 400 * day
    await tls.check()
    expect(received).toHaveLength(1)
  })

  test('is renewed at a startup after its expiry', async () => {
    const first = await open()
    now += 500 * day
    const second = await open()
    expect(leafOf(second).validToDate.getTime()).toBeGreaterThan(now)
    expect(second.caCertificate()).toBe(first.caCertificate())
  })

  test('is replaced for another hostname or address, but not for a temporary IPv6 address', async () => {
    const tls = await open()
    const first = leafOf(tls).serialNumber
    named = { ...site, addresses: [...site.addresses.slice(0, 3), '2001:db8::ffff:1234'] }
    await tls.check()
    expect(leafOf(tls).serialNumber).toBe(first)

    named = { ...site, addresses: [...site.addresses, 'fd00:0:0:1::7'] }
    await tls.check()
    const second = leafOf(tls)
    expect(second.checkIP('fd00:0:0:1::7')).toBe('fd00:0:0:1::7')
    named = { ...site, names: [...site.names, 'cam.lan'] }
    await tls.check()
    expect(leafOf(tls).checkHost('cam.lan')).toBe('cam.lan')
    expect(authorityOf(await open()).fingerprint256).toBe(authorityOf(tls).fingerprint256)
  })

  test('is replaced if the clock was wrong at the first start', async () => {
    const ahead = await open()
    now -= 30 * day
    const right = await open()
    expect(leafOf(right).validFromDate.getTime()).toBeLessThan(now)
    expect(right.caCertificate()).toBe(ahead.caCertificate())
  })

  test.each<[name: string, damage: () => void]>([
    ['half a certificate', () => writeFileSync(file('server.crt'), readFileSync(file('server.crt')).subarray(0, 300))],
    ['half a key', () => writeFileSync(file('server.key'), readFileSync(file('server.key')).subarray(0, 100))],
    ['an empty file', () => writeFileSync(file('server.crt'), '')],
    ['no key', () => rmSync(file('server.key'))],
    ['no certificate', () => rmSync(file('server.crt'))],
    ['the key of another', () => writeFileSync(file('server.key'), readFileSync(file('ca.key')))],
  ])('a damaged server certificate is replaced: %s', async (_name, damage) => {
    const first = await open()
    damage()
    const second = await open()
    expect(leafOf(second).verify(authorityOf(first).publicKey)).toBe(true)
    expect(second.caCertificate()).toBe(first.caCertificate())
    expect((await open()).options()).toEqual(second.options())
  })

  test('is replaced if it belongs to another authority', async () => {
    const first = await open()
    const other = await createCertificateAuthority(siteOf('other'), now)
    writeFileSync(file('ca.key'), other.key)
    writeFileSync(file('ca.crt'), other.cert)
    const second = await open()
    expect(leafOf(second).verify(authorityOf(second).publicKey)).toBe(true)
    expect(leafOf(second).serialNumber).not.toBe(leafOf(first).serialNumber)
  })

  test('is replaced if another authority signed it, whatever follows in the chain', async () => {
    const first = await open()
    const foreign = await issueServerCertificate(await createCertificateAuthority(site, now), site, now)
    writeFileSync(file('server.key'), foreign.key)
    writeFileSync(file('server.crt'), foreign.cert.replace(/(?<=END CERTIFICATE-----\n)[^]*/, first.caCertificate()!))
    expect(leafOf(await open()).verify(authorityOf(first).publicKey)).toBe(true)
  })

  test.each<[name: string, damage: () => void, says: string]>([
    ['half a certificate', () => writeFileSync(file('ca.crt'), '-----BEGIN CERT'), 'ca.crt contains no certificate'],
    ['no key', () => rmSync(file('ca.key')), 'ca.key contains no key'],
    ['another key', () => writeFileSync(file('ca.key'), readFileSync(file('server.key'))), 'ca.key is not the key of'],
  ])('a damaged authority stops the service at startup and is left alone: %s', async (_name, damage, says) => {
    await open()
    damage()
    const before = readdirSync(dir).map((name) => readFileSync(file(name), 'utf8'))
    const failure = await open().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StartError)
    expect(failure).toMatchObject({ status: 78, message: expect.stringContaining(says) })
    expect(readdirSync(dir).map((name) => readFileSync(file(name), 'utf8'))).toEqual(before)
  })

  test('an authority that a crash left incomplete is created again', async () => {
    await open()
    rmSync(file('ca.crt'))
    const tls = await open()
    expect(leafOf(tls).verify(authorityOf(tls).publicKey)).toBe(true)
  })

  test('a failed renewal keeps the old certificate, and is logged', async () => {
    const tls = await open()
    const before = tls.options()
    now += 380 * day
    writeFileSync(file('ca.key'), 'gone')
    await tls.check()
    expect(tls.options()).toBe(before)
    expect(lines.at(-1)).toMatchObject({ level: 'error' })
  })

  test('an authority near its expiry is replaced, and the server certificate too', async () => {
    const first = await open()
    now = authorityOf(first).validToDate.getTime() - 200 * day
    await first.check()
    expect(leafOf(first).validTo).toBe(authorityOf(first).validTo)
    now += 180 * day
    await first.check()
    expect(authorityOf(first).validToDate.getTime()).toBeGreaterThan(now + 3000 * day)
    expect(leafOf(first).verify(authorityOf(first).publicKey)).toBe(true)
  })
})

/** The result of a client that trusts only the authority and gets a server certificate for this name or address. */
const asNodeSees = async (text: string): Promise<string> => {
  const serverCertificate = await issueServerCertificate(authorityIn(), only(text), now)
  const server = createServer({ ...serverCertificate }, (_request, response) => void response.end())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const target = isIP(text) === 0 ? { servername: text } : { checkServerIdentity: () => undefined }
  const socket = connect({ host: '127.0.0.1', port, ca: authorityIn().cert, ...target })
  return new Promise<string>((resolve) => {
    socket.once('secureConnect', () => resolve('OK'))
    socket.once('error', ({ message }) => resolve(message))
  }).finally(() => {
    socket.destroy()
    server.close()
  })
}

const asOpensslSees = async (text: string): Promise<string> => {
  writeFileSync(file('../issued.crt'), (await issueServerCertificate(authorityIn(), only(text), now)).cert)
  const reported = openssl(
    'verify',
    '-x509_strict',
    '-purpose',
    'sslserver',
    '-CAfile',
    file('ca.crt'),
    file('../issued.crt'),
  )
  return reported.stdout + reported.stderr
}

describe('[PORT-1] the own authority', () => {
  const permitted = [
    'localhost nvr www.nvr nvr.example.org other.local cam.lan cam.home.arpa cam.internal 127.0.0.9',
    '10.1.2.3 172.31.0.1 192.168.1.9 100.64.0.1 169.254.3.4 192.0.2.7 ::1 fd00::7 2001:db8::7',
    '2001:db8::ffff:1',
  ].flatMap((line) => line.split(' '))
  const others = [
    'example.com example.org badnvr.example.org nvr.local.example.com notlocal com 192.0.2.8 172.32.0.1',
    '8.8.8.8 2001:db8:0:1::7 2606:4700::1111 ::ffff:8.8.8.8',
  ].flatMap((line) => line.split(' '))

  beforeEach(async () => {
    now = Date.now()
    named = { ...site, names: [...site.names, 'nvr.example.org'] }
    await open()
  })

  test.each(permitted)('signs for %s', async (text) => {
    expect(await asNodeSees(text)).toBe('OK')
    expect(await asOpensslSees(text)).toContain(': OK')
  })

  test.each(others)('is not trusted when it signs for %s', async (text) => {
    expect(await asNodeSees(text)).toBe('permitted subtree violation')
    expect(await asOpensslSees(text)).toContain('permitted subtree violation')
  })

  test('states its limits in a critical extension', () => {
    const text = openssl('x509', '-in', file('ca.crt'), '-noout', '-text').stdout
    expect(text).toMatch(/X509v3 Name Constraints: critical\s+Permitted:/)
    expect(text).toContain('DNS:home.arpa')
    expect(text).toContain('IP:192.0.2.7/255.255.255.255')
  })

  test('does not sign a later, non-local name of the machine, and logs that once', async () => {
    const before = readFileSync(file('ca.crt'), 'utf8')
    named = { names: [...site.names, 'vms.example.net', 'vms.lan'], addresses: [...site.addresses, '198.51.100.4'] }
    lines = []
    const tls = await open()
    for (let checkNow = 0; checkNow < 3; checkNow += 1) await tls.check()
    const serverCertificate = leafOf(tls)
    expect(serverCertificate.checkHost('vms.lan')).toBe('vms.lan')
    expect(serverCertificate.checkHost('vms.example.net')).toBeUndefined()
    expect(serverCertificate.checkIP('198.51.100.4')).toBeUndefined()
    expect(readFileSync(file('ca.crt'), 'utf8')).toBe(before)
    expect(lines.map(({ level }) => level).sort()).toEqual(['info', 'warn'])
    expect(lines.find(({ level }) => level === 'warn')).toMatchObject({
      fields: {
        names: ['vms.example.net', '198.51.100.4'],
        hint: expect.stringMatching(/tls\.cert_file.*delete ca\.crt and ca\.key/),
      },
      message: 'certificate does not cover all names: the authority does not permit them',
    })

    rmSync(file('ca.crt'))
    rmSync(file('ca.key'))
    const again = await open()
    expect(leafOf(again).checkHost('vms.example.net')).toBe('vms.example.net')
    expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(1)
  })

  test('created by an earlier version without limits is kept', async () => {
    const requested = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3000 -subj /O=Gatehouse'
    const written = ['-addext', 'keyUsage=critical,keyCertSign', '-keyout', file('ca.key'), '-out', file('ca.crt')]
    const made = openssl(...requested.split(' '), ...written)
    expect(made.status, made.stderr).toBe(0)
    const before = authorityIn()
    named = { names: ['vms.example.net'], addresses: ['198.51.100.4'] }
    lines = []
    const tls = await open()
    expect(authorityIn()).toEqual(before)
    expect(leafOf(tls).verify(authorityOf(tls).publicKey)).toBe(true)
    expect(leafOf(tls).checkHost('vms.example.net')).toBe('vms.example.net')
    expect(leafOf(tls).checkIP('198.51.100.4')).toBe('198.51.100.4')
    expect(lines.map(({ level }) => level)).toEqual(['info'])
  })
})

describe('[PORT-1] a configured certificate', () => {
  let files: { certFile: string; keyFile: string }
  const place = async (host: string) => {
    const made = await leafFor(host)
    writeFileSync(files.certFile, made.cert)
    writeFileSync(files.keyFile, made.key)
    return made
  }

  beforeEach(() => {
    files = { certFile: join(dir, '../site.crt'), keyFile: join(dir, '../site.key') }
  })

  test('is served, and no own authority is created', async () => {
    const made = await place('cam.example')
    const tls = await open({ configured: files })
    expect(tls.options()).toMatchObject(made)
    expect(tls.ownCertificate).toBe(false)
    expect(tls.caCertificate()).toBeUndefined()
    expect(() => statSync(dir)).toThrow('ENOENT')
  })

  test('is reloaded when it changes on disk', async () => {
    await place('cam.example')
    const tls = await open({ configured: files })
    const received: unknown[] = []
    tls.onChange((settings) => void received.push(settings))
    await tls.check()
    expect(received).toEqual([])
    const next = await place('new.example')
    await tls.check()
    expect(received).toEqual([tls.options()])
    expect(tls.options()).toMatchObject(next)
  })

  test('is reloaded automatically', async () => {
    await place('cam.example')
    const clock = createTestClock({ now })
    const tls = await open({ configured: files, clock })
    const received = new Promise((resolve) => void tls.onChange(resolve))
    const next = await place('new.example')
    await clock.advance(2_000)
    expect(await received).toMatchObject(next)
  })

  test.each<[name: string, breakIt: () => void, says: string]>([
    ['a certificate without its key', () => swap('certFile'), 'is not the key of'],
    ['a key without its certificate', () => swap('keyFile'), 'is not the key of'],
    ['half a certificate', () => writeFileSync(files.certFile, '-----BEGIN'), 'contains no usable certificate'],
    ['an empty key', () => writeFileSync(files.keyFile, ''), 'contains no private key'],
    ['a missing file', () => rmSync(files.certFile), 'ENOENT'],
  ])('that becomes invalid is not loaded, and logged once: %s', async (_name, breakIt, says) => {
    other = await leafFor('other')
    const good = await place('cam.example')
    const tls = await open({ configured: files })
    breakIt()
    for (let checkNow = 0; checkNow < 5; checkNow += 1) await tls.check()
    expect(tls.options()).toMatchObject(good)
    const reported = lines.filter(({ level }) => level === 'error')
    expect(reported).toEqual([
      { level: 'error', fields: { reason: expect.stringContaining(says) }, message: expect.any(String) },
    ])

    const next = await place('new.example')
    await tls.check()
    expect(tls.options()).toMatchObject(next)
  })
  let other: { key: string; cert: string }
  const swap = (which: 'certFile' | 'keyFile') =>
    writeFileSync(files[which], which === 'certFile' ? other.cert : other.key)

  test('replaced file by file logs no error', async () => {
    await place('cam.example')
    const tls = await open({ configured: files })
    other = await leafFor('other')
    writeFileSync(files.certFile, other.cert.slice(0, 100))
    await tls.check()
    swap('certFile')
    await tls.check()
    swap('keyFile')
    await tls.check()
    expect(tls.options()).toMatchObject(other)
    expect(lines.filter(({ level }) => level === 'error')).toEqual([])
  })

  test.each<[name: string, breakIt: () => void, says: string[]]>([
    ['a missing certificate', () => rmSync(files.certFile), ['tls.cert_file', 'site.crt', 'ENOENT']],
    ['a missing key', () => rmSync(files.keyFile), ['tls.key_file', 'site.key', 'ENOENT']],
    ['no certificate', () => writeFileSync(files.certFile, 'x'), ['tls.cert_file', 'site.crt']],
    ['no key', () => writeFileSync(files.keyFile, 'x'), ['tls.key_file', 'site.key']],
    ['a mismatch', () => swap('keyFile'), ['site.key', 'is not the key of', 'site.crt']],
  ])('that is invalid stops the service at startup with the file name: %s', async (_name, breakIt, says) => {
    other = await createCertificateAuthority(siteOf('other'), now)
    await place('cam.example')
    breakIt()
    const failure = await open({ configured: files }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StartError)
    for (const part of says) expect(String(failure)).toContain(part)
  })

  test('that expired is served, with a warning', async () => {
    await place('cam.example')
    now += 500 * day
    await open({ configured: files })
    expect(lines).toMatchObject([{ level: 'warn' }])
  })
})

test('[PORT-1] a listener that fails to apply a certificate does not stop the checks', async () => {
  const tls = await open()
  const end = tls.onChange(() => {
    throw new Error('not this one')
  })
  now += 380 * day
  await tls.check()
  expect(lines.at(-1)).toMatchObject({ level: 'error', fields: { err: { message: 'not this one' } } })
  end()
  const before = tls.options()
  now += 380 * day
  await tls.check()
  expect(tls.options()).not.toBe(before)
})

describe('[PORT-1] on the wire', () => {
  let server: Server
  let tls: Tls

  const handshake = (options: ConnectionOptions) =>
    new Promise<TLSSocket>((resolve, reject) => {
      const { port } = server.address() as AddressInfo
      const socket: TLSSocket = connect({ host: '127.0.0.1', port, ...options }, () => resolve(socket))
      socket.once('error', reject)
    }).then((socket) => {
      const peer: DetailedPeerCertificate = socket.getPeerCertificate(true)
      const answer = { protocol: socket.getProtocol(), cipher: socket.getCipher().name, serial: peer.serialNumber }
      socket.destroy()
      return { ...answer, chained: peer.issuerCertificate.fingerprint256 }
    })

  beforeEach(async () => {
    now = Date.now()
    tls = await open()
    server = createServer({ ...tls.options() }, (_request, response) => void response.end())
    tls.onChange((settings) => server.setSecureContext(settings))
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  })
  afterEach(() => void server.close())

  test('a client that trusts the authority trusts the gate, by name and by address', async () => {
    const ca = tls.caCertificate()!
    const { protocol, chained } = await handshake({ ca, servername: 'nvr.local' })
    expect(protocol).toBe('TLSv1.3')
    expect(chained).toBe(authorityOf(tls).fingerprint256)
    await expect(handshake({ ca })).resolves.toBeDefined()
    await expect(handshake({ ca, servername: 'other.example' })).rejects.toThrow('altnames')
    await expect(handshake({ servername: 'nvr.local' })).rejects.toThrow()
  })

  test('TLS 1.2 requires forward secrecy, and TLS 1.1 is rejected', async () => {
    expect(tls.options()).toMatchObject({ minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3' })
    const ca = tls.caCertificate()!
    expect(await handshake({ ca, maxVersion: 'TLSv1.2' })).toMatchObject({ protocol: 'TLSv1.2' })
    await expect(handshake({ ca, maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' })).rejects.toThrow(
      'handshake failure',
    )
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    await expect(handshake({ ca, ...old })).rejects.toThrow('protocol version')
  })

  test('the next connection gets a renewed server certificate', async () => {
    const ca = tls.caCertificate()!
    const before = await handshake({ ca, servername: 'nvr' })
    named = { ...site, names: [...site.names, 'cam.lan'] }
    await tls.check()
    const after = await handshake({ ca, servername: 'cam.lan' })
    expect(after.serial).not.toBe(before.serial)
    expect(await handshake({ ca, maxVersion: 'TLSv1.2' })).toMatchObject({ protocol: 'TLSv1.2' })
  })
})

test('[PORT-1] the names of this machine include the loopback names and addresses', () => {
  const { names, addresses } = hostNames()
  expect(names).toContain('localhost')
  expect(addresses).toEqual(expect.arrayContaining(['127.0.0.1', '::1']))
  expect(addresses.some((address) => /^fe80/i.test(address))).toBe(false)
})

test('[PORT-1] a directory that cannot be created stops the service at startup', async () => {
  writeFileSync(dir, 'a file in place of the folder')
  await expect(open()).rejects.toThrow(StartError)
})

test('a folder of certificates that can’t be created because its disk is not ready ends the start with status 1', async () => {
  vi.mocked(mkdir).mockRejectedValueOnce(Object.assign(new Error('ESTALE'), { code: 'ESTALE' }))
  await expect(open()).rejects.toMatchObject({ name: 'StartError', status: 1 })
})
