import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test.each([
  ['ann', 'ann'],
  ['', ''],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['=1+1', "'=1+1"],
  ['=HYPERLINK("http://evil.example","x")', `"'=HYPERLINK(""http://evil.example"",""x"")"`],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['  =1', "'  =1"],
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r=1"`],
  ['\u00a0=1', "'\u00a0=1"],
  ['＝1', "'＝1"],
  ['1-1', '1-1'],
  ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
  ["o'neill", "o'neill"],
])('the field %j is written %j', (value, written) => {
  expect(csvLine([value])).toBe(`${written}\r\n`)
})

test('fields are separated by commas', () => {
  expect(csvLine(['a', '', 'b,c'])).toBe('a,,"b,c"\r\n')
})
