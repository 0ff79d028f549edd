import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { engines, type TestDatabase } from '../../test/support/engines.ts'
import { silent } from '../../test/support/null-log.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { testEntry } from '../../test/support/test-entry.ts'
import type { Log } from '../shared/log.ts'
import { systemClock } from '../shared/time/clock.ts'
import { cleanUpFailed } from './clean-up-failed.ts'
import { openExportFolder, type ExportFolder } from './export-folder.ts'
import type { ExportStore, StoredExport } from './export-store.ts'
import { exportStore } from './export-store.sql.ts'
import { createLostExports, type LostExports } from './lost-exports.ts'
import { exportProblem } from './problem.ts'
import { reconcileExports } from './reconcile-exports.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'

const at = Date.UTC(2026, 10, 21, 10)
const owner = { authMethod: 'password', key: 'gil', userId: null } as const
const bytes = 100

let database: TestDatabase
let store: ExportStore
let mediaDir: string
let folder: ExportFolder
let lost: LostExports
let warnings: string[]
let changes: (readonly [StoredExport['state'], number])[]

beforeEach(async () => {
  database = await engines[0]!.create()
  store = exportStore(await database.open(), 'ours')
  mediaDir = temporaryFolder()
  changes = []
  warnings = []
  await start()
})
afterEach(() => database.remove())

const log: Log = { ...silent, warn: (_fields, event) => void warnings.push(event) }
const onChange = ({ state }: StoredExport, progress: number): void => void changes.push([state, progress])

/** What a start does. */
async function start(): Promise<void> {
  folder = await openExportFolder(mediaDir, 'b')
  lost = createLostExports({ volume: 'ours', folder, store, onChange, clock: systemClock, log })
  await reconcileExports({ folder, store, lost, log: silent })
}

const fileOf = (id: string): string => join(mediaDir, 'exports', `${id}.mp4`)

/** A finished export with its file. */
async function made(number: number): Promise<string> {
  const id = number.toString(16).padStart(32, '0')
  const times = { start: at, end: at + 60_000, expected: 60_000, promised: 1000, createdAt: at + number }
  await store.add({ id, camera: cameraKey('yard'), name: '', owner, createdBy: 'Gil', ...times }, testEntry)
  writeFileSync(fileOf(id), Buffer.alloc(bytes))
  await store.finish(id, { bytes, duration: 60_000 }, at)
  return id
}

const stateOf = async (id: string): Promise<unknown> => (await store.byId(id))?.state

const lose = async (id: string): Promise<void> => lost.loseNow((await store.byId(id))!)

test('the file of an export that was marked as lost is never removed; as it was, the export is done again', async () => {
  const [same, other] = [await made(1), await made(2)]
  for (const id of [same, other]) await lose(id)
  writeFileSync(fileOf(other), Buffer.alloc(bytes - 1))
  changes = []
  await start()
  expect([await stateOf(same), await stateOf(other)]).toEqual(['done', 'failed'])
  expect(await store.byId(same)).toMatchObject({ bytes, duration: 60_000 })
  expect([existsSync(fileOf(same)), existsSync(fileOf(other))]).toEqual([true, true])
  expect(changes).toEqual([['done', 100]])
})

const week = 7 * 24 * 60 * 60_000

/** What the service does every hour. @returns the exports that it removed from the list */
async function cleanUp(now: number, isTrusted = true): Promise<string[]> {
  const removed: string[] = []
  const onRemoved = ({ id }: StoredExport): void => void removed.push(id)
  await cleanUpFailed({ folder, store, lost, onRemoved, isClockTrusted: () => isTrusted, clock: { now: () => now } })
  return removed
}

test('while the service runs, a lost export whose file is back as it was is done again, also after a week', async () => {
  const ids = [await made(1), await made(2)] as const
  for (const id of ids) await lose(id)
  const { finishedAt } = (await store.byId(ids[0])) as { finishedAt: number }
  expect(await cleanUp(finishedAt + week + 1000)).toEqual([])
  expect([await stateOf(ids[0]), existsSync(fileOf(ids[0]))]).toEqual(['done', true])
})

