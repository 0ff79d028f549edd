import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { streamProblem } from './reason.ts'
import { explainedLogin, isUnsupportedLogin } from './rtsp-login.ts'

const digest = (algorithm: string): string =>
  `WWW-Authenticate: Digest realm="cam", nonce="1"${algorithm && `, algorithm=${algorithm}`}`
const basic = 'WWW-Authenticate: Basic realm="cam"'

test.each<[string, readonly string[], boolean]>([
  ['Digest without an algorithm', [digest('')], false],
  ['Digest with MD5', [digest('"MD5"')], false],
  ['Basic', [basic], false],
  ['SHA-256 alone', [digest('SHA-256')], true],
  ['SHA-256 and Basic', [digest('"SHA-256"'), basic], true],
  ['MD5, then SHA-256, which ffmpeg takes', [digest('MD5'), digest('SHA-256')], true],
  ['SHA-256, then MD5', [digest('SHA-256'), digest('MD5')], false],
  ['another scheme alone', ['WWW-Authenticate: Bearer realm="cam"'], true],
  ['no challenge', ['Server: cam'], false],
])('%s', (_what, headers, expected) => {
  expect(isUnsupportedLogin(['RTSP/1.0 401 Unauthorized', 'CSeq: 1', ...headers, '', ''].join('\r\n'))).toBe(expected)
})

test('a response that is not a challenge says nothing about the login', () => {
  expect(isUnsupportedLogin(`RTSP/1.0 302 Found\r\n${digest('SHA-256')}\r\n\r\n`)).toBe(false)
  expect(isUnsupportedLogin('')).toBe(false)
})

/** A camera that treats each connection in the same way. @returns its port, and what it received */
async function camera(respond: (socket: Socket) => void) {
  const received: string[] = []
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.once('data', (data) => {
      received.push(data.toString('latin1'))
      respond(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, received }
}

const wrong = streamProblem('wrong-credentials')
const explained = (protocol: 'rtsp' | 'rtsps', port: number, signal = new AbortController().signal) => {
  const url = `${protocol}://ann:s3cret@127.0.0.1:${port}/live?user=ann&password=s3cret`
  return explainedLogin({ kind: 'stream', protocol, url }, wrong, signal)
}
const challenge = `RTSP/1.0 401 Unauthorized\r\n${digest('SHA-256')}\r\n\r\n`

test('the camera is asked without the credentials in its URL', async () => {
  const { port, received } = await camera((socket) => void socket.write(challenge))
  expect(await explained('rtsp', port)).toEqual(streamProblem('unsupported-login'))
  expect(received.join()).toContain(`DESCRIBE rtsp://127.0.0.1:${port}/live RTSP/1.0`)
  expect(received.join()).not.toMatch(/ann|s3cret/)
})

test.each<[what: string, protocol: 'rtsp' | 'rtsps', respond: (socket: Socket) => void]>([
  ['closes the connection', 'rtsp', (socket) => void socket.end()],
  ['resets the connection', 'rtsp', (socket) => void socket.resetAndDestroy()],
  ['speaks no TLS', 'rtsps', (socket) => void socket.write(challenge)],
  ['sends without end', 'rtsp', (socket) => void socket.write('x'.repeat(1_000_000))],
])('a camera that %s keeps its problem', async (_what, protocol, respond) => {
  const { port } = await camera(respond)
  expect(await explained(protocol, port)).toBe(wrong)
})

test('a camera that can’t be reached keeps its problem', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  expect(await explained('rtsp', port)).toBe(wrong)
})

test('a request that is stopped while the camera is silent ends', async () => {
  const stopped = new AbortController()
  const { port } = await camera(() => stopped.abort())
  expect(await explained('rtsp', port, stopped.signal)).toBe(wrong)
})
