import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { listenerLimits, plainListener } from './listener.ts'

/** A connection to a listener whose limits are short, and the texts that it received. */
async function connected(handler: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const limits = { ...listenerLimits, idleTimeout: 100, keepAliveTimeout: 100 }
  const server = plainListener(limits)(
    (request, response) => void handler(request, response),
    () => false,
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client: Socket = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  onTestFinished(() => {
    client.destroy()
    server.close()
  })
  const closed = once(client, 'close')
  let received = ''
  client.on('error', () => undefined).on('data', (data: Buffer) => (received += data.toString('latin1')))
  return {
    server,
    client,
    closed,
    received: () => received,
    /** Resolves when the connection has been idle for too long. */
    idle: () => once(server, 'timeout'),
  }
}

const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const longBody = Buffer.alloc(64 << 20)

test('a connection stays open while a handler works on a whole request, and is closed when it is idle afterwards', async () => {
  const done = Promise.withResolvers<void>()
  const { client, closed, received, idle } = await connected((_request, response) => {
    void done.promise.then(() => response.end('done'))
  })
  client.write(get)
  for (let times = 0; times < 3; times += 1) await idle()
  done.resolve()
  await expect.poll(received).toMatch(/^HTTP\/1\.1 200 [^]*done/)
  await idle()
  await closed
})

test('[PORT-1] a response that began late is cut if its client does not read it, or if it sends nothing more', async () => {
  for (const begin of ['write', 'flushHeaders', 'writeHead'] as const) {
    const done = Promise.withResolvers<void>()
    const { server, client, idle } = await connected(async (_request, response) => {
      await done.promise
      if (begin === 'write') response.write(longBody)
      else if (begin === 'flushHeaders') response.flushHeaders()
      else response.writeHead(200)
    })
    const accepted = once(server, 'connection') as Promise<[Socket]>
    client.pause().write(get)
    const [socket] = await accepted
    await idle()
    await idle()
    expect(socket.destroyed).toBe(false)
    done.resolve()
    await expect.poll(() => socket.destroyed).toBe(true)
  }
})

test('[PORT-1] a client that does not read a response is cut, also if it has requested another one', async () => {
  const { server, client } = await connected((request, response) => {
    if (request.url === '/') response.end(longBody)
  })
  const accepted = once(server, 'connection') as Promise<[Socket]>
  client.pause().write(`${get}${get.replace('/', '/next')}`)
  const [socket] = await accepted
  await expect.poll(() => socket.destroyed).toBe(true)
})

test('[PORT-1] a client that does not send the rest of its request is cut, whatever its handler does', async () => {
  const { client, closed } = await connected(() => undefined)
  client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{')
  await closed
})
