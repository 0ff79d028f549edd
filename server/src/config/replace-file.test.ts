import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { removeLeftovers, replaceFile } from './replace-file.ts'

const fresh = () => join(mkdtempSync(join(tmpdir(), 'replace-')), 'config.yml')
const modeOf = (file: string) => statSync(file).mode & 0o777

test('[CONF-4] the version before is kept beside, and the mode stays', async () => {
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

/** Runs one replacement in a process of its own that is killed at a moment of its renaming. */
function killedWhileRenaming(file: string, moment: 'before' | 'after'): void {
  const program = `
    import fs from 'node:fs/promises'
    import { syncBuiltinESMExports } from 'node:module'
    const { rename } = fs
    fs.rename = async (from, to) => {
      if (${JSON.stringify(moment)} === 'after') await rename(from, to)
      process.kill(process.pid, 'SIGKILL')
      await new Promise(() => {})
    }
    syncBuiltinESMExports()
    const { replaceFile } = await import(${JSON.stringify(join(import.meta.dirname, 'replace-file.ts'))})
    await replaceFile(${JSON.stringify(file)}, 'n'.repeat(1_000_000))
  `
  const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', program])
  expect(signal).toBe('SIGKILL')
}

test.each([
  ['before', 'o'.repeat(1_000_000)],
  ['after', 'n'.repeat(1_000_000)],
] as const)('[CONF-4] killed %s the renaming, the file is whole', async (moment, whole) => {
  const file = fresh()
  writeFileSync(file, 'o'.repeat(1_000_000))
  killedWhileRenaming(file, moment)
  expect(readFileSync(file, 'utf8') === whole).toBe(true)
  await removeLeftovers(file)
  expect(readdirSync(join(file, '..'))).toEqual(['config.yml'])
})
