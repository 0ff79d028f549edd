import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { openFileSource } from './file-source.ts'

const change = { author: 'ann' }

async function setUp() {
  const file = join(temporaryFolder(), 'config.yml')
  return {
    file,
    source: await openFileSource<object>({ file, clock: createTestClock() }),
    text: () => readFileSync(file, 'utf8'),
  }
}

test('an edit by hand since the text was read is not overwritten', async () => {
  const { file, source, text } = await setUp()
  const missing = await source.read()
  const first = await source.replace(missing, 'first', {}, change)
  writeFileSync(file, 'by hand')
  const expected = { code: 'precondition-failed', reason: 'config-changed' }
  await expect(source.replace(first, 'second', {}, change)).rejects.toMatchObject(expected)
  await expect(source.replace(missing, 'second', {}, change)).rejects.toMatchObject(expected)
  expect([text(), existsSync(`${file}.previous`)]).toEqual(['by hand', false])
})

test('a replacement is undone, but not an edit by hand that followed it', async () => {
  const { file, source, text } = await setUp()
  const first = await source.replace(await source.read(), 'first', {}, change)
  const second = await source.replace(first, 'second', {}, change)
  await source.undo(first)
  expect(text()).toBe('first')
  expect(second.etag).not.toBe(first.etag)
  await source.replace(first, 'third', {}, change)
  writeFileSync(file, 'by hand')
  await source.undo(first)
  expect(text()).toBe('by hand')
})
