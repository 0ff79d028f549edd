import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { silent } from '../../test/support/null-log.ts'
import { createTestClock } from '../../test/support/test-clock.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { openExportFolder, type ExportFolder } from './export-folder.ts'
import { createNotedExports } from './noted-exports.ts'

const id = 'a'.repeat(32)

let folder: ExportFolder
let away: string

beforeEach(async () => {
  const mediaDir = temporaryFolder()
  folder = await openExportFolder(mediaDir, 'b')
  away = join(mediaDir, 'away')
  writeFileSync(fileIn(folder.path), 'video')
})

const fileIn = (path: string): string => join(path, `${id}.mp4`)

/** Another folder, or none, is in the place of the exports. */
function unmount(left: 'another' | 'none'): void {
  renameSync(folder.path, away)
  if (left === 'another') mkdirSync(folder.path)
}

function mountAgain(): void {
  rmSync(folder.path, { recursive: true, force: true })
  renameSync(away, folder.path)
}

test('a file is removed, and one that is missing counts as removed', async () => {
  await folder.remove(id)
  expect(existsSync(fileIn(folder.path))).toBe(false)
  await folder.remove(id)
})

test.each(['another', 'none'] as const)(
  'while the disk is unmounted and %s is in its place, no file counts as removed',
  async (left) => {
    unmount(left)
    const missing = { code: 'unavailable', reason: 'exports-disk-missing', retryAfter: 30 }
    await expect(folder.remove(id)).rejects.toMatchObject(missing)
    mountAgain()
    expect(existsSync(fileIn(folder.path))).toBe(true)
    await folder.remove(id)
    expect(existsSync(fileIn(folder.path))).toBe(false)
  },
)

test('an export that was deleted through another instance while the disk was unmounted is deleted once it is back', async () => {
  const noted = new Set([id])
  const { run } = createNotedExports({
    deletedFiles: {
      own: () => Promise.resolve([...noted].map((file) => ({ volume: 'ours', file, start: 0 }))),
      done: (_kind, files) => Promise.resolve(files.forEach((file) => noted.delete(file))),
      subscribe: () => () => undefined,
    },
    folder,
    jobs: { without: (_id, then) => then() },
    clock: createTestClock(),
    log: silent,
  })
  unmount('another')
  await run()
  expect([...noted]).toEqual([id])
  mountAgain()
  await run()
  expect([[...noted], existsSync(fileIn(folder.path))]).toEqual([[], false])
})
