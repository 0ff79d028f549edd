import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { RecordingStore } from '../src/recordings/index/recording-store.ts'
import { recordingStore } from '../src/recordings/index/recording-store.sql.ts'
import type { ReviewStore } from '../src/review/review-store.ts'
import { reviewStore } from '../src/review/review-store.sql.ts'
import { deletedFiles } from '../src/store/deleted-files.ts'
import type { Store } from '../src/store/store.ts'
import { openStore } from '../src/store/open.ts'
import { silent } from './support/null-log.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { scopedKey } from './support/scoped.ts'

const yard = scopedKey('yard')

const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
const configDir = temporaryFolder()
let store: Store
let plans: DatabaseSync

beforeAll(async () => {
  store = await openStore({ url: 'sqlite', configDir, log: silent })
  plans = new DatabaseSync(join(configDir, 'gatehouse.db'), { readOnly: true })
})
afterAll(async () => {
  plans.close()
  await store.close()
  prepare.mockRestore()
})

/** How SQLite, without statistics, finds the rows of the statements that work runs. */
async function plansOf(work: () => Promise<unknown>): Promise<string[]> {
  prepare.mockClear()
  await work()
  const statements = prepare.mock.calls
    .map(([sql]) => sql)
    .filter((sql) => /^(?:select|update|delete|insert)/.test(sql))
  return statements.flatMap((sql) =>
    plans
      .prepare(`explain query plan ${sql}`)
      .all()
      .map(({ detail }) => String(detail)),
  )
}

const many = 500
const numbers = Array.from({ length: many }, (_, nth) => nth)
const texts = numbers.map((nth) => `item ${nth}`)
const ann = { authMethod: 'proxy', key: 'ann', userId: null } as const

const recordings = (): RecordingStore => recordingStore(store, 'ours')
const review = (): ReviewStore => reviewStore(store, 'ours')
const shared = (): ReviewStore =>
  reviewStore(store, 'ours', { shown: () => ['ours', 'theirs'], deletedFiles: deletedFiles(store, 'ours') })

test.each<[string, () => Promise<unknown>]>([
  ['recordings that are removed', () => recordings().remove(numbers)],
  ['recordings whose files are missing', () => recordings().removeMissing(numbers)],
  ['recordings whose files are removed', () => recordings().removeFiles(texts)],
  ['review items that are removed', () => review().remove(texts, undefined)],
  ['the cameras and times of review items', () => review().starts(texts)],
  ['the cameras and times of review items of several volumes', () => shared().starts(texts)],
  ['review items of several volumes that are removed', () => shared().remove(texts, undefined)],
  ['review items that are marked as seen', () => review().markIds(ann, texts, [yard], true)],
  ['review items of several volumes that are marked as seen', () => shared().markIds(ann, texts, [yard], true)],
  ['review items that become unseen', () => review().markIds(ann, texts, [yard], false)],
])('SQLite finds rows by their ids, without reading all of a volume: %s', async (_name, work) => {
  const found = await plansOf(work)
  expect(found).not.toEqual([])
  expect(found.filter((detail) => /^SCAN (?!CONSTANT)|\(volume=\?\)$|\(camera=\?\)$/.test(detail))).toEqual([])
})

test('SQLite counts a day of a camera without reading anything of other days, and all but stored segments from the index alone', async () => {
  const found = await plansOf(() => recordings().usage(yard, 0, 1))
  expect(found).toEqual([
    'SEARCH recording USING COVERING INDEX recording_by_camera (volume=? AND camera=? AND start>? AND start<?)',
    'SEARCH recording USING INDEX recording_stored_away (volume=? AND camera=? AND start>? AND start<?)',
  ])
})
