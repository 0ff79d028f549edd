import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { engines } from '../../../test/support/engines.ts'
import { writeRecordings } from '../../../test/support/write-recordings.ts'
import { silent } from '../../../test/support/null-log.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { recordingStore } from '../index/recording-store.sql.ts'
import { removalQueue } from '../index/removal-queue.sql.ts'
import { createSegmentRepair } from './repair-segment.ts'
import { segmentFile } from './segment-name.ts'
import { scopedKey } from '../../../test/support/scoped.ts'

const yard = scopedKey('yard')

const noon = Date.UTC(2026, 10, 20, 12)

test('[NODE-5] a recording that moves to the object storage while its broken file is examined is kept there', async () => {
  const folder = temporaryFolder()
  const database = await engines[0]!.create()
  onTestFinished(() => database.remove())
  const opened = await database.open()
  const store = recordingStore(opened, 'ours')
  const file = segmentFile(yard, noon)
  mkdirSync(join(folder, dirname(file)), { recursive: true })
  writeFileSync(join(folder, file), Buffer.alloc(100))
  const span = { start: noon, end: noon + 10_000, motion: 0, streamId: noon }
  await store.add([{ camera: yard, ...span, bytes: 100, initBytes: 10, file }])
  const segment = (await store.startingAt(yard, noon))!

  const removed: unknown[] = []
  const usage = { added: () => {}, removed: (one: unknown) => void removed.push(one) }
  const { promise, resolve } = Promise.withResolvers<void>()
  const removeMissing = async (ids: readonly number[]) => {
    await store.stored(segment, 'key')
    return store.removeMissing(ids).finally(() => setImmediate(resolve))
  }
  createSegmentRepair({ folder, id: 'ours', store: { ...store, removeMissing }, usage, log: silent })(segment)
  await promise
  expect([await store.objectOf(segment.id), removed]).toEqual(['key', []])
  expect([await removalQueue(opened).claim(10, noon), existsSync(join(folder, file))]).toEqual([[], true])
})

test('[CAM-4] a recording whose camera got another key than its folder stays that camera’s', async () => {
  const mediaDir = temporaryFolder()
  const folder = join(mediaDir, 'recordings')
  const database = await engines[0]!.create()
  onTestFinished(() => database.remove())
  const store = recordingStore(await database.open(), 'ours')
  await writeRecordings(mediaDir, { camera: 'yard', start: noon, segments: 1 })
  const file = segmentFile(yard, noon)
  const span = { start: noon, end: noon + 10_000, motion: 0, streamId: noon }
  await store.add([{ camera: scopedKey('yard~1'), ...span, bytes: 100, initBytes: 10, file }])
  const { promise, resolve } = Promise.withResolvers<void>()
  const usage = { added: () => resolve(), removed: () => {} }
  createSegmentRepair({ folder, id: 'ours', store, usage, log: silent })(
    (await store.startingAt(scopedKey('yard~1'), noon))!,
  )
  await promise
  expect(await store.cameras()).toEqual(['yard~1'])
})
