import { realpath } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import type { CameraSource, StreamProtocol } from '../shared/camera-source.ts'
import type { Demo } from './demo/demo.ts'
import { Refusal } from './output.ts'
import { streamProblem } from './reason.ts'
import type { SoundMode } from './sound.ts'

export interface SourceParts {
  readonly mediaDir: string
  readonly demo: Demo
  /** Milliseconds of silence after which ffmpeg gives up by itself. */
  readonly patience: number
  /** `none`: the source is not even asked for its sound. */
  readonly sound: SoundMode
}

/** What may be opened on the way to a source, and on from it: a redirect or a playlist leads to no other. */
const protocols: Readonly<Record<StreamProtocol, string>> = {
  rtsp: 'rtsp,rtp,tcp',
  rtsps: 'rtsps,rtsp,rtp,tls,tcp',
  rtmp: 'rtmp,tcp',
  http: 'http,https,tls,tcp',
  https: 'https,tls,tcp',
}

/** Playlists and scripts, which name other files, are not among them. */
const fileFormats = 'mov,matroska,mpegts,mpeg,avi,flv,h264,hevc'
const httpFormats = `${fileFormats},mpjpeg,mjpeg,hls,live_flv`

/** ffmpeg's arguments for reading a source. Rejects with a {@link Refusal} where there is a reason for people. */
export async function inputOf(
  source: CameraSource,
  { mediaDir, demo, patience, sound }: SourceParts,
): Promise<string[]> {
  if (source.kind === 'demo') return looped(await demo.fileOf(source.scene))
  if (source.kind === 'file') return looped(await insideOf(mediaDir, source.path))
  const microseconds = String(Math.round(patience * 1000))
  const { url, protocol } = source
  // Long enough for the first key frame of any camera; but nobody waits for the frame rate to be measured.
  const analysis = ['-analyzeduration', '15000000', '-fpsprobesize', '0']
  const allowed = ['-protocol_whitelist', protocols[protocol], ...analysis]
  if (protocol === 'rtsp' || protocol === 'rtsps') {
    // A camera may announce sound and send none; the pictures wait for no first time stamp of it.
    const only = sound === 'none' ? ['-allowed_media_types', 'video'] : ['-max_ts_probe', '0']
    return [...allowed, '-f', 'rtsp', '-rtsp_transport', 'tcp', ...only, '-timeout', microseconds, '-i', url]
  }
  const formats = protocol === 'rtmp' ? 'flv,live_flv' : httpFormats
  return [...allowed, '-format_whitelist', formats, '-rw_timeout', microseconds, '-i', url]
}

/** At its own pace, for ever. */
const looped = (file: string): string[] =>
  [
    ['-protocol_whitelist', 'file', '-format_whitelist', fileFormats],
    ['-re', '-stream_loop', '-1', '-i', `file:${file}`],
  ].flat()

/** A link may lead out of the folder, which its path does not say. */
async function insideOf(folder: string, file: string): Promise<string> {
  const [root, whole] = await Promise.all([realpath(folder), realpath(file)]).catch(() => {
    throw new Refusal(streamProblem('no-such-file'))
  })
  const below = relative(root, whole)
  if (below === '' || below === '..' || below.startsWith(`..${sep}`)) {
    throw new Refusal(streamProblem('outside-media'))
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
