import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { replaceFile } from './replace-file.ts'

const fresh = () => join(temporaryFolder(), 'config.yml')
const modeOf = (file: string) => statSync(file).mode & 0o777

test('[CONF-4] the previous version is kept beside the file, with the same mode', async () => {
  const file = fresh()
  writeFileSync(file, 'old')
  chmodSync(file, 0o640)
  await replaceFile(file, 'new', { keepAs: `${file}.previous` })
  expect(readFileSync(file, 'utf8')).toBe('new')
  expect(readFileSync(`${file}.previous`, 'utf8')).toBe('old')
  expect([modeOf(file), modeOf(`${file}.previous`)]).toEqual([0o640, 0o640])
  expect(readdirSync(join(file, '..')).toSorted()).toEqual(['config.yml', 'config.yml.previous'])
})

test('[CONF-1] a file that was not there is for its owner alone', async () => {
  const file = fresh()
  await replaceFile(file, 'new')
  expect(modeOf(file)).toBe(0o600)
})

test('of a symbolic link, the target is replaced', async () => {
  const [target, link] = [fresh(), fresh()]
  writeFileSync(target, 'old')
  symlinkSync(target, link)
  await replaceFile(link, 'new')
  expect(readFileSync(target, 'utf8')).toBe('new')
})
