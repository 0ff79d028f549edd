import { parse } from 'content-disposition'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { contentDisposition } from './file-name.ts'

const at = Date.UTC(2026, 10, 21, 10, 30, 15, 250)

/** Parses the header as a client does that knows only ASCII names, and as a browser does (RFC 6266, 8187). */
function read(header: string): { plain: string | undefined; whole: string | undefined } {
  const [ascii, browser] = [false, true].map((extended) => parse(header, { extended }))
  expect(browser?.type).toBe('attachment')
  return { plain: ascii?.parameters['filename'], whole: browser?.parameters['filename'] }
}

test.each([
  ['', 'Front door', 'Front door 2026-11-21 10-30-15Z.mp4', 'Front door 2026-11-21 10-30-15Z.mp4'],
  ['Postbote', 'Front door', 'Postbote.mp4', 'Postbote.mp4'],
  ['Tür „groß“', 'x', 'Tür „groß“.mp4', 'Tur _gro_.mp4'],
  ['前门', 'x', '前门.mp4', 'yard 2026-11-21 10-30-15Z.mp4'],
  ['', '前门', '前门 2026-11-21 10-30-15Z.mp4', '_ 2026-11-21 10-30-15Z.mp4'],
  ['../../etc/passwd', 'x', '-..-etc-passwd.mp4', '-..-etc-passwd.mp4'],
  ['a"b\\c%41', 'x', 'a-b-c%41.mp4', 'a-b-c-41.mp4'],
  ['clip\u202e4pm.exe', 'x', 'clip4pm.exe.mp4', 'clip4pm.exe.mp4'],
  ['. .', '...', 'yard 2026-11-21 10-30-15Z.mp4', 'yard 2026-11-21 10-30-15Z.mp4'],
])('the file name of an export named %j of a camera titled %j', (name, title, whole, plain) => {
  expect(read(contentDisposition(name, title, 'yard', at))).toEqual({ whole, plain })
})

test('for any name, the header is one line of ASCII with a valid file name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, title) => {
      const header = contentDisposition(name, title, 'yard', at)
      expect(header).toMatch(/^[\x20-\x7e]+$/)
      const { plain, whole } = read(header)
      for (const each of [plain, whole]) {
        expect(each).toMatch(/[^.].*\.mp4$/)
        expect(each).not.toMatch(/[/\\"\0\r\n]/)
        expect(Buffer.byteLength(each ?? '')).toBeLessThan(256)
      }
    }),
  )
})
