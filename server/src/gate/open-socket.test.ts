import { once } from 'node:events'
import { connect as connectTo, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { onePage, type BareServerOptions } from '../../test/support/bare-server.ts'
import { silent } from '../../test/support/null-log.ts'
import { authenticated, portOf, testPort, viewer } from '../../test/support/test-port.ts'
import { createTestClock } from '../../test/support/test-clock.ts'
import { internalAdmin } from '../access/identity.ts'
import type { Authentication } from '../http/authentication.ts'
import type { Caller } from '../http/caller.ts'
import type { EndReason, LiveSocket } from '../http/response.ts'
import { route } from '../http/route.ts'
import { systemClock } from '../shared/time/clock.ts'
import { createStreamRegistry, type OpenStream, type StreamRegistry } from './stream-registry.ts'

/** A connection that has requested a WebSocket, and speaks no protocol by itself. */
async function upgraded(port: number): Promise<Socket> {
  const client = connectTo({ host: '127.0.0.1', port })
  onTestFinished(() => void client.destroy())
  client.on('error', () => undefined)
  await once(client, 'connect')
  const lines = [
    'GET /api/x HTTP/1.1',
    'Host: x',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ]
  client.resume().write(`${lines.join('\r\n')}\r\n\r\n`)
  return client
}

describe('a WebSocket', () => {
  interface Opened {
    readonly socket: LiveSocket
    readonly caller: Caller
  }

  /** A port with one WebSocket, and what its handler got. */
  async function socketPort(more: Partial<BareServerOptions> = {}, of: { readonly lastWords?: string } = {}) {
    const clock = createTestClock()
    const sockets: Opened[] = []
    const socketRoute = route({
      path: '/api/x',
      access: { signedIn: true },
      schema: { summary: '' },
      reads: 'watch',
      socket: (socket, _input, caller) => {
        sockets.push({ socket, caller })
        if (of.lastWords !== undefined) socket.onEnding(() => of.lastWords)
      },
    })
    const made = await testPort({ clock, routes: [socketRoute], ...more })
    const url = `ws://127.0.0.1:${await portOf(made.app)}/api/x`
    const connect = async () => {
      const client = new WebSocket(url)
      onTestFinished(() => client.terminate())
      const messages: string[] = []
      client.on('message', (data: Buffer) => void messages.push(data.toString()))
      const closed = new Promise<[number, string]>((resolve) => {
        client.once('close', (code, reason) => resolve([code, reason.toString()]))
        client.on('error', () => undefined)
      })
      await once(client, 'open')
      return { client, messages, closed }
    }
    return { ...made, clock, sockets, url, connect }
  }

  test('sends and receives texts, and reports its end', async () => {
    const { sockets, connect, openStreams, entries, logged } = await socketPort()
    const { client, messages, closed } = await connect()
    const { socket, caller } = sockets[0]!
    const received: string[] = []
    let ends = 0
    socket.onMessage((text) => void received.push(text))
    socket.onClose(() => void (ends += 1))
    client.send(Buffer.from('binary'), { binary: true })
    client.send('text')
    socket.send('answer')
    await expect.poll(() => [received, messages]).toEqual([['text'], ['answer']])
    expect([socket.waiting, caller.identity, openStreams.count]).toEqual([0, viewer.identity, 1])
    expect(openStreams.countOf('password ann')).toBe(0)
    expect(entries).toMatchObject([[{ action: 'watch', result: 'success', user: 'ann', target: null }, undefined]])
    socket.close(1011, 'a fault')
    expect(await closed).toEqual([1011, 'a fault'])
    await expect.poll(() => [ends, openStreams.count, entries.length]).toEqual([1, 0, 2])
    socket.send('too late')
    await new Promise(setImmediate)
    expect(logged).toEqual([])
  })

  test.each<[EndReason, number, string]>([
    ['unauthenticated', 4401, 'session expired or revoked'],
    ['forbidden', 4403, 'role no longer allows this'],
    ['not-found', 4404, 'not found'],
    ['recheck', 4408, 'reconnect: access must be decided again'],
    ['undecided', 1013, 'try again later'],
    ['stopping', 1001, 'service stopping'],
  ])('[ROLE-10] that is closed for %s gets %i, after its last words', async (reason, code, text) => {
    let end: ((reason: EndReason) => void) | undefined
    const openStreams = {
      ...createStreamRegistry({ clock: systemClock, log: silent, isListening: () => true }),
      register: (stream: OpenStream) => {
        end = stream.end
        return () => undefined
      },
    } as StreamRegistry
    const { connect } = await socketPort({ openStreams }, { lastWords: 'bye' })
    const { messages, closed } = await connect()
    end!(reason)
    expect(await closed).toEqual([code, text])
    expect(messages).toEqual(['bye'])
  })

  test('whose client does not answer the closing handshake is aborted after half a second', async () => {
    const { app, openStreams, clock } = await socketPort()
    const client = await upgraded(await portOf(app))
    const closed = new Promise<void>((resolve) => void client.once('close', resolve))
    await expect.poll(() => openStreams.count).toBe(1)
    openStreams.stop()
    await clock.advance(500)
    await closed
  })

  test('to a slow client is cut without a message', async () => {
    const { sockets, connect, openStreams } = await socketPort({}, { lastWords: 'bye' })
    const { client, messages, closed } = await connect()
    client.pause()
    const { socket } = sockets[0]!
    for (let sent = 0; socket.waiting <= 64 * 1024 && sent < 1000; sent += 1) socket.send(Buffer.alloc(1024 * 1024))
    openStreams.stop()
    client.resume()
    expect(await closed).toEqual([1006, ''])
    expect(messages).not.toContain('bye')
  })

  test('whose client stops answering pings is terminated', async () => {
    const { clock, connect, openStreams } = await socketPort()
    const { client, closed } = await connect()
    let pings = 0
    client.on('ping', () => void (pings += 1))
    for (const count of [1, 2, 3]) {
      await clock.advance(30_000)
      await expect.poll(() => pings).toBe(count)
      await new Promise(setImmediate)
    }
    expect(openStreams.count).toBe(1)
    client.pong = () => undefined
    await clock.advance(30_000)
    await clock.advance(30_000)
    expect(await closed).toEqual([1006, ''])
    await expect.poll(() => clock.pending()).toBe(0)
  })

  test('whose client reads slowly, and answers a ping late, stays open; one that reads nothing more is terminated', async () => {
    const { clock, sockets, connect, openStreams } = await socketPort()
    const { client, messages } = await connect()
    const { socket } = sockets[0]!
    client.pong = () => undefined
    client.on('message', () => messages.length % 4 === 0 && client.pause())
    client.pause()
    // Far more than the buffers of the kernel hold.
    for (let sent = 0; sent < 64; sent += 1) socket.send(Buffer.alloc(1 << 20))
    await clock.advance(30_000)
    for (let tick = 1; tick <= 3; tick += 1) {
      client.resume()
      await expect.poll(() => messages.length).toBe(tick * 4)
      await clock.advance(30_000)
      expect([openStreams.count, socket.waiting > 0]).toEqual([1, true])
    }
    // Nothing is read until the next ping, but an earlier one is answered.
    await clock.advance(10_000)
    WebSocket.prototype.pong.call(client)
    // After the pong, so that it has arrived once this has.
    const texts: string[] = []
    socket.onMessage((text) => void texts.push(text))
    client.send('text')
    await expect.poll(() => texts).toEqual(['text'])
    await clock.advance(20_000)
    expect(openStreams.count).toBe(1)
    // The kernel can still accept some data.
    await expect.poll(async () => (await clock.advance(30_000), openStreams.count)).toBe(0)
    expect(clock.pending()).toBe(0)
  })

  test('counts as an open stream; beyond the limit it is refused, and a plain request says why', async () => {
    const { connect, url, openStreams, send } = await socketPort({ streamsPerUser: () => 1 })
    expect(await send()).toMatchObject({ status: 426, code: 'upgrade-required' })
    const { messages, closed } = await connect()
    expect(openStreams.countOf('password ann')).toBe(1)
    const [refused] = (await once(new WebSocket(url), 'error')) as [Error]
    expect(refused.message).toContain('429')
    expect(await send()).toMatchObject({ status: 429 })
    openStreams.stop()
    expect([await closed, messages]).toEqual([[1001, 'service stopping'], []])
  })

  test('is closed with the server', async () => {
    const { app, connect } = await socketPort()
    const { closed } = await connect()
    await app.close()
    expect((await closed)[0]).toBeGreaterThanOrEqual(1000)
  })

  test('whose upgrade is still being decided does not delay closing the server, and is not accepted later', async () => {
    const decided = Promise.withResolvers<Authentication>()
    const deciding = Promise.withResolvers<void>()
    const { app, sockets, openStreams } = await socketPort({
      authenticate: () => (deciding.resolve(), decided.promise),
    })
    const client = await upgraded(await portOf(app))
    const received: Buffer[] = []
    client.on('data', (data: Buffer) => void received.push(data))
    const cut = new Promise<void>((resolve) => void client.once('close', resolve))
    await deciding.promise
    let closed = false
    const closing = app.close().then(() => (closed = true))
    onTestFinished(() => decided.resolve(viewer))
    await expect.poll(() => closed).toBe(true)
    decided.resolve(viewer)
    await Promise.all([closing, cut])
    await new Promise(setImmediate)
    expect([sockets, openStreams.count, Buffer.concat(received).toString()]).toEqual([[], 0, ''])
  })

  test('is not accepted once the server closes', async () => {
    const decided = Promise.withResolvers<Authentication>()
    const deciding = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const stopping = Promise.withResolvers<void>()
    const { app, sockets, openStreams } = await socketPort({
      authenticate: () => (deciding.resolve(), decided.promise),
      // After the server's own hook, so that its connections are still open.
      webFiles: {
        ...onePage,
        register: async (server) => void server.addHook('preClose', async () => (begun.resolve(), stopping.promise)),
      },
    })
    const client = await upgraded(await portOf(app))
    const answered = once(client, 'data') as Promise<[Buffer]>
    await deciding.promise
    const closing = app.close()
    onTestFinished(() => stopping.resolve())
    await begun.promise
    decided.resolve(viewer)
    expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 503 /)
    expect([sockets, openStreams.count]).toEqual([[], 0])
    stopping.resolve()
    await closing
  })

  test('that sends nonsense is closed, and only that', async () => {
    const { app, openStreams, logged } = await socketPort()
    const client = await upgraded(await portOf(app))
    await expect.poll(() => openStreams.count).toBe(1)
    client.write(Buffer.from([0xff, 0xff, 0xff, 0xff]))
    await expect.poll(() => openStreams.count).toBe(0)
    expect(logged).toMatchObject([['debug', 'WebSocket failed', {}]])
  })

  test('of the internal port is in the audit log', async () => {
    const { connect, entries } = await socketPort({ authentication: authenticated(internalAdmin) })
    await connect()
    expect(entries).toMatchObject([
      [{ action: 'internal.use', user: 'anonymous' }],
      ['end'],
      [{ action: 'watch', user: 'anonymous' }, undefined],
    ])
  })
})
