import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { silent } from '../../test/support/null-log.ts'
import { createTestClock } from '../../test/support/test-clock.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { openExportFolder } from './export-folder.ts'
import type { StoredExport } from './export-store.ts'
import { exportInnerRoute } from './inner-export.ts'
import { createLostExports } from './lost-exports.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'

const id = 'a'.repeat(32)
const done: StoredExport = {
  id,
  camera: cameraKey('yard'),
  name: '',
  start: 0,
  end: 1000,
  expected: 1000,
  promised: 10,
  createdAt: 0,
  owner: { authMethod: 'password', key: 'a', userId: 'a' },
  createdBy: 'a',
  tries: 1,
  volume: 'ours',
  state: 'done',
  bytes: 5,
  duration: 1000,
  finishedAt: 0,
}

/** Another instance reads the file of an export here. */
async function setUp() {
  const mediaDir = temporaryFolder()
  const folder = await openExportFolder(mediaDir, 'b')
  const file = join(folder.path, `${id}.mp4`)
  writeFileSync(file, 'video')
  const store = {
    byId: () => Promise.resolve(done),
    lose: () => Promise.resolve(true),
    recover: () => Promise.resolve(true),
  }
  const lost = createLostExports({
    volume: 'ours',
    folder,
    store,
    onChange: () => {},
    clock: createTestClock(),
    log: silent,
  })
  const route = exportInnerRoute({ folder, store, requireDisk: lost.requireDisk })
  const query = new URLSearchParams({ id, from: '0', to: '5' })
  const read = () => route.handle({ camera: 'yard', range: { start: 0, end: 1000 }, query } as never)
  return { folder, file, lost, read, away: join(mediaDir, 'away') }
}

test('[NODE-3] another instance reads the file of an export', async () => {
  const { read } = await setUp()
  const { body } = await read()
  expect(await text(body as NodeJS.ReadableStream)).toBe('video')
})

test('a file that is missing is not found', async () => {
  const { file, read } = await setUp()
  rmSync(file)
  await expect(read()).rejects.toMatchObject({ code: 'not-found' })
})

test('while the disk is missing, no file is reported as missing to another instance', async () => {
  const { folder, away, lost, read } = await setUp()
  renameSync(folder.path, away)
  await expect(read()).rejects.toMatchObject({ code: 'unavailable' })
  mkdirSync(folder.path)
  await expect(read()).rejects.toMatchObject({ code: 'unavailable' })
  rmSync(folder.path, { recursive: true })
  renameSync(away, folder.path)
  expect(await text((await read()).body as NodeJS.ReadableStream)).toBe('video')
  // A start without the disk.
  lost.allMissing(2)
  rmSync(join(folder.path, `${id}.mp4`))
  await expect(read()).rejects.toMatchObject({ code: 'unavailable' })
})
