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
import { createInstanceAuthority, endsSoon, instanceIn, issueInstanceCertificate } from './instance-certificate.ts'
import { openOwnCertificate } from './own-certificate.ts'

const year = 365 * 86_400_000
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
  const open = (of: string) => instanceAuthority({ store, secret: of, box: boxOf(of), now: Date.now() })
  const [one, same] = await Promise.all([open(secret), open(secret)])
  expect(same).toEqual(one)
  expect(await open(secret)).toEqual(one)
  const other = await open('another secret, as long as required')
  expect(other).not.toEqual(one)
  for (const text of stored) expect(text).not.toContain('PRIVATE KEY')
  for (const text of stored) expect(text).not.toContain(secret)
})

test('an authority that ends soon is replaced', async () => {
  const store = memoryAuthorityStore()
  const open = (now: number) => instanceAuthority({ store, secret, box: boxOf(secret), now })
  const first = await open(Date.now())
  expect(endsSoon(first, Date.now())).toBe(false)
  const next = await open(Date.now() + 10 * year)
  expect(next).not.toEqual(first)
  expect(await open(Date.now() + 10 * year)).toEqual(next)
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
