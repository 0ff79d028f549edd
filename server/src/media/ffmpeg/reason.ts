import type { CodedMessage } from '../../shared/coded-message.ts'

/** Why a camera shows no video, in sentences without any part of its source. */
const sentences = {
  'wrong-credentials': 'The camera refused the user name or password (401).',
  'access-refused': 'The camera refused access (403).',
  'no-such-stream': 'The camera has no such stream (404).',
  'camera-error': 'The camera answered with an error of its own.',
  'connection-refused': "Nothing answers at the camera's address (connection refused).",
  'timed-out': 'The camera does not answer (timed out).',
  'no-route': "No way leads to the camera's address.",
  'host-unknown': "The camera's host name is not known.",
  'connection-closed': 'The camera closed the connection.',
  'protocol-refused': 'The source leads to a protocol that is not allowed.',
  'other-host': 'The source leads to another host. Enter the address it leads to.',
  'no-video': 'The source has no video.',
  'unreadable-video': 'What the source sends is no video that can be read.',
  'decoder-slow': 'No picture was decoded in time: the machine is too busy, or the video is broken.',
  'no-such-file': 'There is no such file.',
  'file-refused': 'The file may not be read.',
  'disk-full': 'The disk is full.',
  'unknown-video': 'The source sends a kind of video that cannot be passed on.',
  'ffmpeg-not-started': 'ffmpeg could not be started.',
  'connection-broke': 'The connection to the camera broke.',
  'ffmpeg-missing': 'ffmpeg is not installed.',
  'unreadable-source': 'The source cannot be read.',
  'outside-media': 'The file is outside of the media directory.',
  'video-format-changed': 'The camera changed its picture.',
  'unplayable-video': 'The source sends a kind of video that browsers do not play. Set the camera to H.264.',
  'stream-ended': 'The camera ended the stream.',
} as const

type Plain = { readonly [Code in keyof typeof sentences]: null }

export interface StreamProblems extends Plain {
  'no-data': { readonly seconds: number }
  'no-picture': { readonly seconds: number }
}

export type StreamProblem = CodedMessage<StreamProblems>

export const streamProblem = (code: keyof Plain): StreamProblem => ({ code, message: sentences[code] })

export const silentFor = (seconds: number): StreamProblem => ({
  code: 'no-data',
  values: { seconds },
  message: `The camera has sent nothing for ${seconds} s.`,
})

export const noPictureWithin = (seconds: number): StreamProblem => ({
  code: 'no-picture',
  values: { seconds },
  message: `No picture came within ${seconds} s.`,
})

/** Pattern in ffmpeg's output → reason. Lines are searched from the last one back; the first match wins. */
const signs: readonly (readonly [RegExp, keyof Plain])[] = [
  [/\b401\b|unauthorized|authorization failed/i, 'wrong-credentials'],
  [/\b403\b|forbidden/i, 'access-refused'],
  [/\b404\b|not found(?! on)/i, 'no-such-stream'],
  [/\b5\d\d\b.*server error|server returned 5/i, 'camera-error'],
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

/** Why a stream ended, from ffmpeg's last lines. Returns only our own sentences, so that nothing of the source leaks. */
export function reasonFrom(lines: readonly string[]): StreamProblem | undefined {
  for (const line of lines.toReversed()) {
    const found = signs.find(([pattern]) => pattern.test(line))
    if (found) return streamProblem(found[1])
  }
  return undefined
}
