import { existsSync, mkdirSync, mkdtempSync, rmSync, rmdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { createFileRemoval } from '../../shared/storage/file-removal.ts'
import { deleteNotedFiles } from './noted-files.ts'
import { segmentFile } from './segment-name.ts'

test('[NODE-2] a file deleted elsewhere that can’t be removed stays noted, and the others are removed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-noted-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [jammed, other] = [0, 10_000].map((start) => segmentFile('yard', start)) as [string, string]
  mkdirSync(join(folder, dirname(jammed)), { recursive: true })
  // A folder in its place can't be removed as a file.
  mkdirSync(join(folder, jammed))
  writeFileSync(join(folder, other), 'video')
  let noted = [jammed, other]
  let elapsed = 0
  const deps = {
    folder,
    deletedFiles: {
      own: () => Promise.resolve(noted.map((file) => ({ volume: 'own', file, start: 0 }))),
      done: (_kind: string, files: readonly string[]) =>
        Promise.resolve(void (noted = noted.filter((file) => !files.includes(file)))),
    },
    files: createFileRemoval({ folder, clock: { elapsed: () => elapsed }, log: silent }),
    usage: { removed: () => {} },
    requireDisk: () => Promise.resolve(),
  }
  await deleteNotedFiles(deps)
  expect([noted, existsSync(join(folder, other))]).toEqual([[jammed], false])
  rmdirSync(join(folder, jammed))
  writeFileSync(join(folder, jammed), 'video')
  await deleteNotedFiles(deps)
  expect(noted).toEqual([jammed])
  elapsed = 61 * 60_000
  await deleteNotedFiles(deps)
  expect([noted, existsSync(join(folder, jammed))]).toEqual([[], false])
})
