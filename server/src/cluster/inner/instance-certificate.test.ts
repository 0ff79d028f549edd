import { X509Certificate } from 'node:crypto'
import { createServer, connect, type TLSSocket } from 'node:tls'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createSecretBox } from '../../auth/secret-box.ts'
import { systemRandom } from '../../shared/random.ts'
import { issueServerCertificate } from '../../tls/generate-certificate.ts'
import type { KeyPair } from '../../tls/x509.ts'
import { memoryAuthorityStore } from '../../../test/support/inner-instances.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { silent } from '../../../test/support/null-log.ts'
import { instanceAuthority } from './authority.ts'
import { createInstanceAuthority, instanceIn, issueInstanceCertificate } from './instance-certificate.ts'
import { openOwnCertificate } from './own-certificate.ts'

const hour = 3_600_000
const day = 24 * hour
const year = 365 * day
const secret = 'the JWT secret of all instances, as long as required'
const boxOf = (from: string) => createSecretBox(from, 'gatehouse instance authority', systemRandom)

/** Whether a client that trusts the authority accepts a server with the certificate, under the name. */
async function isAccepted({ key, cert }: KeyPair, authority: KeyPair, servername: string): Promise<boolean> {
  const server = createServer({ key, cert }, (socket) => socket.end())
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return new Promise((resolve) => {
    const isIp = servername.startsWith('127.')
    const socket: TLSSocket = connect(
      { port, host: '127.0.0.1', ca: authority.cert, ...(!isIp && { servername }) },
      () => {
        socket.destroy()
        resolve(true)
      },
    )
    socket.on('error', () => resolve(false))
  })
}

test('[NODE-3] an instance has a certificate with its id, which is accepted for that instance and no other', async () => {
  const authority = await createInstanceAuthority(Date.now())
  const issued = await issueInstanceCertificate(authority, 'a1b2', Date.now())
  expect(instanceIn(new X509Certificate(issued.cert))).toBe('a1b2')
  expect(await isAccepted(issued, authority, 'a1b2.instance.gatehouse.internal')).toBe(true)
  expect(await isAccepted(issued, authority, 'c3d4.instance.gatehouse.internal')).toBe(false)
})

test.each([
  [{ names: ['example.com'], addresses: [] }, 'example.com'],
  [{ names: ['gatehouse.internal'], addresses: [] }, 'gatehouse.internal'],
  [{ names: [], addresses: ['127.0.0.1'] }, '127.0.0.1'],
])('[NODE-3] the authority of the instances can sign no certificate for %j', async (site, name) => {
  const authority = await createInstanceAuthority(Date.now())
  expect(await isAccepted(await issueServerCertificate(authority, site, Date.now()), authority, name)).toBe(false)
})

test.each([
  ['no name', { names: [], addresses: ['10.0.0.1'] }],
  ['two names', { names: ['a1.instance.gatehouse.internal', 'b2.instance.gatehouse.internal'], addresses: [] }],
  ['a name and an address', { names: ['a1.instance.gatehouse.internal'], addresses: ['10.0.0.1'] }],
  ['another domain', { names: ['a1.example.com'], addresses: [] }],
  ['a name with another label', { names: ['x.a1.instance.gatehouse.internal'], addresses: [] }],
])('a certificate with %s names no instance', async (_what, site) => {
  const { cert } = await issueServerCertificate(await createInstanceAuthority(Date.now()), site, Date.now())
  expect(instanceIn(new X509Certificate(cert))).toBeUndefined()
})

test('[NODE-3] instances with one secret share an authority, whose key is sealed; with another secret it is another one', async () => {
  const rows = memoryAuthorityStore()
  const stored: string[] = []
  const store: typeof rows = {
    ...rows,
    replace: (key, previous, next) => (stored.push(key + next), rows.replace(key, previous, next)),
  }
  const open = (of: string) => instanceAuthority({ store, secret: of, box: boxOf(of) })
  const [one, same] = await Promise.all([open(secret), open(secret)])
  expect(same).toEqual(one)
  expect(await open(secret)).toEqual(one)
  const other = await open('another secret, as long as required')
  expect(other).not.toEqual(one)
  for (const text of stored) expect(text).not.toContain('PRIVATE KEY')
  for (const text of stored) expect(text).not.toContain(secret)
})

