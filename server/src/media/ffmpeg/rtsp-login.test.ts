import { expect, test } from 'vitest'
import { isUnsupportedLogin } from './rtsp-login.ts'

const digest = (algorithm: string): string =>
  `WWW-Authenticate: Digest realm="cam", nonce="1"${algorithm && `, algorithm=${algorithm}`}`
const basic = 'WWW-Authenticate: Basic realm="cam"'

test.each<[string, readonly string[], boolean]>([
  ['Digest without an algorithm', [digest('')], false],
  ['Digest with MD5', [digest('"MD5"')], false],
  ['Basic', [basic], false],
  ['SHA-256 alone', [digest('SHA-256')], true],
  ['SHA-256 and Basic', [digest('"SHA-256"'), basic], true],
  ['MD5, then SHA-256, which ffmpeg takes', [digest('MD5'), digest('SHA-256')], true],
  ['SHA-256, then MD5', [digest('SHA-256'), digest('MD5')], false],
  ['another scheme alone', ['WWW-Authenticate: Bearer realm="cam"'], true],
  ['no challenge', ['Server: cam'], false],
])('%s', (_what, headers, expected) => {
  expect(isUnsupportedLogin(['RTSP/1.0 401 Unauthorized', 'CSeq: 1', ...headers, '', ''].join('\r\n'))).toBe(expected)
})

test('a response that is not a challenge says nothing about the login', () => {
  expect(isUnsupportedLogin(`RTSP/1.0 302 Found\r\n${digest('SHA-256')}\r\n\r\n`)).toBe(false)
  expect(isUnsupportedLogin('')).toBe(false)
})
