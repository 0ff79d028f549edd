import { realpath } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import type { CameraSource } from '../shared/camera-source.ts'
import { openCameraRelay } from './camera-relay.ts'
import type { Demo } from './demo/demo.ts'
import { StreamError } from './output.ts'
import { streamProblem, type StreamProblem } from './reason.ts'
import type { SoundMode } from './audio.ts'

export interface SourceDeps {
  readonly mediaDir: string
  readonly demo: Demo
  /** Milliseconds of silence after which ffmpeg gives up by itself. */
  readonly timeout: number
  /** `none`: the source is not even asked for its sound. */
  readonly sound: SoundMode
  /** Gives up while the source is being opened. */
  readonly signal: AbortSignal
}

/** How ffmpeg is to read a source. Nothing in `args` says where a stream comes from [CAM-3]. */
export interface SourceInput {
  readonly args: readonly string[]
  /** For its standard input. */
  readonly input?: readonly Uint8Array[]
  /** For its environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Why it cannot be read, where that is known better than from what ffmpeg says. */
  problem(): StreamProblem | undefined
  /** To be called once the child is gone. */
  close(): void
}

/** What may be opened on the way to a source, and on from it: a redirect leads to no other. */
const protocols = {
  rtsp: 'rtsp,rtp,tcp',
  rtsps: 'rtsps,rtsp,rtp,tls,tcp',
  rtmp: 'rtmp,tcp',
} as const

/** Playlists and scripts, which name other files, are not among them. */
const fileFormats = 'mov,matroska,mpegts,mpeg,avi,flv,h264,hevc'
const httpFormats = `${fileFormats},mpjpeg,mjpeg,live_flv`

/** Long enough for the first key frame of any camera; but without waiting for the frame rate to be measured. */
const analysis = { analyzeduration: '15000000', fpsprobesize: '0' } as const

type Options = Readonly<Record<string, string>>

/** ffmpeg's way to a source. Rejects with a {@link StreamError} where there is a reason for people. */
export async function ffmpegInputArgs(source: CameraSource, deps: SourceDeps): Promise<SourceInput> {
  const { mediaDir, demo } = deps
  if (source.kind === 'demo') return looped(await demo.fileOf(source.scene))
  if (source.kind === 'file') return looped(await insideOf(mediaDir, source.path))
  const { url, protocol } = source
  if (protocol === 'http' || protocol === 'https') return relayed(new URL(url), deps)
  return scripted(url, { protocol_whitelist: protocols[protocol], ...analysis, ...optionsFor(protocol, deps) })
}

function optionsFor(protocol: keyof typeof protocols, { timeout, sound }: SourceDeps): Options {
  const microseconds = String(Math.round(timeout * 1000))
  if (protocol === 'rtmp') return { format_whitelist: 'flv,live_flv', rw_timeout: microseconds }
  return {
    format_whitelist: 'rtsp',
    rtsp_transport: 'tcp',
    timeout: microseconds,
    // A camera may announce sound and send none; the pictures wait for no first time stamp of it.
    ...(sound === 'none' ? { allowed_media_types: 'video' } : { max_ts_probe: '0' }),
  }
}

/**
 * A stream whose address everyone on the machine could read among a process's arguments: it is written to ffmpeg's
 * standard input, as a script for its concat demuxer that plays this one stream.
 */
function scripted(url: string, options: Options): SourceInput {
  const lines = [`file '${url.replaceAll("'", String.raw`'\''`)}'`]
  for (const [name, value] of Object.entries(options)) lines.push(`option ${name} ${value}`)
  const script = ['ffconcat version 1.0', ...lines, ''].join('\n')
  return {
    // The whitelists in the script are those of the stream; these are of the script itself.
    args: [
      ['-protocol_whitelist', 'pipe', ...argsOf(analysis), '-max_ts_probe', '0'],
      ['-f', 'concat', '-safe', '0', '-auto_convert', '0', '-i', 'pipe:0'],
    ].flat(),
    input: [Buffer.from(script)],
    ...plain,
  }
}

/** Over a relay of our own, which makes the requests: ffmpeg itself would follow the camera anywhere. */
async function relayed(source: URL, { timeout, signal }: SourceDeps): Promise<SourceInput> {
  const relay = await openCameraRelay({ source, timeout, signal })
  const { url, proxy, isPlaylist, problem, close } = relay
  const formats = isPlaylist ? `${fileFormats},hls` : httpFormats
  const options = { protocol_whitelist: 'http,tcp', format_whitelist: formats, ...analysis }
  const rwTimeout = String(Math.round(timeout * 1000))
  return {
    args: [...argsOf({ ...options, rw_timeout: rwTimeout }), '-i', url],
    env: { http_proxy: proxy },
    problem,
    close,
  }
}

const argsOf = (options: Options): string[] => Object.entries(options).flatMap(([name, value]) => [`-${name}`, value])

/** Nothing is known beyond what ffmpeg says, and nothing to be closed. */
const plain = { problem: () => undefined, close: () => {} } as const

/** At its own pace, for ever. */
const looped = (file: string): SourceInput => ({
  args: [
    ['-protocol_whitelist', 'file', '-format_whitelist', fileFormats],
    ['-re', '-stream_loop', '-1', '-i', `file:${file}`],
  ].flat(),
  ...plain,
})

/** A link may lead out of the folder, which its path does not say. */
async function insideOf(folder: string, file: string): Promise<string> {
  const [root, whole] = await Promise.all([realpath(folder), realpath(file)]).catch(() => {
    throw new StreamError(streamProblem('no-such-file'))
  })
  const below = relative(root, whole)
  if (below === '' || below === '..' || below.startsWith(`..${sep}`)) {
    throw new StreamError(streamProblem('outside-media'))
  }
  return whole
}

/** Takes whatever in a line could give a source's secrets away: its credentials, its address, its path and query. */
export function maskOf(source: CameraSource): (line: string) => string {
  const hidden = source.kind === 'stream' ? secretsOf(source.url) : source.kind === 'file' ? [source.path] : []
  return (line) => {
    let masked = line
    for (const secret of hidden) masked = masked.replaceAll(secret, '…')
    return masked.replaceAll(/[a-z][a-z0-9+.-]*:\/\/[^\s'"]+/gi, 'the source')
  }
}

/** Longest first, so that no part of one is left standing. */
function secretsOf(address: string): string[] {
  const url = new URL(address)
  const raw = /^[a-z]+:\/\/([^/?#]*)@/i.exec(address)?.[1] ?? ''
  const query = address.includes('?') ? address.slice(address.indexOf('?') + 1) : ''
  const parts = [address, raw, ...raw.split(':'), url.username, url.password, query, url.pathname, url.search]
  const all = new Set(parts.flatMap((part) => [part, decoded(part)]).filter((part) => part.length > 1))
  return [...all].sort((a, b) => b.length - a.length)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
