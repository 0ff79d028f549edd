import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http'
import { connect, createServer as createTcpServer, type AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { cameraRequestHeader } from '../src/shared/camera/camera-request.ts'
import { createCertificateAuthority, issueServerCertificate } from '../src/tls/generate-certificate.ts'
import type { KeyPair } from '../src/tls/x509.ts'
import { ffmpeg, offline, online, programs, startCameras, stallsSoon, until } from './support/cameras-alone.ts'
import { childrenOf, commandLines, isListening, listeningPorts } from './support/children.ts'
import { stopAll } from './support/cleanups.ts'
import { freePort } from './support/free-port.ts'
import { httpCamera, makeHttpVideo, type HttpVideo } from './support/http-camera.ts'
import { rawBytes } from './support/raw-request.ts'
import { startRtspCamera, type RtspCamera } from './support/rtsp-camera.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { scopedCamera } from './support/scoped.ts'

const folder = temporaryFolder()
afterAll(stopAll)
let video: HttpVideo
let tls: KeyPair
beforeAll(async () => {
  video = makeHttpVideo(ffmpeg, folder)
  const site = { names: ['camera'], addresses: ['127.0.0.1'] }
  tls = await issueServerCertificate(await createCertificateAuthority(site, Date.now()), site, Date.now())
})

const basic = `Basic ${btoa('cam:pass:w/rd')}`
const login = 'cam:pass%3Aw%2Frd'

/** Sends a file and keeps the connection open, as a live camera does. */
const endless =
  (name: string): RequestListener =>
  (_request, response) =>
    void response.write(video.bytes(name))

/** Sends the files of the folder. */
const filesOf: RequestListener = (request, response) => {
  const name = new URL(request.url ?? '', 'http://camera').pathname.slice(1)
  response.end(video.bytes(name))
}

/** Responds to range requests, but never sends the file's end to a range that starts in the video. */
const partly: RequestListener = (request, response) => {
  const whole = video.bytes('clip.mp4')
  const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
  const to = whole.length - 1
  response.writeHead(206, { 'content-range': `bytes ${from}-${to}/${to + 1}`, 'content-length': to + 1 - from })
  const atIndex = from > to / 2
  if (atIndex) response.end(whole.subarray(from))
  else response.write(whole.subarray(from, from + ((to / 3) | 0)))
}

/** Digest authentication (RFC 7616). */
const digest =
  (algorithm: 'MD5' | 'SHA-256' | 'MD5-sess', qop: boolean): RequestListener =>
  (request, response) => {
    const hash = (text: string): string =>
      createHash(algorithm === 'SHA-256' ? 'sha256' : 'md5')
        .update(text)
        .digest('hex')
    const sent = request.headers.authorization ?? ''
    const field = (name: string): string => new RegExp(`\\b${name}="?([^",]*)`).exec(sent)?.[1] ?? ''
    const secret = hash('cam:door cam:pass:w/rd')
    const key = algorithm === 'MD5-sess' ? hash(`${secret}:n0nce:${field('cnonce')}`) : secret
    const middle = qop ? `${field('nc')}:${field('cnonce')}:auth:` : ''
    const expected = hash(`${key}:n0nce:${middle}${hash(`GET:${request.url}`)}`)
    if (sent.startsWith('Digest ') && field('response') === expected) return endless('clip.ts')(request, response)
    const challenge = `Digest realm="door cam", nonce="n0nce", algorithm=${algorithm}${qop ? ', qop="auth,auth-int"' : ''}`
    return response.writeHead(401, { 'www-authenticate': [`Basic realm="door cam"`, challenge] }).end()
  }

const withBasic =
  (next: RequestListener): RequestListener =>
  (request, response) => {
    if (request.headers.authorization === basic) return next(request, response)
    return response.writeHead(401, { 'www-authenticate': 'Basic realm="cam"' }).end()
  }

/** Sends one JPEG after the other; `video` isn't a JPEG, so each is made of the same few bytes. */
const motionJpeg =
  (jpeg: Buffer): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=frame' })
    const send = setInterval(() => {
      response.write(`--frame\r\nContent-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n\r\n`)
      response.write(jpeg)
      response.write('\r\n')
    }, 100)
    response.on('close', () => clearInterval(send))
  }

