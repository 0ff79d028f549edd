import { expect, test } from 'vitest'
import { reasonFrom } from './reason.ts'

test.each([
  ['[rtsp @ 0x1] method DESCRIBE failed: 401 Unauthorized', 'wrong-credentials'],
  ['[http @ 0x1] HTTP error 403 Forbidden', 'access-refused'],
  ['…: Server returned 404 Not Found', 'no-such-stream'],
  ['[rtsp @ 0x1] method DESCRIBE failed: 404 No such channel', 'no-such-stream'],
  ['[rtsp @ 0x1] method SETUP failed: 453 Not Enough Bandwidth', 'camera-busy'],
  ['[rtsp @ 0x1] method SETUP failed: 461 Unsupported Transport', 'no-tcp'],
  ['…: Server returned 400 Bad Request', 'request-refused'],
  ['[rtsp @ 0x1] method DESCRIBE failed: 415 Unsupported Media Type', 'request-refused'],
  ['[rtsp @ 0x1] method PLAY failed: 454 Session Not Found', 'stream-ended'],
  ['[http @ 0x1] HTTP error 410 Gone', 'request-refused'],
  ['…: Server returned 5XX Server Error reply', 'camera-error'],
  ['[tcp @ 0x1] Connection to the source failed: Connection refused', 'connection-refused'],
  ['…: Connection timed out', 'timed-out'],
  ['[tcp @ 0x1] Failed to resolve hostname cam: Name or service not known', 'host-unknown'],
  ['…: Invalid data found when processing input', 'unreadable-video'],
  ["Stream map '0:v:0' matches no streams.", 'no-video'],
  ['…: No such file or directory', 'no-such-file'],
  ["[http @ 0x1] Protocol 'file' not on whitelist 'http,tcp'!", 'protocol-refused'],
  ['Error opening input: Protocol not found', 'protocol-refused'],
])('%s', (line, code) => {
  expect(reasonFrom(['something before', line])).toMatchObject({ code })
})

test('a summary of ffmpeg hides no status', () => {
  const lines = [
    '[rtsp @ 0x1] method SETUP failed: 453 Not Enough Bandwidth',
    'rtsp://cam/: Server returned 4XX Client Error, but not one of 40{0,1,3,4}',
  ]
  expect(reasonFrom(lines)).toMatchObject({ code: 'camera-busy' })
})

test.each([
  '[h264 @ 0x1] error while decoding MB 23 14, bytestream 401',
  '[h264 @ 0x1] concealing 403 DC, 403 AC, 403 MV errors in P frame',
  '[mp4 @ 0x1] Non-monotonic DTS; previous: 404, current: 404',
  'Decoder (codec av1) not found for input stream #0:0',
])('a number or a missing decoder isn’t a response of the camera: %s', (line) => {
  expect(reasonFrom([line])).toBeUndefined()
})

test('an unknown line is not passed on', () => {
  expect(reasonFrom(['a line with rtsp://user:secret@host in it'])).toBeUndefined()
  expect(reasonFrom([])).toBeUndefined()
})
