import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { connect as connectTls, createServer as createTlsServer } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { createCertificateAuthority, issueServerCertificate } from '../tls/generate-certificate.ts'
import { rememberCarriers } from './abort.ts'
import { sentBytes } from './sent-bytes.ts'

const site = { names: ['localhost'], addresses: ['127.0.0.1'] }

const kinds: Record<string, () => Promise<readonly [server: Server, event: string, open: (port: number) => Socket]>> = {
  plain: async () => [createServer(), 'connection', (port) => connect({ host: '127.0.0.1', port })],
  TLS: async () => {
    const certificate = await issueServerCertificate(
      await createCertificateAuthority(site, Date.now()),
      site,
      Date.now(),
    )
    const server = createTlsServer(certificate)
    rememberCarriers(server)
    return [server, 'secureConnection', (port) => connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false })]
  },
}

test.each(Object.keys(kinds))('of a %s connection grow as its client reads, also during one write', async (kind) => {
  const [server, event, open] = await kinds[kind]!()
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const accepted = once(server, event) as Promise<[Socket]>
  const client = open((server.address() as AddressInfo).port)
  const [socket] = await accepted
  for (const end of [client, socket]) {
    end.on('error', () => undefined)
    onTestFinished(() => void end.destroy())
  }
  const begun = sentBytes(socket)
  const total = 32 << 20
  let isDone = false
  socket.write(Buffer.alloc(total), () => (isDone = true))
  // Until the buffers of the kernel are full.
  let before = Infinity
  await expect.poll(() => before === (before = sentBytes(socket))).toBe(true)

  let read = 0
  client.on('data', ({ length }: Buffer) => {
    read += length
    if (read > 8 << 20) client.pause()
  })
  await expect.poll(() => sentBytes(socket)).toBeGreaterThan(before)
  expect(isDone).toBe(false)
  client.removeAllListeners('data').resume()
  await expect.poll(() => isDone).toBe(true)
  expect(sentBytes(socket) - begun).toBeGreaterThanOrEqual(total)
})
