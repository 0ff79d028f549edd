/** What ffmpeg says → what people read. The first that fits, from the last line back. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/\b401\b|unauthorized|authorization failed/i, 'The camera refused the user name or password (401).'],
  [/\b403\b|forbidden/i, 'The camera refused access (403).'],
  [/\b404\b|not found(?! on)/i, 'The camera has no such stream (404).'],
  [/\b5\d\d\b.*server error|server returned 5/i, 'The camera answered with an error of its own.'],
  [/connection refused/i, "Nothing answers at the camera's address (connection refused)."],
  [/timed out|timeout/i, 'The camera does not answer (timed out).'],
  [/no route to host|network is unreachable|host is unreachable/i, "No way leads to the camera's address."],
  [/failed to resolve|name or service not known|temporary failure in name/i, "The camera's host name is not known."],
  [/connection reset|broken pipe|end of file/i, 'The camera closed the connection.'],
  [/protocol .*not on whitelist|protocol not found/i, 'The source leads to a protocol that is not allowed.'],
  [/matches no streams|does not contain any stream/i, 'The source has no video.'],
  [/format not on whitelist|invalid data found/i, 'What the source sends is no video that can be read.'],
  [/no such file/i, 'There is no such file.'],
  [/permission denied/i, 'The file may not be read.'],
  [/no space left/i, 'The disk is full.'],
  [/could not find tag for codec|codec not currently supported/i, 'The source sends a kind of video that cannot be passed on.'],
  [/could not be started/i, 'ffmpeg could not be started.'],
  [/input\/output error/i, 'The connection to the camera broke.'],
]

/** Why a stream ended, from ffmpeg's last lines. Only our own words, so that nothing of the source slips through. */
export function reasonFrom(lines: readonly string[]): string | undefined {
  for (const line of lines.toReversed()) {
    const found = reasons.find(([pattern]) => pattern.test(line))
    if (found) return found[1]
  }
  return undefined
}
