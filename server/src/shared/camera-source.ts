import { relative, resolve, sep } from 'node:path'
import type { CodedMessage } from './coded-message.ts'

const demoScenes = ['yard', 'door', 'office'] as const
export type DemoScene = (typeof demoScenes)[number]

/** A camera's source, taken apart. Nothing else is ever handed to ffmpeg. */
export type CameraSource =
  | { readonly kind: 'demo'; readonly scene: DemoScene }
  /** An absolute path below the media directory. */
  | { readonly kind: 'file'; readonly path: string }
  /** Credentials, if any, stand in the address. `protocol` is in lower case and without its colon. */
  | { readonly kind: 'stream'; readonly url: string; readonly protocol: StreamProtocol }

const streamProtocols = ['rtsp', 'rtsps', 'rtmp', 'http', 'https'] as const
export type StreamProtocol = (typeof streamProtocols)[number]

export const sourceWords =
  'an address of rtsp, rtsps, rtmp, http or https; a file below the media directory; `demo:yard`, `demo:door` or `demo:office`'

export interface SourceProblems {
  'source-signs': null
  'no-demo-scene': null
  'protocol-not-allowed': null
  'no-whole-address': null
  'no-plain-path': null
  'outside-media': null
}

type NoSource = { readonly problem: CodedMessage<SourceProblems> }

const noSource = (code: keyof SourceProblems, message: string): NoSource => ({ problem: { code, message } })

/** Reads a source by its fixed list of protocols. The problem never quotes it: it may hold a password. */
export function parseCameraSource(text: string, mediaDir: string): CameraSource | NoSource {
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(text)) {
    return noSource('source-signs', 'holds white space, a control character or a backslash')
  }
  const [, scheme, rest = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/.exec(text) ?? []
  if (scheme === undefined) return fileBelow(text, mediaDir)
  const protocol = scheme.toLowerCase()
  if (protocol === 'demo') {
    const scene = demoScenes.find((each) => each === rest)
    return scene ? { kind: 'demo', scene } : noSource('no-demo-scene', `is no demo scene; allowed: ${sourceWords}`)
  }
  if (protocol === 'file') return fileBelow(rest.replace(/^\/\/(?=\/)/, ''), mediaDir)
  const known = streamProtocols.find((each) => each === protocol)
  if (known === undefined) {
    return noSource('protocol-not-allowed', `has a protocol that is not allowed; allowed: ${sourceWords}`)
  }
  const url = `${known}:${rest}`
  if (!/^\/\/[^/?#]/.test(rest) || !URL.parse(url)?.hostname) {
    return noSource('no-whole-address', 'is not a whole address with a host')
  }
  return { kind: 'stream', url, protocol: known }
}

function fileBelow(path: string, mediaDir: string): CameraSource | NoSource {
  // ffmpeg gives `,`, `|`, `:`, `%` and `*` in file names meanings of its own.
  if (!/^[\p{L}\p{M}\p{N}._/@+()=~-]+$/u.test(path)) {
    return noSource('no-plain-path', `is no plain path of a file; allowed: ${sourceWords}`)
  }
  const whole = resolve(mediaDir, path)
  const below = relative(resolve(mediaDir), whole)
  if (below === '' || below === '..' || below.startsWith(`..${sep}`) || path.split('/').includes('..')) {
    return noSource('outside-media', 'is a file outside of the media directory')
  }
  return { kind: 'file', path: whole }
}
