import type { Texts } from '../../shared/texts/texts.ts'

type Hints = Texts['cameras']['test']['hints']

/** What the service says failed → what helps. */
const hints: readonly (readonly [RegExp, keyof Hints])[] = [
  [/\(401\)/, 'credentials'],
  [/\(403\)/, 'access'],
  [/\(404\)/, 'path'],
  [/connection refused/, 'port'],
  [/timed out|nothing for|No way leads|No picture came|closed the connection|connection to the camera broke/, 'silent'],
  [/host name is not known/, 'host'],
  [/no video|kind of video|cannot be read/, 'video'],
  [/file/, 'file'],
  [/ffmpeg/, 'ffmpeg'],
]

export function hintFor(detail: string, texts: Hints): string | undefined {
  const key = hints.find(([pattern]) => pattern.test(detail))?.[1]
  return key && texts[key]
}

/** `H.264` for `avc1.4D401F`. */
export function codecName(codec: string): string {
  if (/^avc[13]/.test(codec)) return 'H.264'
  if (/^(?:hvc1|hev1)/.test(codec)) return 'H.265'
  return codec
}
