import type { StreamProblems } from '../../../../server/src/api-types.ts'
import type { Texts } from '../../i18n/texts.ts'

type Hints = Texts<'cameras'>['cameras']['test']['hints']

/** Failure code → the hint that helps with it. */
const hints: { readonly [Code in keyof StreamProblems]?: keyof Hints } = {
  'wrong-credentials': 'credentials',
  'access-refused': 'access',
  'no-such-stream': 'path',
  'request-refused': 'path',
  'connection-refused': 'port',
  'timed-out': 'silent',
  'no-data': 'silent',
  'no-route': 'silent',
  'connection-closed': 'silent',
  'connection-broke': 'silent',
  'host-unknown': 'host',
  'no-video': 'video',
  'unreadable-video': 'video',
  'unknown-video': 'video',
  'unplayable-video': 'video',
  'unreadable-source': 'video',
  'no-such-file': 'file',
  'file-refused': 'file',
  'outside-media': 'file',
  'ffmpeg-missing': 'ffmpeg',
  'ffmpeg-not-started': 'ffmpeg',
}

export function hintFor(code: string, texts: Hints): string | undefined {
  const key = Object.hasOwn(hints, code) ? hints[code as keyof StreamProblems] : undefined
  return key && texts[key]
}
