/** Cameras that answer a request for their video with something else: endless, malformed, or meant for the service itself. */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'

let service: InProcessService
beforeAll(async () => {
  service = await startService({ config: { tls: { enabled: false } } })
})
afterAll(stopAll)

interface Tested {
  readonly ok: boolean
  readonly reason?: { readonly code: string }
}

/** A camera that answers each connection with these bytes. @returns the requests that it got */
async function camera(
  respond: (socket: Socket, request: string) => void,
): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', (chunk: Buffer) => {
      requests.push(chunk.toString('latin1'))
      respond(socket, chunk.toString('latin1'))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `http://cam:camera-word@127.0.0.1:${(server.address() as AddressInfo).port}/video`, requests }
}

const test_ = async (source: string): Promise<Tested> =>
  (await service.internal.post('/api/cameras/test', { source })).json as Tested

const ok = 'HTTP/1.1 200 OK\r\n'
/** Writes until the other end has had enough. */
const endless = (text: string) => (socket: Socket) => {
  const more = (): void => {
    while (!socket.destroyed && socket.write(text));
    if (!socket.destroyed) socket.once('drain', more)
  }
  more()
}

describe('[CAM-1] a camera that answers with something else is offline, and nothing happens to the service', () => {
  test.each<[source: string, what: string, respond: (socket: Socket, request: string) => void]>([
    ['RFC 9112 4', 'nothing', (socket) => socket.end()],
    ['RFC 9112 4', 'a reset', (socket) => socket.resetAndDestroy()],
    ['RFC 9112 4', 'something that is not HTTP', (socket) => socket.end('RTSP/1.0 200 OK\r\n\r\n')],
    ['RFC 9112 2.2', 'NULs', (socket) => socket.end('\0'.repeat(100_000))],
    ['RFC 9112 6.3', 'a length and no body', (socket) => socket.end(`${ok}Content-Length: 100\r\n\r\n`)],
    ['RFC 9112 6.3', 'two lengths', (socket) => socket.end(`${ok}Content-Length: 1\r\nContent-Length: 9\r\n\r\nx`)],
    [
      'RFC 9112 7.1',
      'a chunk of 2^64 bytes',
      (socket) => socket.end(`${ok}Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(17)}\r\n`),
    ],
    [
      'CVE-2018-12121',
      'an endless header',
      (socket) => (socket.write(`${ok}X: `), endless('x'.repeat(16_384))(socket)),
    ],
    [
      'CVE-2018-12121',
      'endless headers',
      (socket) => (socket.write(ok), endless('X-Name: value\r\n'.repeat(500))(socket)),
    ],
    [
      'RFC 9110 15.2',
      'an upgrade',
      (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    ],
    ['RFC 9110 15.3.5', 'no content', (socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n')],
    [
      'RFC 9110 15.4',
      'a redirect to itself',
      (socket) => socket.end('HTTP/1.1 302 Found\r\nLocation: /video\r\nContent-Length: 0\r\n\r\n'),
    ],
    [
      'RFC 9110 10.2.2',
      'a redirect to no URL',
      (socket) => socket.end('HTTP/1.1 302 Found\r\nLocation: http://[\r\nContent-Length: 0\r\n\r\n'),
    ],
    [
      'RFC 9110 10.2.2',
      'a redirect to a file',
      (socket) => socket.end('HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n'),
    ],
    [
      'CVE-2022-27776',
      'a redirect to another host',
      (socket) => socket.end('HTTP/1.1 302 Found\r\nLocation: http://127.0.0.2/\r\nContent-Length: 0\r\n\r\n'),
    ],
    [
      'RFC 7616 3.3',
      'a malformed challenge',
      (socket) =>
        socket.end(
          'HTTP/1.1 401 x\r\nWWW-Authenticate: Digest realm="\x01", nonce="\x7f", qop="auth"\r\nContent-Length: 0\r\n\r\n',
        ),
    ],
    [
      'RFC 7616 3.3',
      'a very long challenge',
      (socket) =>
        socket.end(`HTTP/1.1 401 x\r\nWWW-Authenticate: ${'Digest a="b", '.repeat(1000)}\r\nContent-Length: 0\r\n\r\n`),
    ],
    [
      'CVE-2020-8492',
      'a challenge of one long name',
      (socket) =>
        socket.end(`HTTP/1.1 401 x\r\nWWW-Authenticate: Digest ${'a-'.repeat(7750)}\r\nContent-Length: 0\r\n\r\n`),
    ],
    [
      'RFC 7235 2.1',
      'a challenge each time',
      (socket) => socket.end('HTTP/1.1 401 x\r\nWWW-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n'),
    ],
    [
      'CVE-2023-45671',
      'a page',
      (socket) => socket.end(`${ok}Content-Type: text/html\r\n\r\n<script>alert(1)</script>`),
    ],
    [
      'CVE-2022-36114',
      'a compressed body',
      (socket) =>
        socket.end(
          Buffer.concat([Buffer.from(`${ok}Content-Encoding: gzip\r\n\r\n`), gzipSync(Buffer.alloc(10_000_000))]),
        ),
    ],
    [
      'CVE-2023-38545',
      'a playlist that never ends',
      (socket) => (socket.write(`${ok}\r\n#EXTM3U\n`), endless('#EXTINF:1,\n/a.ts\n'.repeat(1000))(socket)),
    ],
    [
      'CVE-2016-1897',
      'a playlist of files',
      (socket) =>
        socket.end(
          `${ok}\r\n#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXTINF:1,\nconcat:/etc/passwd\n#EXT-X-ENDLIST\n`,
        ),
    ],
    [
      'CVE-2016-1898',
      'a playlist with a key',
      (socket) =>
        socket.end(
          `${ok}\r\n#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="file:///etc/passwd"\n#EXTINF:1,\nsubfile,,start,0,end,9,,:/etc/passwd\n`,
        ),
    ],
  ])('%s: %s', async (_source, _what, respond) => {
    const { url, requests } = await camera(respond)
    const result = await test_(url)
    expect(result).toMatchObject({ ok: false, reason: { code: expect.any(String) as string } })
    expect(JSON.stringify(result)).not.toMatch(/root:|camera-word|script/)
    expect(requests.length).toBeGreaterThan(0)
    for (const request of requests) {
      // Every request that a camera causes is marked, and has nothing of a user.
      expect(request).toMatch(/^x-gatehouse-camera: 1$/im)
      expect(request).not.toMatch(/cookie|gatehouse_token|bearer/i)
    }
    expect(requests.length).toBeLessThan(20)
    expect((await service.gate.get('/api/health')).status).toBe(200)
    expect(service.output()).not.toMatch(/uncaught|unhandled|camera-word/i)
  })
})

describe('[CAM-2] credentials go to the camera’s own origin, after it has asked for them', () => {
  test('CVE-2022-27776: they are not sent to another port of its host', async () => {
    const other = await camera((socket) =>
      socket.end('HTTP/1.1 401 x\r\nWWW-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n'),
    )
    const { url } = await camera((socket) => {
      const location = other.url.replace('cam:camera-word@', '')
      socket.end(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`)
    })
    expect(await test_(url)).toMatchObject({ ok: false })
    expect(other.requests.length).toBeGreaterThan(0)
    for (const request of other.requests) expect(request).not.toMatch(/^authorization:/im)
  })

  test('RFC 7235 2.1: they are not sent before the camera asks', async () => {
    const { url, requests } = await camera((socket) => socket.end('HTTP/1.1 404 x\r\nContent-Length: 0\r\n\r\n'))
    expect(await test_(url)).toMatchObject({ ok: false })
    for (const request of requests) expect(request).not.toMatch(/^authorization:/im)
  })
})
