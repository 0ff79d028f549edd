import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { fileTarget } from './file-target.ts'
import { csvHeader, csvOf, gapLine, jsonOf, type OutputLine } from './output-line.ts'

let dir: string
let path: string
beforeEach(() => {
  dir = temporaryFolder()
  path = join(dir, 'audit.jsonl')
})

const line = (id: number): OutputLine => ({ ...gapLine(1, id * 1000), id })
const written = () => readFileSync(path, 'utf8')

const formats = [
  ['jsonl', (each: OutputLine) => `${jsonOf(each)}\n`, ''],
  ['csv', csvOf, csvHeader],
] as const

test.each(formats)('[AUD-7] as %s, lines that a killed run wrote are not written again', async (format, of, start) => {
  const first = fileTarget({ path, format })
  await first.write([line(1), line(2)])
  await first.close()
  const second = fileTarget({ path, format })
  await second.write([line(1), line(2), line(3)])
  // Only what an earlier run wrote: a position was saved since.
  await second.write([line(3)])
  await second.close()
  expect(written()).toBe(start + [1, 2, 3, 3].map((id) => of(line(id))).join(''))
})

test.each(formats)('[AUD-7] as %s, a line that a kill cut off is written whole', async (format, of, start) => {
  const cut = of(line(2)).slice(0, -20)
  writeFileSync(path, `${start}${of(line(1))}${cut}`)
  const target = fileTarget({ path, format })
  await target.write([line(1), line(2)])
  await target.close()
  expect(written()).toBe(`${start}${of(line(1))}${cut}\n${of(line(2))}`)
})

test('[AUD-7] the same ids of another database are other entries', async () => {
  writeFileSync(path, `${jsonOf({ ...line(1), at: '2020-01-01T00:00:00.000Z' })}\n`)
  const target = fileTarget({ path, format: 'jsonl' })
  await target.write([line(1)])
  await target.close()
  expect(written().split('\n')).toHaveLength(3)
})

test('[AUD-7] neither a folder nor a link is written to', async () => {
  mkdirSync(path)
  await expect(fileTarget({ path, format: 'jsonl' }).write([line(1)])).rejects.toThrow('regular file')
  const other = join(dir, 'other')
  appendFileSync(other, 'kept')
  const link = join(dir, 'link.jsonl')
  symlinkSync(other, link)
  await expect(fileTarget({ path: link, format: 'jsonl' }).write([line(1)])).rejects.toThrow('regular file')
  expect(readFileSync(other, 'utf8')).toBe('kept')
})
