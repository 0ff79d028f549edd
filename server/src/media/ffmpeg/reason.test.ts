import { expect, test } from 'vitest'
import { reasonFrom } from './reason.ts'

test.each([
  ['[rtsp @ 0x1] method DESCRIBE failed: 401 Unauthorized', 'wrong-credentials'],
  ['…: Server returned 404 Not Found', 'no-such-stream'],
  ['[tcp @ 0x1] Connection to the source failed: Connection refused', 'connection-refused'],
  ['…: Connection timed out', 'timed-out'],
  ['[tcp @ 0x1] Failed to resolve hostname cam: Name or service not known', 'host-unknown'],
  ['…: Invalid data found when processing input', 'unreadable-video'],
  ["Stream map '0:v:0' matches no streams.", 'no-video'],
  ['…: No such file or directory', 'no-such-file'],
  ["[http @ 0x1] Protocol 'file' not on whitelist 'http,tcp'!", 'protocol-refused'],
])('%s', (line, code) => {
  expect(reasonFrom(['something before', line])).toMatchObject({ code })
})

test('an unknown line is not passed on', () => {
  expect(reasonFrom(['a line with rtsp://user:secret@host in it'])).toBeUndefined()
  expect(reasonFrom([])).toBeUndefined()
})
