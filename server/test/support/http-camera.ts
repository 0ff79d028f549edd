import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { KeyPair } from '../../src/tls/x509.ts'

/** A camera on loopback that is read over HTTP. */
export interface HttpCamera {
  readonly port: number
  /** Every request so far. */
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[]
}

export async function httpCamera(respond: RequestListener, tls?: KeyPair): Promise<HttpCamera> {
  const requests: HttpCamera['requests'] = []
  const listener: RequestListener = (request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers })
    respond(request, response)
  }
  const server: Server = tls ? createTlsServer(tls, listener) : createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, requests }
}

/** Video files as cameras send them over HTTP, in a folder. */
export interface HttpVideo {
  bytes(name: string): Buffer
}

const testVideo = ['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', 'testsrc2=s=320x240:r=10']
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '10']
/** A live playlist: it has no end tag. */
const hls = ['-f', 'hls', '-hls_time', '2', '-hls_list_size', '0', '-hls_flags', 'omit_endlist']

/** Creates `clip.ts`, `clip.mp4` with its index at the end, `ts.m3u8` and `fmp4.m3u8` with segments, and `master.m3u8`. */
export function makeHttpVideo(ffmpeg: string, folder: string): HttpVideo {
  const make = (seconds: number, ...rest: readonly string[]): void =>
    void execFileSync(ffmpeg, [...testVideo, '-t', String(seconds), ...h264, ...rest], { cwd: folder })
  make(30, '-f', 'mpegts', 'clip.ts')
  make(30, 'clip.mp4')
  make(8, ...hls, 'ts.m3u8')
  make(8, ...hls, '-hls_segment_type', 'fmp4', 'fmp4.m3u8')
  const variant = '#EXT-X-STREAM-INF:BANDWIDTH=100000,RESOLUTION=320x240\nts.m3u8?part=1\n'
  writeFileSync(join(folder, 'master.m3u8'), `#EXTM3U\n${variant}`)
  return { bytes: (name) => readFileSync(join(folder, name)) }
}
