import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { expect, test } from 'vitest'
import { createCertificateAuthority, issueServerCertificate } from '../src/tls/generate-certificate.ts'
import type { KeyPair } from '../src/tls/x509.ts'
import { hostNames } from '../src/tls/host-names.ts'
import type { Service } from './support/service.ts'
import { failedStart, startService } from './support/start-service.ts'
import { advanceUntil } from './support/test-clock.ts'

const day = 86_400_000

/** A certificate for a name, from a separate certificate authority. */
const certificateFor = async (name: string): Promise<KeyPair> => {
  const site = { names: [name], addresses: [] }
  return issueServerCertificate(await createCertificateAuthority(site, Date.now()), site, Date.now())
}

/** The certificate that a new connection gets. */
async function shown({ gatePort }: Service): Promise<X509Certificate> {
  const socket = connect({ host: '127.0.0.1', port: gatePort, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const certificate = socket.getPeerX509Certificate()
  socket.destroy()
  if (!certificate) throw new Error('the connection has no certificate')
  return certificate
}
const nameInWarning = async (service: Service) => (await shown(service)).subjectAltName

const configured = { tls: { cert_file: 'site.crt', key_file: 'site.key' } }
const files = ({ cert, key }: KeyPair) => ({ 'site.crt': cert, 'site.key': key })

test('[PORT-1] a configured certificate is served, and reloaded when it changes, with no connection lost', async () => {
  const service = await startService({ config: configured, files: files(await certificateFor('one.example')) })
  const put = (name: string, text: string) => writeFileSync(join(service.configDir, name), text)
  expect(await nameInWarning(service)).toBe('DNS:one.example')
  // The authority is not ours: there is none of ours to download, and HSTS is on.
  expect((await service.gate.get('/ca.crt')).status).toBe(404)
  expect((await service.gate.get('/api/health')).headers['strict-transport-security']).toBe('max-age=31536000')

  const ann = await service.user('ann')
  const socket = ann.socket('/api/cameras/yard/live')
  await once(socket, 'open')
  const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
  const overOneConnection = async () => {
    const outgoing = request(`${service.gate.base}/api/health`, { agent }).end()
    const [response] = (await once(outgoing, 'response')) as [{ statusCode: number; resume: () => void }]
    response.resume()
    return { status: response.statusCode, again: outgoing.reusedSocket }
  }
  expect(await overOneConnection()).toEqual({ status: 200, again: false })

  // One of the two files is replaced first: until the other one is, the old pair stays active.
  const next = await certificateFor('two.example')
  put('site.key', next.key)
  expect(await nameInWarning(service)).toBe('DNS:one.example')
  put('site.crt', next.cert)
  await advanceUntil(service.clock, async () => expect(await nameInWarning(service)).toBe('DNS:two.example'))
  expect(await overOneConnection()).toEqual({ status: 200, again: true })
  expect(socket.readyState).toBe(socket.OPEN)
  expect((await ann.get('/api/profile')).status).toBe(200)

  // A certificate and key that do not match are not loaded, and are logged.
  put('site.key', (await certificateFor('three.example')).key)
  await advanceUntil(service.clock, () => expect(service.output()).toMatch(/tls\.key_file.*is not the key/))
  expect(await nameInWarning(service)).toBe('DNS:two.example')
  rmSync(join(service.configDir, 'site.crt'))
  await advanceUntil(service.clock, () => expect(service.output()).toMatch(/tls\.cert_file.*ENOENT/))
  expect(await nameInWarning(service)).toBe('DNS:two.example')
  expect(service.output()).not.toMatch(/PRIVATE KEY/)

  const last = await certificateFor('four.example')
  put('site.key', last.key)
  put('site.crt', last.cert)
  await advanceUntil(service.clock, async () => expect(await nameInWarning(service)).toBe('DNS:four.example'))
  agent.destroy()
})

test.each<[what: string, tls: object, given: (one: KeyPair, other: KeyPair) => Record<string, string>, says: RegExp]>([
  [
    'a key of another certificate',
    configured.tls,
    (one, other) => files({ ...one, key: other.key }),
    /tls\.key_file .*site\.key/,
  ],
  [
    'a missing certificate file',
    configured.tls,
    ({ key }) => ({ 'site.key': key }),
    /tls\.cert_file .*site\.crt.*ENOENT/,
  ],
  ['a missing key file', configured.tls, ({ cert }) => ({ 'site.crt': cert }), /tls\.key_file .*site\.key.*ENOENT/],
  [
    'a certificate file without a certificate',
    configured.tls,
    ({ key }) => files({ cert: 'hello', key }),
    /tls\.cert_file .*site\.crt/,
  ],
  ['a key file without a key', configured.tls, ({ cert }) => files({ cert, key: '' }), /tls\.key_file .*site\.key/],
  ['only a certificate', { cert_file: 'site.crt' }, files, /config\.yml:\d+:\d+ tls\.cert_file: .*tls\.key_file/],
  ['only a key', { key_file: 'site.key' }, files, /config\.yml:\d+:\d+ tls\.key_file: .*tls\.cert_file/],
])('[PORT-1] [CONF-2] %s stops the service at startup with 78, and names the field', async (_why, tls, given, says) => {
  const [one, other] = [await certificateFor('one.example'), await certificateFor('other.example')]
  const { status, output } = await failedStart({ config: { tls }, files: given(one, other) })
  expect(status).toBe(78)
  expect(output).toMatch(says)
  expect(output).not.toMatch(/PRIVATE KEY/)
})

test('[PORT-1] our own server certificate is renewed by the same authority before it expires', async () => {
  let service = await startService({ fresh: true })
  await service.stop()
  const file = (name: string) => join(service.configDir, 'tls', name)
  const authority = { cert: readFileSync(file('ca.crt'), 'utf8'), key: readFileSync(file('ca.key'), 'utf8') }
  const before = new X509Certificate(readFileSync(file('server.crt')))
  // Valid except for its end date.
  const old = await issueServerCertificate(authority, hostNames(), Date.now() - 380 * day)
  writeFileSync(file('server.crt'), old.cert)
  writeFileSync(file('server.key'), old.key)
  expect(new X509Certificate(old.cert).validToDate.getTime()).toBeLessThan(Date.now() + 20 * day)

  service = await service.restart()
  const serverCertificate = await shown(service)
  expect(serverCertificate.validToDate.getTime()).toBeGreaterThan(Date.now() + 300 * day)
  expect(serverCertificate.verify(new X509Certificate(authority.cert).publicKey)).toBe(true)
  expect(serverCertificate.serialNumber).not.toBe(before.serialNumber)
  expect((await service.gate.get('/ca.crt')).text).toBe(authority.cert)
  expect(statSync(file('server.key')).mode & 0o777).toBe(0o600)
})
