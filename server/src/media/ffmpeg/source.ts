import { realpath } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import type { CameraSource } from '../../shared/camera/camera-source.ts'
import { openCameraRelay } from './camera-relay.ts'
import { demoFile } from '../demo/demo.ts'
import { StreamError } from './output.ts'
import { streamProblem, type StreamProblem } from './reason.ts'
import type { AudioMode } from './audio.ts'
import { analysisOptions, type ReadMode } from './analysis.ts'

export interface SourceDeps extends ReadMode {
  readonly mediaDir: string
  /** Milliseconds of silence after which ffmpeg gives up. */
  readonly timeout: number
  /** Aborts the opening of the source. */
  readonly signal: AbortSignal
}

/** How ffmpeg reads a source. `args` contains nothing about the origin of the stream [CAM-3]. */
export interface SourceInput {
  readonly args: readonly string[]
  /** For its standard input. */
  readonly input?: readonly Uint8Array[]
  /** For its environment. */
  readonly env?: Readonly<Record<string, string>>
  /** The audio mode that was requested, unless it's known that it can't work. */
  readonly audio: AudioMode
  /** Whether a longer analysis could find more. */
  readonly isQuick: boolean
  /** Whether ffmpeg doesn't know when to show the first frame, if the stream has B-frames. */
  readonly isFirstTimeUnknown: boolean
  /** Why the source cannot be read, if known better than from ffmpeg's output. */
  problem(): StreamProblem | undefined
  /** Call once the child has exited. */
  close(): void
}

/** Protocols that can be opened for a source; a redirect cannot lead to any other. */
const protocols = {
  rtsp: 'rtsp,rtp,tcp',
  rtsps: 'rtsps,rtsp,rtp,tls,tcp',
  rtmp: 'rtmp,tcp',
} as const

/** Formats without playlists and scripts, which name other files. */
const fileFormats = 'mov,matroska,mpegts,mpeg,avi,flv,h264,hevc'
const httpFormats = `${fileFormats},mpjpeg,mjpeg,live_flv`

type Options = Readonly<Record<string, string>>

/** ffmpeg's arguments for a source. Rejects with a {@link StreamError} that has a reason for the user. */
export async function ffmpegInputArgs(source: CameraSource, deps: SourceDeps): Promise<SourceInput> {
  if (source.kind === 'demo') return looped(demoFile(source.scene), 'concat,mov', deps)
  if (source.kind === 'file') return looped(await pathInside(deps.mediaDir, source.path), fileFormats, deps)
  const { url, protocol } = source
  if (protocol === 'http' || protocol === 'https') return relayed(new URL(url), deps)
  // RTSP announces its streams: their analysis ends as soon as they are known, and none is added.
  const analysis = protocol === 'rtmp' ? deps.analysis : 'thorough'
  const options = { protocol_whitelist: protocols[protocol], ...optionsFor(protocol, deps) }
  return scripted(url, options, { ...deps, analysis })
}

function optionsFor(protocol: keyof typeof protocols, { timeout, audio }: SourceDeps): Options {
  const microseconds = String(Math.round(timeout * 1000))
  if (protocol === 'rtmp') return { format_whitelist: 'flv,live_flv', rw_timeout: microseconds }
  return {
    format_whitelist: 'rtsp',
    rtsp_transport: 'tcp',
    timeout: microseconds,
    // A camera may announce audio and send none; the video does not wait for its first time stamp.
    ...(audio === 'none' ? { allowed_media_types: 'video' } : { max_ts_probe: '0' }),
  }
}

/**
 * A stream whose URL would be visible to every user of the machine in the process arguments: it is written to ffmpeg's
 * standard input, as a script for its concat demuxer that plays this one stream.
 */
function scripted(url: string, options: Options, { audio, analysis }: SourceDeps): SourceInput {
  const lines = [`file '${url.replaceAll("'", String.raw`'\''`)}'`]
  for (const [name, value] of Object.entries({ ...options, ...analysisOptions(analysis) }))
    lines.push(`option ${name} ${value}`)
  const script = ['ffconcat version 1.0', ...lines, ''].join('\n')
  return {
    // The whitelists in the script are for the stream; these are for the script.
    args: [
      ['-protocol_whitelist', 'pipe', ...argsOf(analysisOptions(analysis)), '-max_ts_probe', '0'],
      ['-f', 'concat', '-safe', '0', '-auto_convert', '0', '-i', 'pipe:0'],
    ].flat(),
    input: [Buffer.from(script)],
    ...plain(audio),
    isQuick: analysis === 'quick',
    isFirstTimeUnknown: true,
  }
}

/** Reads through our own relay, which makes the requests: ffmpeg itself would follow the camera anywhere. */
async function relayed(source: URL, { timeout, audio, analysis, signal }: SourceDeps): Promise<SourceInput> {
  const relay = await openCameraRelay({ source, timeout, signal })
  const { url, proxy, isPlaylist, isTransportStream, problem, close } = relay
  const formats = isPlaylist ? `${fileFormats},hls` : httpFormats
  const options = { protocol_whitelist: 'http,tcp', format_whitelist: formats, ...analysisOptions(analysis) }
  const rwTimeout = String(Math.round(timeout * 1000))
  return {
    args: [...argsOf({ ...options, rw_timeout: rwTimeout }), '-i', url],
    env: { http_proxy: proxy },
    // Its AAC isn't described before the first frame, so it can't be copied into MP4.
    audio: audio === 'copy' && isTransportStream ? 'aac' : audio,
    isQuick: analysis === 'quick',
    isFirstTimeUnknown: false,
    problem,
    close,
  }
}

const argsOf = (options: Options): string[] => Object.entries(options).flatMap(([name, value]) => [`-${name}`, value])

/** Nothing known beyond ffmpeg's output, and nothing to close. */
const plain = (audio: AudioMode) => ({
  audio,
  isQuick: false,
  isFirstTimeUnknown: false,
  problem: () => undefined,
  close: () => {},
})

/** At its own speed, in an endless loop. */
const looped = (file: string, formats: string, { audio }: SourceDeps): SourceInput => ({
  args: [
    ['-protocol_whitelist', 'file', '-format_whitelist', formats],
    ['-re', '-stream_loop', '-1', '-i', `file:${file}`],
  ].flat(),
  ...plain(audio),
})

/** Resolves links, which can lead outside the folder. */
async function pathInside(folder: string, file: string): Promise<string> {
  const [root, whole] = await Promise.all([realpath(folder), realpath(file)]).catch(() => {
    throw new StreamError(streamProblem('no-such-file'))
  })
  const below = relative(root, whole)
  if (below === '' || below === '..' || below.startsWith(`..${sep}`)) {
    throw new StreamError(streamProblem('outside-media'))
  }
  return whole
}

/** Removes secrets of a source from a line: its credentials, URL, path and query. */
export function maskOf(source: CameraSource): (line: string) => string {
  const hidden = source.kind === 'stream' ? secretsOf(source.url) : source.kind === 'file' ? [source.path] : []
  return (line) => {
    let masked = line
    for (const secret of hidden) masked = masked.replaceAll(secret, '…')
    // Not tried at each character of a long word, which would block the service.
    return masked.replaceAll(/(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/[^\s'"]+/gi, 'the source')
  }
}

/** Longest first, so that no remainder of a secret is left. */
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
