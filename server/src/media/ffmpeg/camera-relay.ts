import { LRUCache } from 'lru-cache'
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { cameraHttp } from './camera-http.ts'
import { StreamError } from './output.ts'
import { playlistMark, replaceLinks } from './playlist-links.ts'
import { streamProblem, type StreamProblem } from './reason.ts'
import { cacheLimit } from '../../shared/cache-limit.ts'

/** Gives one child access to one HTTP camera. */
export interface CameraRelay {
  /** URL that ffmpeg opens. Contains nothing about the camera. */
  readonly url: string
  /** URL of the HTTP proxy that ffmpeg must use, with its password: never put it in the arguments. */
  readonly proxy: string
  /** Whether the source is an HLS playlist. */
  readonly isPlaylist: boolean
  /** Whether the source is MPEG-TS. */
  readonly isTransportStream: boolean
  /** Why a later request failed; undefined if unknown. */
  problem(): StreamProblem | undefined
  close(): void
}

export interface CameraRelayDeps {
  readonly source: URL
  /** Milliseconds of silence after which a request is aborted. */
  readonly timeout: number
  /** Aborts the opening. */
  readonly signal: AbortSignal
}

interface Opened {
  readonly url: URL
  readonly response: IncomingMessage
  /** undefined if it is not a playlist. */
  readonly playlist: string | undefined
  readonly isTransportStream: boolean
}

/**
 * Maximum number of links that can still be requested; of links and bytes of one playlist. Reading its links blocks
 * the service, for 0.1 s at the maximum.
 */
const limits = { links: 4096, linksOfOne: 50_000, playlist: 1024 * 1024 } as const

/** Each packet of MPEG-TS begins with it, and no other format that ffmpeg can use. */
const syncByte = 0x47

/** A hostname that leads nowhere except through the relay. */
const host = 'camera'

/**
 * Opens a source, and an HTTP proxy on loopback through which ffmpeg reads it.
 *
 * ffmpeg would follow every redirect and every playlist link to any host. Instead {@link cameraHttp} makes the
 * requests, and the proxy serves only the source and the links of its playlists.
 *
 * Rejects with a {@link StreamError}.
 */
export async function openCameraRelay({ source, timeout, signal }: CameraRelayDeps): Promise<CameraRelay> {
  const ending = new AbortController()
  const http = cameraHttp({ source, timeout, signal: AbortSignal.any([signal, ending.signal]) })
  const open = async (url: URL, range: string | undefined): Promise<Opened> => {
    const opened = await http.get(url, range)
    return { ...opened, ...(await beginningOf(opened.response)) }
  }
  const atFirst = await open(source, 'bytes=0-')
  const isPlaylist = atFirst.playlist !== undefined
  /** The first request reuses the response opened to detect a playlist: some cameras allow one connection. */
  let unread: Opened | undefined = atFirst
  let problem: StreamProblem | undefined
  const links = new LRUCache<string, URL>(cacheLimit(limits.links))
  const linkFor = (url: URL): string => {
    const id = createHash('sha256').update(url.href).digest('base64url')
    if (http.reaches(url)) links.set(id, url)
    else problem = streamProblem('other-host')
    return `http://${host}/${id}${/\.[A-Za-z0-9]{1,5}$/.exec(url.pathname)?.[0] ?? ''}`
  }
  const path = isPlaylist ? '/source.m3u8' : '/source'
  const targetOf = (requested: string | undefined): URL | undefined => {
    const url = URL.parse(requested ?? '')
    if (url?.host !== host) return undefined
    if (url.pathname === path) return source
    return isPlaylist ? links.get(/^\/([\w-]+)/.exec(url.pathname)?.[1] ?? '') : undefined
  }

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = targetOf(request.url)
    if (!target || request.method !== 'GET') return void response.writeHead(404).end()
    const { range } = request.headers
    const early = target === source && (range ?? 'bytes=0-') === 'bytes=0-' ? unread : undefined
    if (early) unread = undefined
    const { url, response: from, playlist } = early ?? (await open(target, range))
    problem = undefined
    if (playlist !== undefined && isPlaylist) {
      let left: number = limits.linksOfOne
      const body = replaceLinks(playlist, url, (link) => {
        if (left-- === 0) throw new StreamError(streamProblem('unreadable-video'))
        return linkFor(link)
      })
      return void response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' }).end(body)
    }
    if (playlist !== undefined) return void response.writeHead(404).end()
    const passedOn = ['content-type', 'content-length', 'content-range', 'accept-ranges'] as const
    const headers = passedOn.flatMap((name) => (from.headers[name] === undefined ? [] : [[name, from.headers[name]]]))
    response.writeHead(from.statusCode ?? 200, Object.fromEntries(headers))
    pipeline(from, response, () => {})
  }

  const password = randomBytes(24).toString('hex')
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    if (!isSignedBy(password, request.headers['proxy-authorization'])) {
      return void response.writeHead(407, { 'proxy-authenticate': 'Basic realm="camera"' }).end()
    }
    respond(request, response).catch((error: unknown) => {
      if (error instanceof StreamError) problem = error.problem
      if (response.headersSent) response.destroy()
      else response.writeHead(502).end()
    })
  })
  const close = (): void => {
    ending.abort()
    server.close()
    server.closeAllConnections()
  }
  try {
    await once(server.listen(0, '127.0.0.1'), 'listening')
  } catch (error) {
    close()
    throw error
  }
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://${host}${path}`,
    proxy: `http://camera:${password}@127.0.0.1:${port}`,
    isPlaylist,
    isTransportStream: atFirst.isTransportStream,
    problem: () => problem,
    close,
  }
}

function isSignedBy(password: string, header: string | undefined): boolean {
  const expected = createHash('sha256')
    .update(`Basic ${Buffer.from(`camera:${password}`).toString('base64')}`)
    .digest()
  return timingSafeEqual(
    expected,
    createHash('sha256')
      .update(header ?? '')
      .digest(),
  )
}

/**
 * Reads the whole body if it is a playlist; otherwise nothing is consumed. Rejects with a {@link StreamError} if the body is
 * missing or the playlist too large.
 */
async function beginningOf(response: IncomingMessage): Promise<Pick<Opened, 'playlist' | 'isTransportStream'>> {
  let body = Buffer.alloc(0)
  try {
    for await (const chunk of response.iterator({ destroyOnReturn: false })) {
      body = Buffer.concat([body, chunk as Buffer])
      if (body.length >= playlistMark.length && !beginsPlaylist(body)) {
        response.unshift(body)
        return { playlist: undefined, isTransportStream: body[0] === syncByte }
      }
      if (body.length > limits.playlist) throw new StreamError(streamProblem('unreadable-video'))
    }
  } catch (error) {
    throw error instanceof StreamError ? error : new StreamError(streamProblem('connection-closed'))
  }
  if (!beginsPlaylist(body)) throw new StreamError(streamProblem('unreadable-video'))
  return { playlist: body.toString('utf8'), isTransportStream: false }
}

const beginsPlaylist = (body: Buffer): boolean =>
  body.subarray(0, playlistMark.length).toString('latin1') === playlistMark
