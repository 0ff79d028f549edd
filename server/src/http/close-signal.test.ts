import { once } from 'node:events'
import { createServer, ServerResponse, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { closeSignal } from './close-signal.ts'

interface Arrived {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** What waited for the end of the connection before. */
  readonly listeners: unknown[]
  readonly signal: AbortSignal
}

/** A connection on which requests are sent without waiting for responses, and these requests as they arrived. */
async function connected(requests: number) {
  const arrived: Arrived[] = []
  const all = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    const listeners = request.socket.listeners('close')
    arrived.push({ request, response, listeners, signal: closeSignal(request, response) })
    if (arrived.length === requests) all.resolve()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  client.on('error', () => undefined).resume()
  onTestFinished(() => {
    client.destroy()
    server.close()
  })
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(requests))
  await all.promise
  return { client, arrived }
}

const aborted = async ({ signal }: Arrived): Promise<unknown> => signal.aborted || once(signal, 'abort')

test('is aborted when the client disconnects, also for a request whose response waits for an earlier one', async () => {
  const { client, arrived } = await connected(2)
  expect(arrived.map(({ signal }) => signal.aborted)).toEqual([false, false])
  client.destroy()
  await Promise.all(arrived.map(aborted))
})

test('many requests that wait on one connection are no leak', async () => {
  const warnings: Error[] = []
  const onWarning = (warning: Error) => void warnings.push(warning)
  process.on('warning', onWarning)
  onTestFinished(() => void process.off('warning', onWarning))
  const { client, arrived } = await connected(30)
  client.destroy()
  await Promise.all(arrived.map(aborted))
  expect(warnings).toEqual([])
})

test('is aborted when the response has been sent, and leaves nothing on a connection that stays open', async () => {
  const { arrived } = await connected(1)
  const [{ request, response, listeners }] = arrived as [Arrived]
  response.end('done')
  await aborted(arrived[0]!)
  expect(request.socket.destroyed).toBe(false)
  expect(listeners).toEqual(expect.arrayContaining(request.socket.listeners('close')))
})

test('is aborted from the start if the client has already disconnected', async () => {
  const { client, arrived } = await connected(1)
  const { request, response } = arrived[0]!
  client.destroy()
  await once(response, 'close')
  expect(closeSignal(request, response).aborted).toBe(true)
})

test('is aborted when the connection of a WebSocket closes', async () => {
  const signal = Promise.withResolvers<AbortSignal>()
  const server = createServer().on('upgrade', (request: IncomingMessage, socket: Socket) => {
    const response = new ServerResponse(request)
    response.assignSocket(socket)
    signal.resolve(closeSignal(request, response))
    response.detachSocket(socket)
    socket.resume().on('end', () => void socket.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  onTestFinished(() => {
    client.destroy()
    server.close()
  })
  client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  const closed = await signal.promise
  expect(closed.aborted).toBe(false)
  client.destroy()
  await (closed.aborted || once(closed, 'abort'))
})
