import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { engines, type TestDatabase } from '../../test/support/engines.ts'
import { silent } from '../../test/support/null-log.ts'
import { testEntry } from '../shared/audit/test-entry.ts'
import { systemClock } from '../shared/time/clock.ts'
import { openExportFolder, type ExportFolder } from './export-folder.ts'
import type { ExportStore, StoredExport } from './export-store.ts'
import { exportStore } from './export-store.sql.ts'
import { createLostExports, type LostExports } from './lost-exports.ts'
import { exportProblem } from './problem.ts'
import { reconcileExports } from './reconcile-exports.ts'

const at = Date.UTC(2026, 10, 21, 10)
const owner = { authMethod: 'password', key: 'gil', userId: null } as const
const bytes = 100

let database: TestDatabase
let store: ExportStore
let mediaDir: string
let folder: ExportFolder
let lost: LostExports
let changes: (readonly [StoredExport['state'], number])[]

beforeEach(async () => {
  database = await engines[0]!.create()
  store = exportStore(await database.open(), 'ours')
  mediaDir = mkdtempSync(join(tmpdir(), 'gatehouse-exports-'))
  changes = []
  await start()
})
afterEach(async () => {
  await database.remove()
  rmSync(mediaDir, { recursive: true })
})

const onChange = ({ state }: StoredExport, progress: number): void => void changes.push([state, progress])

/** What a start does. */
async function start(): Promise<void> {
  folder = await openExportFolder(mediaDir, 'b')
  lost = createLostExports({ volume: 'ours', folder, store, onChange, clock: systemClock, log: silent })
  await reconcileExports({ folder, store, lost, log: silent })
}

const fileOf = (id: string): string => join(mediaDir, 'exports', `${id}.mp4`)

/** A finished export with its file. */
async function made(number: number): Promise<string> {
  const id = number.toString(16).padStart(32, '0')
  const times = { start: at, end: at + 60_000, expected: 60_000, promised: 1000, createdAt: at + number }
  await store.add({ id, camera: 'yard', name: '', owner, createdBy: 'Gil', ...times }, testEntry)
  writeFileSync(fileOf(id), Buffer.alloc(bytes))
  await store.finish(id, { bytes, duration: 60_000 }, at)
  return id
}

const stateOf = async (id: string): Promise<unknown> => (await store.byId(id))?.state

const lose = async (id: string): Promise<void> => lost.lose((await store.byId(id))!)

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

test('the file of a canceled export is removed', async () => {
  const id = (3).toString(16).padStart(32, '0')
  const times = { start: at, end: at + 60_000, expected: 60_000, promised: 1000, createdAt: at }
  await store.add({ id, camera: 'yard', name: '', owner, createdBy: 'Gil', ...times }, testEntry)
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
