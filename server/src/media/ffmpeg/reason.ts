import { type CodedMessage, codedMessages } from '../../shared/messages/coded-message.ts'
import { english } from '../../shared/messages/english.gen.ts'

/** Codes of the reasons why a camera shows no video. The texts contain no part of its source. */
export interface StreamProblems {
  'wrong-credentials': null
  'unsupported-login': null
  'access-refused': null
  'no-such-stream': null
  'request-refused': null
  'camera-error': null
  'camera-busy': null
  'no-tcp': null
  'connection-refused': null
  'timed-out': null
  'no-route': null
  'host-unknown': null
  'connection-closed': null
  'protocol-refused': null
  'other-host': null
  'no-video': null
  'unreadable-video': null
  'decoder-slow': null
  'no-such-file': null
  'file-refused': null
  'disk-full': null
  'unknown-video': null
  'ffmpeg-not-started': null
  'connection-broke': null
  'ffmpeg-missing': null
  'unreadable-source': null
  'outside-media': null
  'video-format-changed': null
  'wrong-timestamps': null
  'unplayable-video': null
  'stream-ended': null
  'instance-away': null
  'no-instance': null
  'no-data': { readonly seconds: number }
  'no-frame': { readonly seconds: number }
}

export type StreamProblem = CodedMessage<StreamProblems>

/** The codes whose messages have no values. */
export type FixedStreamProblem = Exclude<keyof StreamProblems, 'no-data' | 'no-frame'>

/** A reason with the English text of its code. */
export const streamProblem = codedMessages(english.cameraReasons)

/** A status of HTTP or RTSP. Decoders and muxers print other numbers. */
const status = (code: string): string => String.raw`\b(?:failed:|error|returned) ${code}\b`

/** Pattern in ffmpeg's output → reason. Lines are searched from the last one back; the first match wins. */
const signs: readonly (readonly [RegExp, FixedStreamProblem])[] = [
  [new RegExp(`${status('401')}|unauthorized|authorization failed`, 'i'), 'wrong-credentials'],
  [new RegExp(`${status('403')}|forbidden`, 'i'), 'access-refused'],
  [new RegExp(`${status('404')}|stream ?not ?found`, 'i'), 'no-such-stream'],
  [new RegExp(status('5(?:XX|[0-9]{2})'), 'i'), 'camera-error'],
  [new RegExp(status('453')), 'camera-busy'],
  [new RegExp(status('461')), 'no-tcp'],
  [new RegExp(status('454')), 'stream-ended'],
  [new RegExp(status('4[0-9]{2}')), 'request-refused'],
  [/connection refused/i, 'connection-refused'],
  [/timed out|timeout/i, 'timed-out'],
  [/no route to host|network is unreachable|host is unreachable/i, 'no-route'],
  [/failed to resolve|name or service not known|temporary failure in name/i, 'host-unknown'],
  [/connection reset|broken pipe|end of file/i, 'connection-closed'],
  [/protocol .*not on whitelist|protocol not found/i, 'protocol-refused'],
  [/matches no streams|does not contain any stream/i, 'no-video'],
  [/format not on whitelist|invalid data found/i, 'unreadable-video'],
  [/no such file/i, 'no-such-file'],
  [/permission denied/i, 'file-refused'],
  [/no space left/i, 'disk-full'],
  [/could not find tag for codec|codec not currently supported/i, 'unknown-video'],
  [/could not be started/i, 'ffmpeg-not-started'],
  [/input\/output error/i, 'connection-broke'],
]

/** Why a stream ended, from ffmpeg's last lines. Nothing of the lines is in the result, so nothing of the source leaks. */
export function reasonFrom(lines: readonly string[]): StreamProblem | undefined {
  for (const line of lines.toReversed()) {
    const found = signs.find(([pattern]) => pattern.test(line))
    if (found) return streamProblem(found[1])
  }
  return undefined
}
