import { expect, test } from 'vitest'
import { reasonFrom } from './reason.ts'

test.each([
  ['[rtsp @ 0x1] method DESCRIBE failed: 401 Unauthorized', 'The camera refused the user name or password (401).'],
  ['…: Server returned 404 Not Found', 'The camera has no such stream (404).'],
  [
    '[tcp @ 0x1] Connection to the source failed: Connection refused',
    "Nothing answers at the camera's address (connection refused).",
  ],
  ['…: Connection timed out', 'The camera does not answer (timed out).'],
  ['[tcp @ 0x1] Failed to resolve hostname cam: Name or service not known', "The camera's host name is not known."],
  ['…: Invalid data found when processing input', 'What the source sends is no video that can be read.'],
  ["Stream map '0:v:0' matches no streams.", 'The source has no video.'],
  ['…: No such file or directory', 'There is no such file.'],
  ["[http @ 0x1] Protocol 'file' not on whitelist 'http,tcp'!", 'The source leads to a protocol that is not allowed.'],
])('%s', (line, reason) => {
  expect(reasonFrom(['something before', line])).toMatchObject({ message: reason })
})

test('what we do not know is not passed on', () => {
  expect(reasonFrom(['a line with rtsp://user:secret@host in it'])).toBeUndefined()
  expect(reasonFrom([])).toBeUndefined()
})
