import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { removeDrafts, atomicWrite } from './atomic-write.ts'

let dir: string
beforeEach(() => void (dir = temporaryFolder()))

test('[SEC-2] a file is replaced completely, with the requested mode, and no draft is left', async () => {
  const path = join(dir, 'secret')
  writeFileSync(path, 'old and longer', { mode: 0o644 })
  await atomicWrite(path, 'new', 0o600)
  expect(readFileSync(path, 'utf8')).toBe('new')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(dir)).toEqual(['secret'])
})

test('[SEC-2] a file that cannot be replaced stays, and no draft is left', async () => {
  mkdirSync(join(dir, 'taken', 'by'), { recursive: true })
  await expect(atomicWrite(join(dir, 'taken'), 'new', 0o600)).rejects.toThrow('EISDIR')
  expect(readdirSync(dir)).toEqual(['taken'])
  await expect(atomicWrite(join(dir, 'nowhere', 'file'), 'new', 0o600)).rejects.toThrow('ENOENT')
})

test.skipIf(process.getuid?.() === 0)('in a read-only folder, the old file stays', async () => {
  const path = join(dir, 'file')
  writeFileSync(path, 'old')
  chmodSync(dir, 0o500)
  try {
    await expect(atomicWrite(path, 'new', 0o600)).rejects.toThrow('EACCES')
    expect(readFileSync(path, 'utf8')).toBe('old')
  } finally {
    chmodSync(dir, 0o700)
  }
})

/** Writes a megabyte of `n` in its own process. @param spoil what is done to it first */
function writtenElsewhere(path: string, spoil: string, shell = 'exec "$0" "$@"') {
  const program = `
    import fs from 'node:fs/promises'
    import { syncBuiltinESMExports } from 'node:module'
    const { rename } = fs
    ${spoil}
    syncBuiltinESMExports()
    const { atomicWrite } = await import(${JSON.stringify(join(import.meta.dirname, 'atomic-write.ts'))})
    await atomicWrite(${JSON.stringify(path)}, 'n'.repeat(1_000_000), 0o600).catch(({ code }) => console.log(code))
  `
  const args = ['-c', shell, process.execPath, '--input-type=module', '-e', program]
  const { signal, stdout } = spawnSync('/bin/sh', args, { encoding: 'utf8' })
  return { signal, text: stdout.trim() }
}

test('on a disk that fills up during the write, the old file stays, and no draft is left', () => {
  const path = join(dir, 'file')
  writeFileSync(path, 'old')
  // Maximum file size, in blocks of 512 bytes.
  const { text } = writtenElsewhere(path, '', `trap '' XFSZ; ulimit -f 100; exec "$0" "$@"`)
  expect(text).toBe('EFBIG')
  expect(readFileSync(path, 'utf8')).toBe('old')
  expect(readdirSync(dir)).toEqual(['file'])
})

test.each([
  ['before', '', 'o'],
  ['after', 'await rename(from, to)', 'n'],
] as const)('[CONF-4] killed %s the renaming, the file is whole', async (_moment, first, whole) => {
  const path = join(dir, 'config.yml')
  writeFileSync(path, 'o'.repeat(1_000_000))
  const spoil = `fs.rename = async (from, to) => {
    ${first}
    process.kill(process.pid, 'SIGKILL')
    await new Promise(() => {})
  }`
  expect(writtenElsewhere(path, spoil).signal).toBe('SIGKILL')
  expect(readFileSync(path, 'utf8') === whole.repeat(1_000_000)).toBe(true)
  await removeDrafts(path)
  expect(readdirSync(dir)).toEqual(['config.yml'])
})
