import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeWhole } from './whole-file.ts'

let dir: string
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), 'whole-'))))
afterEach(() => rmSync(dir, { recursive: true }))

test('[SEC-2] a file is replaced whole, with the mode asked for, and no draft stays behind', async () => {
  const path = join(dir, 'secret')
  writeFileSync(path, 'old and longer', { mode: 0o644 })
  await writeWhole(path, 'new', 0o600)
  expect(readFileSync(path, 'utf8')).toBe('new')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(dir)).toEqual(['secret'])
})

test('[SEC-2] what cannot be replaced stays, and no draft behind it', async () => {
  mkdirSync(join(dir, 'taken', 'by'), { recursive: true })
  await expect(writeWhole(join(dir, 'taken'), 'new', 0o600)).rejects.toThrow('EISDIR')
  expect(readdirSync(dir)).toEqual(['taken'])
  await expect(writeWhole(join(dir, 'nowhere', 'file'), 'new', 0o600)).rejects.toThrow('ENOENT')
})