const to =
  (location: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(302, { location }).end()

describe.each(programs)('honest cameras over HTTP, with %s', (program) => {
  const cases: readonly (readonly [string, RequestListener, string])[] = [
    ['a stream', endless('clip.ts'), '/video?a=b'],
    ['Basic credentials', withBasic(endless('clip.ts')), '/video'],
    ['Digest credentials', digest('MD5', true), '/video?a=b'],
    ['Digest credentials of SHA-256', digest('SHA-256', true), '/video'],
    ['Digest credentials without qop', digest('MD5', false), '/video'],
    ['Digest credentials of a session', digest('MD5-sess', true), '/video'],
    ['a file with its index at the end', partly, '/clip.mp4'],
    ['a playlist', withBasic(filesOf), '/ts.m3u8'],
    ['a playlist with an init section', withBasic(filesOf), '/fmp4.m3u8'],
    ['a playlist of playlists', withBasic(filesOf), '/master.m3u8'],
  ]
  test.each(cases)('[CAM-1] a camera on loopback is shown: %s', async (_what, respond, path) => {
    const cam = await httpCamera(respond)
    const { cameras } = startCameras({ yard: `http://${login}@127.0.0.1:${cam.port}${path}` }, { ffmpeg: program })
    await online(cameras, 'yard')
    expect(cameras.responseOf('yard').resolution).toBe('320x240')
    for (const { headers } of cam.requests) expect(headers[cameraRequestHeader]).toBe('1')
  })

  test('[CAM-1] an HTTPS camera with a self-signed certificate is shown', async () => {
    const cam = await httpCamera(withBasic(filesOf), tls)
    const { cameras } = startCameras({ yard: `https://${login}@127.0.0.1:${cam.port}/ts.m3u8` }, { ffmpeg: program })
    await online(cameras, 'yard')
    for (const { headers } of cam.requests) expect(headers[cameraRequestHeader]).toBe('1')
  })

  test('[CAM-2] a redirect to the same host is followed, a redirect to another host is not', async () => {
    const other = await httpCamera(endless('clip.ts'))
    const secure = await httpCamera(endless('clip.ts'), tls)
    const asking = await httpCamera(withBasic(endless('clip.ts')))
    const cam = await httpCamera((request, response) => {
      const targets = new Map([
        ['/relative', '/video'],
        ['/port', `http://127.0.0.1:${other.port}/video`],
        ['/upgrade', `https://127.0.0.1:${secure.port}/video`],
        ['/name', `http://localhost:${other.port}/video`],
        ['/v6', `http://[::1]:${other.port}/video`],
        ['/user', `http://127.0.0.1@localhost:${other.port}/video`],
        ['/scheme', `//localhost:${other.port}/video`],
        ['/file', `file://${folder}/clip.ts`],
        ['/round', '/round'],
        ['/asking', `http://127.0.0.1:${asking.port}/video`],
      ])
      const target = targets.get(request.url ?? '')
      return target ? to(target)(request, response) : endless('clip.ts')(request, response)
    })
    const down = await httpCamera(to(`http://127.0.0.1:${cam.port}/video`), tls)
    const at = (path: string): string => `http://${login}@127.0.0.1:${cam.port}/${path}`
    const good = ['relative', 'port', 'upgrade']
    const bad = ['name', 'v6', 'user', 'scheme', 'file']
    const sources = Object.fromEntries([...good, ...bad, 'round', 'asking'].map((path) => [path, at(path)]))
    const { cameras } = startCameras({ ...sources, down: `https://127.0.0.1:${down.port}/` }, { ffmpeg: program })
    await Promise.all(good.map((name) => online(cameras, name)))
    await Promise.all([...bad, 'down'].map((name) => offline(cameras, name, /another host/)))
    await Promise.all(['round', 'asking'].map((name) => offline(cameras, name, /can't be read/)))
    expect(asking.requests.length).toBeGreaterThan(0)
    const requested = other.requests.map(({ headers }) => headers.host)
    expect(new Set(requested)).toEqual(new Set([`127.0.0.1:${other.port}`]))
    // Credentials are only for the origin they were entered for.
    for (const { headers } of [other, secure, asking].flatMap(({ requests }) => requests))
      expect(headers.authorization).toBeUndefined()
  })

  test('[CAM-2] a playlist’s URLs on another host are not read', async () => {
    const other = await httpCamera(filesOf)
    const away = `http://localhost:${other.port}`
    const playlists = new Map([
      ['/variant', `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${away}/ts.m3u8\n`],
      ['/segment', `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${away}/ts0.ts\n`],
      ['/init', `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MAP:URI=${away}/init.mp4\n#EXTINF:2,\nfmp40.m4s\n`],
      ['/key', `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-KEY:METHOD=AES-128,URI="${away}/key"\n#EXTINF:2,\nts0.ts\n`],
      ['/nested', `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nconcat:${away}/ts0.ts\n`],
      ['/tcp', `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\ntcp://127.0.0.1:${other.port}\n`],
      ['/subfile', `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nsubfile,,start,0,end,0,,:${away}/ts0.ts\n`],
      ['/file', `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nfile://${folder}/ts0.ts\n`],
    ])
    const cam = await httpCamera((request, response) => response.end(playlists.get(request.url ?? '')))
    const names = [...playlists.keys()].map((path) => path.slice(1))
    const sources = Object.fromEntries(names.map((name) => [name, `http://127.0.0.1:${cam.port}/${name}`]))
    const { cameras } = startCameras(sources, { ffmpeg: program, times: stallsSoon })
    await Promise.all(names.map((name) => offline(cameras, name, /./)))
    expect(cameras.responseOf('segment').detail).toMatch(/another host/)
    expect(names.filter((name) => cameras.responseOf(name).resolution !== null)).toEqual([])
    expect(other.requests).toEqual([])
  })

  test('[CAM-2] a playlist with too many links is not read', async () => {
    const cam = await httpCamera((request, response) => {
      if (request.url !== '/toomany') return filesOf(request, response)
      const links = '#EXTINF:2,\na\n'.repeat(60_000)
      return response.end(`#EXTM3U\n#EXT-X-TARGETDURATION:2\n${links}#EXTINF:2,\nts0.ts\n#EXTINF:2,\nts1.ts\n`)
    })
    const { cameras } = startCameras({ yard: `http://127.0.0.1:${cam.port}/toomany` }, { ffmpeg: program })
    await offline(cameras, 'yard', /./)
    expect(new Set(cam.requests.map(({ path }) => path))).toEqual(new Set(['/toomany']))
  })

  test('[CAM-1] a camera that leads to another port of its host does not reveal whether that port responds', async () => {
    const closed = await freePort()
    const cam = await httpCamera((request, response) => {
      const location = `http://127.0.0.1:${closed}/`
      if (request.url === '/redirect') return to(location)(request, response)
      return response.end(`#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${location}\n`)
    })
    const at = (path: string): string => `http://127.0.0.1:${cam.port}/${path}`
    const { cameras } = startCameras({ redirect: at('redirect'), playlist: at('playlist') }, { ffmpeg: program })
    await Promise.all(['redirect', 'playlist'].map((name) => offline(cameras, name, /^The source can't be read\.$/)))
  })

  test('[CAM-1] a file that is not a playlist leads to no other URL', async () => {
    const requested: string[] = []
    const cam = await httpCamera((request, response) => {
      requested.push(request.url ?? '')
      if (request.url === '/concat')
        return response.end(`ffconcat version 1.0\nfile http://127.0.0.1:${cam.port}/clip.ts\n`)
      return response.end(' #EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nts0.ts\n')
    })
    const at = (path: string): string => `http://127.0.0.1:${cam.port}/${path}`
    const { cameras } = startCameras({ concat: at('concat'), spaced: at('spaced') }, { ffmpeg: program })
    await Promise.all(['concat', 'spaced'].map((name) => offline(cameras, name, /./)))
    expect(requested.filter((path) => path.endsWith('.ts'))).toEqual([])
  })
})

describe.each(programs)('JPEG streams, with %s', (program) => {
  test('[CAM-1] a camera that sends JPEGs is read, and recognized by its content type', async () => {
    const made = [
      '-v',
      'error',
      '-nostdin',
      '-f',
      'lavfi',
      '-i',
      'testsrc2=s=320x240',
      '-frames:v',
      '1',
      '-f',
      'mjpeg',
      '-',
    ]
    const cam = await httpCamera(motionJpeg(execFileSync(program, made)))
    const { cameras } = startCameras({ yard: `http://127.0.0.1:${cam.port}/video.mjpg` }, { ffmpeg: program })
    // Browsers do not play Motion JPEG; what counts is that the stream was recognized.
    await offline(cameras, 'yard', /video format/)
  })
})

/** Sends a request through a proxy on loopback. */
async function getThrough(port: number, path: string, authorization?: string): Promise<{ status: number }> {
  const headers = { host: 'camera', ...(authorization !== undefined && { 'proxy-authorization': authorization }) }
  const asking = request({ host: '127.0.0.1', port, path, headers, agent: false, timeout: 1000 }).end()
  asking.on('timeout', () => asking.destroy())
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  response.destroy()
  return { status: response.statusCode ?? 0 }
}

/** An RTSP camera behind TLS. */
async function withTls(cam: RtspCamera): Promise<string> {
  const server = createTlsServer(tls, (socket) => {
    const onward = connect(cam.port, '127.0.0.1')
    socket.pipe(onward).pipe(socket)
    for (const each of [socket, onward]) each.on('error', () => onward.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return cam.url().replace('rtsp:', 'rtsps:').replace(`:${cam.port}/`, `:${port}/`)
}

/** An RTMP camera that waits for one viewer. */
async function rtmpCamera(): Promise<number> {
  const port = await freePort()
  const source = ['-v', 'error', '-nostdin', '-re', '-f', 'lavfi', '-i', 'testsrc2=s=320x240:r=10']
  // RTMP announces both audio and video; without audio, ffmpeg would wait for it.
  const audio = ['-f', 'lavfi', '-i', 'sine=440', '-c:a', 'aac']
  const encoded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '10', '-f', 'flv']
  const child = spawn(ffmpeg, [...source, ...audio, ...encoded, '-listen', '1', `rtmp://127.0.0.1:${port}/live`])
  onTestFinished(() => void child.kill('SIGKILL'))
  await until(() => expect(isListening(port)).toBe(true))
  return port
}

describe.each(programs)('credentials, with %s', (program) => {
  test('[CAM-3] no command line contains them, whatever the protocol, and no log line does', async () => {
    const cam = await startRtspCamera({ ffmpeg, password: 'S3cret-w0rd' })
    onTestFinished(() => cam.stop())
    const rtmp = await rtmpCamera()
    const web = await httpCamera(withBasic(endless('clip.ts')))
    const secureWeb = await httpCamera(withBasic(filesOf), tls)
    const seen = new Map<number, string>()
    const watching = setInterval(() => {
      for (const [pid, line] of commandLines()) if (line !== '') seen.set(pid, `${seen.get(pid) ?? ''}\n${line}`)
    }, 20)
    onTestFinished(() => clearInterval(watching))
    const sources = {
      rtsp: cam.url(),
      rtsps: await withTls(cam),
      rtmp: `rtmp://127.0.0.1:${rtmp}/live?user=cam&password=S3cret-w0rd`,
      http: `http://${login}@127.0.0.1:${web.port}/video?token=S3cret-w0rd`,
      https: `https://${login}@127.0.0.1:${secureWeb.port}/ts.m3u8?token=S3cret-w0rd`,
    }
    const { cameras, logged } = startCameras(sources, { ffmpeg: program })
    await Promise.all(Object.keys(sources).map((name) => online(cameras, name)))
    for (const name of Object.keys(sources))
      expect((await cameras.latest(scopedCamera(name)))?.jpeg.length).toBeGreaterThan(100)
    clearInterval(watching)
    const lines = [...seen.values()].filter((line) => line.includes(program)).join('\n')
    expect(lines).toContain('pipe:')
    for (const secret of ['S3cret-w0rd', 'pass:w/rd', encodeURIComponent('pass:w/rd')]) {
      expect(lines).not.toContain(secret)
      expect(logged()).not.toContain(secret)
    }
  })

  test('[CAM-3] no command line contains them while a service streams, records, detects motion and tests a source', async () => {
    const cam = await startRtspCamera({ ffmpeg, password: 'S3cret-w0rd' })
    onTestFinished(() => cam.stop())
    const seen = new Set<string>()
    const watching = setInterval(() => {
      for (const line of commandLines().values()) seen.add(line)
    }, 20)
    onTestFinished(() => clearInterval(watching))
    const source = cam.url().replace('S3cret-w0rd', '{SERVICE_CAM_PASSWORD}')
    const service = await startService({
      env: { SERVICE_CAM_PASSWORD: 'S3cret-w0rd', PATH: `${dirname(program)}:${process.env['PATH'] ?? ''}` },
      config: {
        cameras: { yard: { source, motion: { detect_source: source } } },
        logger: { default: 'debug' },
      },
    })
    await until(async () =>
      expect((await service.internal.get('/api/cameras/yard')).json).toMatchObject({
        state: 'online',
        recording_state: 'recording',
        motion_state: 'active',
      }),
    )
    // Again, should a busy machine take longer than a test of a source may.
    const tested = async (source: string) => (await service.internal.post('/api/cameras/test', { source })).json
    await until(async () => expect(await tested(cam.url())).toMatchObject({ ok: true }))
    await until(async () =>
      expect(await tested(cam.url('S3cret-wr0ng'))).toMatchObject({ reason: { code: 'wrong-credentials' } }),
    )
    expect((await service.internal.get('/api/cameras/yard/latest.jpg')).status).toBe(200)
    const children = childrenOf(process.pid)
    expect(children.length).toBeGreaterThan(1)
    for (const pid of children) expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).not.toContain('S3cret')
    clearInterval(watching)
    const lines = [...seen].join('\n')
    expect(lines).toContain('ffmpeg')
    expect(lines).not.toContain('S3cret')
    expect(service.output() + (await service.internal.get('/api/logs')).text).not.toContain('S3cret')
  })

  test('[CAM-3] [CAM-1] the local relay to an HTTP camera only serves its own child process', async () => {
    const cam = await httpCamera(withBasic(endless('clip.ts')))
    const { cameras } = startCameras({ yard: `http://${login}@127.0.0.1:${cam.port}/video` }, { ffmpeg: program })
    await online(cameras, 'yard')
    const relays = await Promise.all(
      listeningPorts().map(async (port) => ({
        port,
        ...(await getThrough(port, 'http://camera/source').catch(() => ({ status: 0 }))),
      })),
    )
    const [relay, ...others] = relays.filter(({ status }) => status === 407)
    expect(others).toEqual([])
    for (const password of ['', 'camera', 'Basic Y2FtZXJhOg==']) {
      expect((await getThrough(relay!.port, 'http://camera/source', password)).status).toBe(407)
    }
    await cameras.stop()
    await until(() => expect(isListening(relay!.port)).toBe(false))
  })
})

/** The URL that the untrusted camera leads to, set by each test. */
let leading: RequestListener = (_request, response) => void response.end()

describe('the ports of the service', () => {
  let service: InProcessService
  let cam: RtspCamera
  let guest: TestClient
  let evil: { readonly port: number; close(): void }

  beforeAll(async () => {
    cam = await startRtspCamera({ ffmpeg })
    const server = createServer((request, response) => leading(request, response))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const close = (): void => {
      server.closeAllConnections()
      server.close()
    }
    evil = { port: (server.address() as AddressInfo).port, close }
    service = await startService({
      config: {
        cameras: {
          door: { source: cam.url() },
          evil: {
            source: `http://127.0.0.1:${evil.port}/evil`,
            motion: { detect_source: `http://127.0.0.1:${evil.port}/motion` },
          },
        },
        auth: { roles: { guest: ['evil'] } },
      },
    })
    guest = await service.user('gus', 'guest')
    await until(async () =>
      expect((await service.internal.get('/api/cameras/door')).json).toMatchObject({ state: 'online', fps: 10 }),
    )
    // A readable resource must exist at the target.
    await until(async () => expect((await service.internal.get('/api/cameras/door/live/index.m3u8')).status).toBe(200))
  })
  afterAll(async () => {
    await stopAll()
    await cam.stop()
    evil.close()
  })

  const live = '/api/cameras/door/live/index.m3u8'
  const try_ = async (source: string) =>
    (await service.internal.post('/api/cameras/test', { source })).json as { ok: boolean; detail?: string }

  test('[CAM-1] no source reaches a port by its address, however it is spelled', async () => {
    const hosts = ['127.0.0.1', 'localhost', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0.0.0.0', hostname()]
    const sources = hosts.flatMap((host) => [
      `http://${host}:${service.internalPort}${live}`,
      `https://user:word@${host}:${service.gatePort}${live}`,
    ])
    const ways = ['mjpeg', 'latest.jpg', 'live/1/init.mp4'].map(
      (way) => `http://127.0.0.1:${service.internalPort}/api/cameras/door/${way}`,
    )
    const strange = [
      `rtsp://127.0.0.1:${service.internalPort}${live}`,
      `rtsp://127.0.0.1:${service.internalPort}${live}?http`,
      `rtmp://127.0.0.1:${service.internalPort}${live}`,
      `http://127.0.0.1:${service.internalPort}//api/../api/cameras/door/live/index.m3u8`,
    ]
    for (const source of [...sources, ...ways, ...strange]) {
      expect([source, await try_(source)]).toEqual([source, expect.objectContaining({ ok: false })])
    }
  })

  const internalUrl = (): string => `http://127.0.0.1:${service.internalPort}`
  const gate = (): string => `https://127.0.0.1:${service.gatePort}`
  const leads: readonly (readonly [string, (base: string) => RequestListener])[] = [
    ['a redirect', (base) => (_request, response) => response.writeHead(302, { location: `${base}${live}` }).end()],
    [
      'a redirect to a stream of JPEGs',
      (base) => (_request, response) => response.writeHead(307, { location: `${base}/api/cameras/door/mjpeg` }).end(),
    ],
    [
      'a playlist of playlists',
      (base) => (_request, response) => response.end(`#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${base}${live}\n`),
    ],
    [
      'a playlist whose segments redirect',
      (base) => (request, response) => {
        if (request.url !== '/evil' && request.url !== '/motion') {
          return response.writeHead(302, { location: `${base}${live}` }).end()
        }
        return response.end('#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n/away.m3u8\n')
      },
    ],
  ]
  test.each(leads)(
    '[CAM-1] a camera that leads there with %s shows nothing',
    async (_what, leadTo) => {
      for (const base of [internalUrl(), gate()]) {
        leading = leadTo(base)
        const result = await try_(`http://127.0.0.1:${evil.port}/evil`)
        expect(result).toMatchObject({ ok: false })
        // Nor does the camera lead there in live view, snapshots, recordings or motion detection.
        expect((await guest.get('/api/cameras/evil')).json).toMatchObject({ resolution: null, codec: null })
        for (const path of ['latest.jpg', 'live/index.m3u8']) {
          expect((await guest.get(`/api/cameras/evil/${path}`)).status).toBe(503)
        }
        const now = Math.floor(Date.now() / 1000)
        const recorded = await guest.get(`/api/cameras/evil/recordings?after=${now - 3600}&before=${now + 60}`)
        expect(recorded.json).toEqual({ segments: [] })
      }
      expect(service.output()).toContain('request rejected: sent by a camera')
    },
    240_000,
  )

  test('[CAM-1] an RTSP camera that redirects there, or to a file, shows nothing', async () => {
    let location = ''
    let status = ''
    const server = createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', () => socket.write(`RTSP/1.0 ${status}\r\nCSeq: 1\r\nLocation: ${location}\r\n\r\n`))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const ports = [internalUrl(), gate()].flatMap((base) => {
      const address = base.replace(/^https?:/, '')
      return [`rtsp:${address}${live}`, `rtsp:${address}${live}?http`, `rtsps:${address}/`, `${base}${live}`]
    })
    const file = join(folder, 'clip.mp4')
    const files = [`file:${file}`, `file://${file}`, file, `concat:${file}`, `subfile,,start,0,end,0,,:${file}`]
    for (const next of [...ports, ...files]) {
      for (status of ['301 Moved Permanently', '302 Found']) {
        location = next
        const result = await try_(`rtsp://cam:word@127.0.0.1:${port}/`)
        expect([next, status, result]).toEqual([next, status, expect.objectContaining({ ok: false })])
      }
    }
  })

  const requests: readonly (readonly [string, string])[] = [
    ['an API path', 'GET /api/cameras/door/latest.jpg HTTP/1.1'],
    ['a change', 'POST /api/users HTTP/1.1'],
    ['a page', 'GET / HTTP/1.1'],
    ['health', 'GET /api/health HTTP/1.1'],
    ['a file of the page', 'GET /favicon.svg HTTP/1.1'],
    ['an older version', 'GET /api/cameras HTTP/1.0'],
    ['a path that is rejected anyway', 'GET /api/../api/cameras HTTP/1.1'],
    ['a resource that does not exist', 'OPTIONS * HTTP/1.1'],
  ]
  test.each(requests)('[CAM-1] both ports reject requests with the marker header: %s', async (_what, line) => {
    for (const client of [service.internal, service.gate]) {
      for (const marker of ['X-Gatehouse-Camera: 1', 'x-gatehouse-camera:', 'X-GATEHOUSE-CAMERA: 0']) {
        const head = [line, `Host: 127.0.0.1:${client.port}`, marker, 'Connection: close']
        const { status, body } = await rawBytes(client, `${head.join('\r\n')}\r\n\r\n`)
        expect(status).toBeGreaterThanOrEqual(400)
        expect(status).toBeLessThan(404)
        expect(body).not.toContain('<html')
      }
    }
  })

  const warnings = async () =>
    ((await service.internal.get('/api/logs')).json as { lines: { message: string }[] }).lines.filter(({ message }) =>
      message.startsWith('request rejected: sent by a camera'),
    ).length
  test('[CAM-1] [AUD-2] requests with the marker make at most one log line per minute', async () => {
    const before = await warnings()
    for (let sent = 0; sent < 30; sent++) {
      expect((await service.gate.get('/api/health', { [cameraRequestHeader]: '1' })).status).toBe(403)
    }
    expect((await warnings()) - before).toBeLessThanOrEqual(1)
  })

  test('[CAM-1] both ports reject the marker on a connection that was good before, and in an upgrade', async () => {
    const head = (more: readonly string[]): string =>
      ['GET /api/health HTTP/1.1', `Host: 127.0.0.1:${service.internalPort}`, ...more, '', ''].join('\r\n')
    const both = await rawBytes(service.internal, head([]) + head(['X-Gatehouse-Camera: 1', 'Connection: close']))
    expect([...(both.head + both.body).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '200',
      '403',
    ])

    for (const client of [service.internal, await service.admin()]) {
      const socket = client.socket('/api/cameras/door/live', { headers: { [cameraRequestHeader]: '1' } })
      socket.on('error', () => {})
      const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
      expect(response.statusCode).toBe(403)
    }
  })
})

describe('placeholders', () => {
  test('[SEC-5] no key resolves a placeholder to the signing secret, or to a variable of another key', async () => {
    const signing = 'signs-tokens-'.repeat(6)
    const web = await httpCamera((_request, response) => response.writeHead(404).end())
    const service = await startService({
      env: {
        SERVICE_JWT_SECRET: signing,
        SERVICE_PROXY_A: 'pr0xy-a',
        SERVICE_DATABASE_A: 'd4tabase-a',
        SERVICE_CAM_A: 'c4m-a',
      },
    })
    const at = `127.0.0.1:${web.port}`
    const wrong: readonly (readonly [string, object])[] = [
      ['cameras.yard.source', { source: `http://${at}/{SERVICE_JWT_SECRET}` }],
      ['cameras.yard.source', { source: `http://u:{SERVICE_JWT_SECRET}@${at}/` }],
      ['cameras.yard.source', { source: `http://${at}/?{SERVICE_PROXY_A}` }],
      ['cameras.yard.source', { source: `http://u:{SERVICE_DATABASE_A}@${at}/` }],
      ['cameras.yard.source', { source: `http://${at}/{SERVICE_CAM_A}` }],
      ['cameras.yard.source', { source: 'http://{SERVICE_CAM_A}/' }],
      [
        'cameras.yard.motion.detect_source',
        { source: 'demo:yard', motion: { detect_source: `http://${at}/?{SERVICE_JWT_SECRET}` } },
      ],
      [
        'cameras.yard.motion.detect_source',
        { source: 'demo:yard', motion: { detect_source: `http://${at}/{SERVICE_CAM_A}` } },
      ],
    ]
    const keys = [
      ...wrong.map(([field, yard]) => ({ field, body: { cameras: { yard } } })),
      { field: 'proxy.auth_secret', body: { proxy: { auth_secret: '{SERVICE_JWT_SECRET}' } } },
      { field: 'proxy.auth_secret', body: { proxy: { auth_secret: '{SERVICE_CAM_A}' } } },
      { field: 'database.url', body: { database: { url: 'postgres://u:{SERVICE_JWT_SECRET}@127.0.0.1/x' } } },
      { field: 'database.url', body: { database: { url: 'postgres://u:{SERVICE_PROXY_A}@127.0.0.1/x' } } },
    ]
    for (const { field, body } of keys) {
      const { headers } = await service.internal.get('/api/config/raw')
      const saved = await service.internal.put('/api/config/raw', JSON.stringify(body), {
        'if-match': headers.etag,
        'content-type': 'text/yaml',
      })
      expect([field, saved.status]).toEqual([field, 400])
      const [problem] = (saved.json as { problems: { field: string; code: string }[] }).problems
      expect(problem).toMatchObject({ field, code: expect.stringMatching(/^placeholder-/) })
    }

    // A connection test resolves no placeholder: it sends exactly what was entered.
    for (const name of ['SERVICE_JWT_SECRET', 'SERVICE_CAM_A']) {
      await service.internal.post('/api/cameras/test', { source: `http://u:{${name}}@${at}/{${name}}?{${name}}` })
    }
    expect(web.requests.length).toBeGreaterThan(0)
    const sent = decodeURIComponent(JSON.stringify(web.requests))
    for (const secret of [signing, 'pr0xy-a', 'd4tabase-a', 'c4m-a']) {
      expect(sent).not.toContain(secret)
      expect(service.output()).not.toContain(secret)
    }
  })
})
