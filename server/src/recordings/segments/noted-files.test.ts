import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { engines } from '../../../test/support/engines.ts'
import { silent } from '../../../test/support/null-log.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { createFileRemoval } from '../../shared/storage/file-removal.ts'
import { deletedFiles } from '../../store/deleted-files.ts'
import { deleteNotedFiles } from './noted-files.ts'
import { segmentFile } from './segment-name.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

const yard = cameraKey('yard')

const going = new AbortController().signal

test('[NODE-2] a stop waits for one file at most, and what was deleted until then isn’t noted anymore', async () => {
  const stopping = new AbortController()
  const files = [0, 10_000, 20_000].map((start) => segmentFile(yard, start))
  const done: string[] = []
  const deps = {
    folder: '/nowhere',
    deletedFiles: {
      own: async (_kind: string, after?: string) =>
        after === undefined ? files.map((file) => ({ volume: 'own', file, start: 0 })) : [],
      done: async (_kind: string, some: readonly string[]) => void done.push(...some),
    },
    files: { remove: async () => (stopping.abort(), undefined), isPostponed: () => false },
    usage: { removed: () => {} },
    requireDisk: () => Promise.resolve(),
  }
  await deleteNotedFiles(deps, stopping.signal)
  expect(done).toEqual(files.slice(0, 1))
})

test('[NODE-2] many files deleted elsewhere that can’t be removed don’t keep the others from being removed', async () => {
  const folder = temporaryFolder()
  const database = await engines[0]!.create()
  onTestFinished(() => database.remove())
  const store = await database.open()
  const jammed = Array.from({ length: 600 }, (_, number) => segmentFile(yard, number * 10_000))
  const other = segmentFile(yard, 600 * 10_000)
  mkdirSync(join(folder, dirname(other)), { recursive: true })
  writeFileSync(join(folder, other), 'video')
  const files = [...jammed, other].map((file) => ({ volume: 'ours', file, start: 0 }))
  await store.transaction((within) => deletedFiles(store, 'another').note('recording', files, within))
  const own = deletedFiles(store, 'ours')
  const failed = new Set<string>()
  const deps = {
    folder,
    deletedFiles: own,
    files: {
      remove: (file: string) => Promise.resolve(file === other ? undefined : (failed.add(file), new Error('broken'))),
      isPostponed: (file: string) => failed.has(file),
    },
    usage: { removed: () => {} },
    requireDisk: () => Promise.resolve(),
  }
  await deleteNotedFiles(deps, going)
  expect([failed.size, (await own.among('recording', [other])).size]).toEqual([600, 0])
  expect(await own.own('recording')).toHaveLength(500)
})

test('[NODE-2] a file deleted elsewhere that can’t be removed stays noted, and the others are removed', async () => {
  const folder = temporaryFolder()
  const [jammed, other] = [0, 10_000].map((start) => segmentFile(yard, start)) as [string, string]
  mkdirSync(join(folder, dirname(jammed)), { recursive: true })
  // A folder in its place can't be removed as a file.
  mkdirSync(join(folder, jammed))
  writeFileSync(join(folder, other), 'video')
  let noted = [jammed, other]
  let elapsed = 0
  const deps = {
    folder,
    deletedFiles: {
      own: (_kind: string, after?: string) =>
        Promise.resolve(
          noted
            .filter((file) => after === undefined || file > after)
            .map((file) => ({ volume: 'own', file, start: 0 })),
        ),
      done: (_kind: string, files: readonly string[]) =>
        Promise.resolve(void (noted = noted.filter((file) => !files.includes(file)))),
    },
    files: createFileRemoval({ folder, clock: { elapsed: () => elapsed }, log: silent }),
    usage: { removed: () => {} },
    requireDisk: () => Promise.resolve(),
  }
  await deleteNotedFiles(deps, going)
  expect([noted, existsSync(join(folder, other))]).toEqual([[jammed], false])
  rmdirSync(join(folder, jammed))
  writeFileSync(join(folder, jammed), 'video')
  await deleteNotedFiles(deps, going)
  expect(noted).toEqual([jammed])
  elapsed = 61 * 60_000
  await deleteNotedFiles(deps, going)
  expect([noted, existsSync(join(folder, jammed))]).toEqual([[], false])
})