test.each([
  ['ends soon', 10 * year],
  // The database's clock was ahead when it was created.
  ['has not begun', -2 * hour],
])('[NODE-3] an authority that %s is replaced once', async (_what, later) => {
  let now = Date.now()
  const store = memoryAuthorityStore(() => now)
  const open = () => instanceAuthority({ store, secret, box: boxOf(secret) })
  const first = await open()
  expect(await open()).toEqual(first)
  now += later
  const next = await open()
  expect(next).not.toEqual(first)
  expect(await open()).toEqual(next)
})

test('[NODE-3] the certificate of an instance is renewed before it expires, and again after a failure', async () => {
  const clock = createTestClock({ now: Date.now() })
  const authority = await createInstanceAuthority(clock.now())
  let isAway = false
  const certificate = await openOwnCertificate({
    instance: 'a1b2',
    authority: () => (isAway ? Promise.reject(new Error('no database')) : Promise.resolve(authority)),
    clock,
    log: silent,
  })
  const applied: unknown[] = []
  certificate.onChange(({ cert }) => applied.push(cert))
  const endOf = () => new X509Certificate(certificate.options().cert).validToDate.getTime()
  isAway = true
  await clock.advance(9 * 3_600_000)
  expect(applied).toEqual([])
  isAway = false
  await clock.advance(60_000)
  await expect.poll(() => applied.length).toBe(1)
  expect(endOf()).toBeGreaterThan(clock.now() + 23 * 3_600_000)
  certificate.stop()
  expect(clock.pending()).toBe(0)
})

/** Until a certificate is issued. */
const soon = { timeout: 10_000, interval: 10 }

test.each([
  ['was suspended for a day', day],
  ['has its clock set back by a day', -day],
])('[NODE-3] an instance that %s has a valid certificate a minute later', async (_what, jump) => {
  const clock = createTestClock({ now: Date.now() })
  const authority = await createInstanceAuthority(clock.now() - 2 * day)
  const certificate = await openOwnCertificate({
    instance: 'a1b2',
    authority: () => Promise.resolve(authority),
    clock,
    log: silent,
  })
  const applied: string[] = []
  certificate.onChange(({ cert }) => applied.push(cert))
  await clock.advance(60_000)
  expect(applied).toEqual([])
  clock.setWallTime(clock.now() + jump)
  await clock.advance(60_000)
  await expect.poll(() => applied.length, soon).toBe(1)
  const { validFromDate, validToDate } = new X509Certificate(certificate.options().cert)
  expect(validFromDate.getTime()).toBeLessThan(clock.now())
  expect(validToDate.getTime()).toBeGreaterThan(clock.now() + 23 * hour)
})

test('[NODE-3] all instances have the next authority a minute after it has to be replaced', async () => {
  const clock = createTestClock({ now: Date.now() })
  const store = memoryAuthorityStore(clock.now)
  const authority = () => instanceAuthority({ store, secret, box: boxOf(secret) })
  const open = (instance: string) => openOwnCertificate({ instance, authority, clock, log: silent })
  const { cert: ca } = await authority()
  clock.setWallTime(new X509Certificate(ca).validToDate.getTime() - 30 * day - 60_000)
  const [one, other] = [await open('a1b2'), await open('c3d4')]
  expect([one.options().ca, other.options().ca]).toEqual([ca, ca])
  await clock.advance(120_000)
  await expect.poll(() => one.options().ca, soon).not.toBe(ca)
  await expect.poll(() => other.options().ca, soon).toBe(one.options().ca)
})

test('[NODE-3] all instances have an authority that another one replaced, because the database’s clock was set back, a minute later', async () => {
  const clock = createTestClock({ now: Date.now() })
  let databaseTime = clock.now()
  const store = memoryAuthorityStore(() => databaseTime)
  let isAway = false
  const authority = async () => {
    if (isAway) throw new Error('no database')
    return instanceAuthority({ store, secret, box: boxOf(secret) })
  }
  const open = (instance: string) => openOwnCertificate({ instance, authority, clock, log: silent })
  const [one, other] = [await open('a1b2'), await open('c3d4')]
  const { ca } = one.options()
  expect(other.options().ca).toBe(ca)
  databaseTime -= 2 * hour
  const started = await open('e5f6')
  expect(started.options().ca).not.toBe(ca)
  isAway = true
  await clock.advance(60_000)
  expect(one.options().ca).toBe(ca)
  isAway = false
  await clock.advance(60_000)
  await expect
    .poll(() => [one.options().ca, other.options().ca], soon)
    .toEqual([started.options().ca, started.options().ca])
})
