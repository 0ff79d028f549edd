import { relative, resolve, sep } from 'node:path'
import { type CodedMessage, fieldProblem } from '../messages/coded-message.ts'

const demoScenes = ['yard', 'door', 'office'] as const
export type DemoScene = (typeof demoScenes)[number]

/** A parsed camera source. ffmpeg gets nothing else. */
export type CameraSource =
  | { readonly kind: 'demo'; readonly scene: DemoScene }
  /** An absolute path in the media directory. */
  | { readonly kind: 'file'; readonly path: string }
  /** `url` contains the credentials, if any. `protocol` is in lower case, without a colon. */
  | { readonly kind: 'stream'; readonly url: string; readonly protocol: StreamProtocol }

const streamProtocols = ['rtsp', 'rtsps', 'rtmp', 'http', 'https'] as const
export type StreamProtocol = (typeof streamProtocols)[number]

export interface SourceProblems {
  'invalid-source': null
  'unknown-demo-scene': null
  'protocol-not-allowed': null
  'incomplete-url': null
  'invalid-path': null
  'outside-media': null
}

type NoSource = { readonly problem: CodedMessage<SourceProblems> }

const noSource = (code: keyof SourceProblems): NoSource => ({ problem: fieldProblem(code) })

/** Parses a source with a fixed list of protocols. The problem never quotes the source, because it may contain a password. */
export function parseCameraSource(text: string, mediaDir: string): CameraSource | NoSource {
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(text)) {
    return noSource('invalid-source')
  }
  const [, scheme, rest = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/.exec(text) ?? []
  if (scheme === undefined) return fileBelow(text, mediaDir)
  const protocol = scheme.toLowerCase()
  if (protocol === 'demo') {
    const scene = demoScenes.find((each) => each === rest)
    return scene ? { kind: 'demo', scene } : noSource('unknown-demo-scene')
  }
  if (protocol === 'file') return fileBelow(rest.replace(/^\/\/(?=\/)/, ''), mediaDir)
  const known = streamProtocols.find((each) => each === protocol)
  if (known === undefined) {
    return noSource('protocol-not-allowed')
  }
  const url = `${known}:${rest}`
  if (!/^\/\/[^/?#]/.test(rest) || !URL.parse(url)?.hostname) {
    return noSource('incomplete-url')
  }
  return { kind: 'stream', url, protocol: known }
}

function fileBelow(path: string, mediaDir: string): CameraSource | NoSource {
  // `,`, `|`, `:`, `%` and `*` in file names have a special meaning for ffmpeg.
  if (!/^[\p{L}\p{M}\p{N}._/@+()=~-]+$/u.test(path)) {
    return noSource('invalid-path')
  }
  const whole = resolve(mediaDir, path)
  const below = relative(resolve(mediaDir), whole)
  if (below === '' || below === '..' || below.startsWith(`..${sep}`) || path.split('/').includes('..')) {
    return noSource('outside-media')
  }
  return { kind: 'file', path: whole }
}