test('a lost export whose file is back otherwise is removed after a week, with the file', async () => {
  const id = await made(1)
  await lose(id)
  writeFileSync(fileOf(id), Buffer.alloc(bytes - 1))
  const { finishedAt } = (await store.byId(id)) as { finishedAt: number }
  expect([await cleanUp(finishedAt + week), existsSync(fileOf(id))]).toEqual([[], true])
  expect([await cleanUp(finishedAt + week + 1, false), existsSync(fileOf(id))]).toEqual([[], true])
  expect([await cleanUp(finishedAt + week + 1), existsSync(fileOf(id))]).toEqual([[id], false])
  expect(await store.byId(id)).toBeUndefined()
})

test('while its disk is unmounted, a lost export stays in the list, so that its file is found or removed later', async () => {
  const id = await made(1)
  await lose(id)
  renameSync(join(mediaDir, 'exports'), join(mediaDir, 'away'))
  const later = Date.now() + 2 * week
  await expect(cleanUp(later)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await stateOf(id)).toBe('failed')
  renameSync(join(mediaDir, 'away'), join(mediaDir, 'exports'))
  expect([await cleanUp(later), await stateOf(id)]).toEqual([[], 'done'])
})

test('the log says once that the file of a lost export has another size', async () => {
  const id = await made(1)
  await lose(id)
  writeFileSync(fileOf(id), Buffer.alloc(bytes - 1))
  for (let hour = 1; hour < 4; hour++) await cleanUp(Date.now() + hour)
  expect(warnings.filter((each) => each.includes('another size'))).toHaveLength(1)
})

test('the file of a canceled export is removed', async () => {
  const id = (3).toString(16).padStart(32, '0')
  const times = { start: at, end: at + 60_000, expected: 60_000, promised: 1000, createdAt: at }
  await store.add({ id, camera: cameraKey('yard'), name: '', owner, createdBy: 'Gil', ...times }, testEntry)
  await store.fail(id, exportProblem('canceled'), at)
  writeFileSync(fileOf(id), Buffer.alloc(bytes))
  await start()
  expect([await stateOf(id), existsSync(fileOf(id))]).toEqual(['failed', false])
})

test('an export whose file is missing beside others is marked as lost', async () => {
  const [gone, left] = [await made(1), await made(2)]
  rmSync(fileOf(gone))
  await start()
  expect([await stateOf(gone), await stateOf(left)]).toEqual(['failed', 'done'])
})

test('if no finished export has its file, their disk is missing, and none is marked as lost', async () => {
  const ids = [await made(1), await made(2)]
  renameSync(join(mediaDir, 'exports'), join(mediaDir, 'away'))
  await start()
  await expect(lose(ids[0]!)).rejects.toMatchObject({ code: 'unavailable' })
  expect([await stateOf(ids[0]!), await stateOf(ids[1]!)]).toEqual(['done', 'done'])
})

test('while another folder is in the place of the exports, none is marked as lost', async () => {
  const id = await made(1)
  renameSync(join(mediaDir, 'exports'), join(mediaDir, 'away'))
  await expect(lose(id)).rejects.toMatchObject({ code: 'unavailable' })
  mkdirSync(join(mediaDir, 'exports'))
  await expect(lose(id)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await stateOf(id)).toBe('done')
})

test('exports made while the disk was missing, and those on it, don’t hide each other', async () => {
  const ids = [await made(1), await made(2)]
  renameSync(join(mediaDir, 'exports'), join(mediaDir, 'away'))
  await start()
  const during = await made(3)
  await start()
  expect(await Promise.all([...ids, during].map(stateOf))).toEqual(['failed', 'failed', 'done'])
  renameSync(join(mediaDir, 'exports'), join(mediaDir, 'below'))
  renameSync(join(mediaDir, 'away'), join(mediaDir, 'exports'))
  await start()
  expect(await Promise.all([...ids, during].map(stateOf))).toEqual(['done', 'done', 'failed'])
  expect(existsSync(join(mediaDir, 'below', `${during}.mp4`))).toBe(true)
})
