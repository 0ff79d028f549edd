import {
  appendFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { engines, type TestDatabase } from '../../../test/support/engines.ts'
import { writeRecordings } from '../../../test/support/write-recordings.ts'
import { silent } from '../../../test/support/null-log.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { ServiceError } from '../../shared/errors.ts'
import { ObjectError, type Objects } from '../../shared/storage/objects.ts'
import type { RecordingStore, Segment } from '../index/recording-store.ts'
import { registryStore } from '../../cameras/registry/registry-store.sql.ts'
import type { Store } from '../../store/store.ts'
import { recordingStore } from '../index/recording-store.sql.ts'
import { removalQueue, type RemovalQueue } from '../index/removal-queue.sql.ts'
import { objectKey } from '../tier/object-key.ts'
import { objectsOfFiles } from '../tier/objects-of-files.ts'
import { reconcile, type Reconciled } from './reconcile.ts'
import { segmentFile } from './segment-name.ts'
import { scopedKey } from '../../../test/support/scoped.ts'

const yard = scopedKey('yard')

const volume = 'a'.repeat(32)
const noon = Date.UTC(2026, 10, 20, 12)
const nothing: Reconciled = { found: 0, dropped: 0, stored: 0, undecided: 0, unreadable: 0, broken: 0, changed: 0 }

let database: TestDatabase
let opened: Store
let store: RecordingStore
let removals: RemovalQueue
let mediaDir: string
let folder: string
/** Folders and files that the log names. */
let logged: string[]
let named: Set<string>
/** Files that this process indexes itself. */
let own: Set<string>

beforeEach(async () => {
  database = await engines[0]!.create()
  opened = await database.open()
  store = recordingStore(opened, volume)
  removals = removalQueue(opened)
  mediaDir = temporaryFolder()
  folder = join(mediaDir, 'recordings')
  mkdirSync(folder)
  logged = []
  named = new Set()
  own = new Set()
})
afterEach(() => database.remove())

/** Ten seconds of the camera yard, on disk and in the index. */
async function recorded(start: number, camera = 'yard'): Promise<Segment> {
  const file = segmentFile(scopedKey(camera), start)
  mkdirSync(join(folder, dirname(file)), { recursive: true })
  writeFileSync(join(folder, file), Buffer.alloc(100))
  const span = { start, end: start + 10_000, motion: 0, streamId: start }
  await store.add([{ camera: scopedKey(camera), ...span, bytes: 100, initBytes: 10, file }])
  return (await store.startingAt(scopedKey(camera), start))!
}

const compared = (
  changed: Partial<RecordingStore> = {},
  objects: Pick<Objects, 'configured' | 'list'> = { configured: () => false, list: never },
  requireDisk = () => Promise.resolve(),
): ReturnType<typeof reconcile> =>
  reconcile({
    folder,
    volume,
    objectsIn: objectsOfFiles(volume, objects),
    writer: 'abc',
    isOwn: (file) => own.has(file),
    store: { ...store, ...changed },
    requireDisk,
    logged: named,
    log: { ...silent, warn },
    signal: new AbortController().signal,
  })

const reconciled = async (...args: Parameters<typeof compared>): Promise<Reconciled> => (await compared(...args)).counts

const warn = (fields: object): void => {
  if ('folder' in fields) logged.push(String(fields.folder))
}

/** Once reconcile has read the rows of a day, does something before it continues. */
const afterRows = (work: (rows: readonly Pick<Segment, 'file'>[]) => unknown): Partial<RecordingStore> => ({
  filesFrom: async (...range) => {
    const rows = await store.filesFrom(...range)
    await work(rows)
    return rows
  },
})

const key = (segment: Segment): string => `key of ${segment.file}`

/** What the object storage's work does at the end of an upload. */
async function moveToObjects(segment: Segment): Promise<void> {
  await store.stored(segment, key(segment))
  rmSync(join(folder, segment.file))
}

const never = (): never => {
  throw new Error('not configured')
}

const unreachable = (): never => {
  throw new ObjectError('unreachable')
}

const keyOf = (file: string, digit: string): string => objectKey(volume, file, digit.repeat(64))

/** An object storage with these keys, each older than the next, in pages of one. */
const storageWith = (...keys: readonly string[]): Pick<Objects, 'configured' | 'list'> => ({
  configured: () => true,
  async *list(prefix) {
    for (const [modifiedAt, key] of keys.entries()) if (key.startsWith(prefix)) yield [{ key, modifiedAt }]
  },
})

const queued = () => removals.claim(10, noon)

test('[NODE-5] a recording that moves to the object storage while disk and index are compared is kept there', async () => {
  const segment = await recorded(noon)
  expect(await reconciled(afterRows(() => moveToObjects(segment)))).toEqual(nothing)
  expect([await store.objectOf(segment.id), await queued()]).toEqual([key(segment), []])
})

test('[NODE-5] a recording that moves while its day’s folder is removed is kept in the object storage', async () => {
  const segment = await recorded(noon)
  rmSync(join(folder, dirname(dirname(segment.file))), { recursive: true })
  expect(await reconciled(afterRows(() => store.stored(segment, key(segment))))).toEqual(nothing)
  expect([await store.objectOf(segment.id), await queued()]).toEqual([key(segment), []])
})

test('[NODE-5] a recording that moves while its file has another size than in the index is kept in the object storage', async () => {
  const segment = await recorded(noon)
  truncateSync(join(folder, segment.file), 50)
  const { broken, changed } = await reconciled(afterRows(() => store.stored(segment, key(segment))))
  expect({ broken, changed }).toEqual({ broken: 0, changed: 0 })
  expect([await store.objectOf(segment.id), await queued()]).toEqual([key(segment), []])
})

test('a row whose file is missing is dropped', async () => {
  const [gone, left] = [await recorded(noon), await recorded(noon + 10_000)]
  rmSync(join(folder, gone.file))
  expect(await reconciled()).toEqual({ ...nothing, dropped: 1 })
  expect([await store.objectOf(gone.id), await store.objectOf(left.id)]).toEqual([undefined, null])
  expect(existsSync(join(folder, left.file))).toBe(true)
})

test('what is recorded while disk and index are compared stays in the index, also in a new day’s folder', async () => {
  const yesterday = await recorded(noon)
  const made: Segment[] = []
  const midnight = Date.UTC(2026, 10, 21)
  const changed = afterRows(async () => {
    // Midnight passes while the first day is checked, and between the rows and the files of the second.
    if (made.length < 2) made.push(await recorded(midnight + made.length * 10_000))
  })
  expect(await reconciled(changed)).toEqual(nothing)
  expect(made).toHaveLength(2)
  for (const { id } of [yesterday, ...made]) expect(await store.objectOf(id)).toBeNull()
})

test('of a day without a folder, every row is dropped', async () => {
  const gone = await recorded(noon)
  rmSync(join(folder, dirname(dirname(gone.file))), { recursive: true })
  expect(await reconciled()).toEqual({ ...nothing, dropped: 1 })
  expect(await store.objectOf(gone.id)).toBeUndefined()
})

test('a segment that was numbered into the next day because its start was taken stays in the index', async () => {
  const { file, start } = await recorded(Date.UTC(2026, 10, 21) - 1)
  const other = file.replace('.mp4', '-1.mp4')
  writeFileSync(join(folder, other), Buffer.alloc(100))
  const span = { start, end: start + 10_000, motion: 0, streamId: start }
  await store.add([{ camera: yard, ...span, bytes: 100, initBytes: 10, file: other }])
  const numbered = (await store.startingAt(yard, start + 1))!
  expect((await reconciled()).dropped).toBe(0)
  expect(await store.objectOf(numbered.id)).toBeNull()
})

test('[NODE-5] a row of a backup whose recording moved since gets its object; only one without an object is dropped', async () => {
  const [stored, twice, lost] = [await recorded(noon), await recorded(noon + 10_000), await recorded(noon + 20_000)]
  const otherDay = await recorded(noon - 86_400_000)
  for (const { file } of [stored, twice, lost]) rmSync(join(folder, file))
  rmSync(join(folder, dirname(dirname(otherDay.file))), { recursive: true })
  const [old, newer] = [keyOf(twice.file, '1'), keyOf(twice.file, '0')]
  const objects = storageWith(keyOf(otherDay.file, 'a'), old, newer, keyOf(stored.file, 'b'))
  expect(await reconciled({}, objects)).toEqual({ ...nothing, stored: 3, dropped: 1 })
  expect(await Promise.all([stored, twice, lost, otherDay].map(({ id }) => store.objectOf(id)))).toEqual([
    keyOf(stored.file, 'b'),
    newer,
    undefined,
    keyOf(otherDay.file, 'a'),
  ])
  expect(await queued()).toEqual([])
})

test('[NODE-5] while the object storage can’t be listed, no row is dropped, and it is asked once', async () => {
  const segments = [await recorded(noon), await recorded(noon - 86_400_000)]
  for (const { file } of segments) rmSync(join(folder, file))
  let requests = 0
  const list = (): never => {
    requests++
    throw new ObjectError('unreachable')
  }
  const { counts, missing } = await compared({}, { configured: () => true, list })
  expect([counts, missing]).toEqual([{ ...nothing, undecided: 2 }, new Map([['yard', 200]])])
  for (const { id } of segments) expect(await store.objectOf(id)).toBeNull()
  expect(requests).toBe(1)
})

const day = 86_400_000

/** Makes a folder unreadable, also for root: a link that leads to itself. @returns makes it readable again */
function loop(place: string): () => void {
  const path = join(folder, place)
  renameSync(path, `${path}.moved`)
  symlinkSync(path, path)
  return () => {
    rmSync(path)
    renameSync(`${path}.moved`, path)
  }
}

test.each([
  ['one camera on one day', (file: string) => dirname(file), 1, 1],
  ['a day', (file: string) => dirname(dirname(file)), 2, 1],
])('a folder of %s that can’t be read keeps its rows, and later days are compared', async (_what, of, kept, lost) => {
  const [unread, door] = [await recorded(noon - day), await recorded(noon - day, 'door')]
  const gone = await recorded(noon)
  rmSync(join(folder, gone.file))
  const place = of(unread.file)
  const repair = loop(place)
  const { counts, unreadable, error } = await compared()
  expect([counts, [...unreadable], error]).toEqual([{ ...nothing, dropped: lost, unreadable: 1 }, [place], undefined])
  expect(await Promise.all([unread, door, gone].map(({ id }) => store.objectOf(id)))).toEqual([null, null, undefined])
  expect((await compared()).counts).toEqual({ ...nothing, unreadable: 1 })
  expect(logged).toEqual([place])
  repair()
  for (const { file } of [unread, door].slice(0, kept)) rmSync(join(folder, file))
  expect((await compared()).counts).toEqual({ ...nothing, dropped: kept })
})

test('[NODE-5] while one folder can’t be read, rows of others still get their objects', async () => {
  const [unread, stored] = [await recorded(noon - day), await recorded(noon)]
  rmSync(join(folder, stored.file))
  loop(dirname(unread.file))
  const objects = storageWith(keyOf(unread.file, 'a'), keyOf(stored.file, 'b'))
  expect(await reconciled({}, objects)).toEqual({ ...nothing, stored: 1, unreadable: 1 })
  expect([await store.objectOf(unread.id), await store.objectOf(stored.id)]).toEqual([null, keyOf(stored.file, 'b')])
})

test('without the disk, no folder counts as unreadable', async () => {
  loop(dirname((await recorded(noon)).file))
  const missing = new ServiceError('unavailable')
  await expect(compared({}, undefined, () => Promise.reject(missing))).rejects.toBe(missing)
  expect(logged).toEqual([])
})

test('a day whose rows can’t be read keeps no later one from being compared', async () => {
  await recorded(noon - day)
  const gone = await recorded(noon)
  rmSync(join(folder, gone.file))
  const broken = new Error('a part of the index is broken')
  const { counts, error } = await compared({
    filesFrom: (...range) => (range[1] < noon - day ? Promise.reject(broken) : store.filesFrom(...range)),
  })
  expect([counts.dropped, error]).toEqual([1, broken])
})

/** A file that isn't in the index. Nothing in it plays, so it's quarantined once it's looked at. */
function unindexed(start: number): string {
  const file = segmentFile(yard, start)
  mkdirSync(join(folder, dirname(file)), { recursive: true })
  writeFileSync(join(folder, file), Buffer.alloc(100))
  return file
}

test('a file of an earlier run is looked at, also if it’s newer than the start because the clock was set back', async () => {
  const file = unindexed(noon)
  const later = new Date(Date.now() + day)
  utimesSync(join(folder, file), later, later)
  expect(await reconciled()).toEqual({ ...nothing, broken: 1 })
})

test('a file that this process indexes itself is left to it, also if that happens while the folder is read', async () => {
  own.add(unindexed(noon))
  const { file } = await recorded(noon + 10_000)
  let reads = 0
  const changed: Partial<RecordingStore> = {
    filesFrom: async (...range) => (reads++ === 0 ? [] : store.filesFrom(...range)),
  }
  expect(await reconciled(changed)).toEqual(nothing)
  expect(existsSync(join(folder, file))).toBe(true)
})

test('without the database, nothing further is compared', async () => {
  truncateSync(join(folder, (await recorded(noon)).file), 50)
  const away = new ServiceError('unavailable')
  await expect(compared({ removeMissing: () => Promise.reject(away) })).rejects.toBe(away)
})

/** The first start with one registry: the volume's yard isn't that of the volume that was in use, and gets another key. */
async function renamed(): Promise<void> {
  for (const [on, source] of [
    ['own', 'b'],
    [volume, 'a'],
  ] as const) {
    const row = { volume: on, key: yard, name: 'yard', source, added_at: 1, removed_at: null, withheld: '[]' }
    await opened.db.insertInto('camera').values(row).execute()
  }
  await registryStore(opened, 'own').read({ now: 2, newKey: (name) => scopedKey(`${name}~1`) })
}

/** Files in the index, by camera. */
const indexedOf = async (camera: string): Promise<string[]> =>
  (await store.filesFrom(scopedKey(camera), 0, noon + 2 * day)).map(({ file }) => file).sort()

/** A playable file of the yard that isn't in the index, of a segment that ended or not. */
async function playable(start: number, isDraft = false): Promise<string> {
  await writeRecordings(mediaDir, { camera: 'yard', start, segments: 1 })
  const file = segmentFile(yard, start)
  if (isDraft) renameSync(join(folder, file), join(folder, `${file}.def-1.part`))
  return file
}

test('[CAM-4] files of a camera that got another key are found at their rows, which stay that camera’s', async () => {
  const [kept, lost, ofLostDay] = [await recorded(noon), await recorded(noon + 10_000), await recorded(noon - day)]
  await renamed()
  rmSync(join(folder, lost.file))
  rmSync(join(folder, dirname(ofLostDay.file)), { recursive: true })
  expect(await reconciled()).toEqual({ ...nothing, dropped: 2 })
  expect(await reconciled()).toEqual(nothing)
  expect([await indexedOf('yard~1'), await indexedOf('yard')]).toEqual([[kept.file], []])
})

test('[CAM-4] files without a row are those of the camera that had the folder, and not of the one that has its key', async () => {
  await renamed()
  const files = [await playable(noon - day), await playable(noon, true)]
  expect(await reconciled()).toEqual({ ...nothing, found: 2 })
  expect(await reconciled()).toEqual(nothing)
  expect([await indexedOf('yard~1'), await indexedOf('yard')]).toEqual([files, []])
})

test('[CAM-4] a file with another size than in the index stays the camera’s that it is of', async () => {
  const file = await playable(noon)
  await reconciled()
  await renamed()
  appendFileSync(join(folder, file), Buffer.alloc(100))
  expect(await reconciled()).toEqual({ ...nothing, changed: 1 })
  expect([await indexedOf('yard~1'), await indexedOf('yard')]).toEqual([[file], []])
})

test('[CAM-4] on a day with recordings of the present camera only, a file without a row is its own', async () => {
  await renamed()
  const { file } = await recorded(noon)
  const last = await playable(noon + 10_000, true)
  expect(await reconciled()).toEqual({ ...nothing, found: 1 })
  expect([await indexedOf('yard~1'), await indexedOf('yard')]).toEqual([[], [file, last]])
})

test('[CAM-4] on a day with recordings of both cameras, each file stays its own, and one without a row is the former’s', async () => {
  const former = await recorded(noon)
  await renamed()
  const present = await recorded(noon + 60_000)
  const last = await playable(noon + 10_000, true)
  expect(await reconciled()).toEqual({ ...nothing, found: 1 })
  expect(await reconciled()).toEqual(nothing)
  expect([await indexedOf('yard~1'), await indexedOf('yard')]).toEqual([[former.file, last], [present.file]])
})

test('[CAM-4] the bytes of a camera that got another key and are missing are counted as that camera’s', async () => {
  const gone = await recorded(noon)
  await renamed()
  rmSync(join(folder, gone.file))
  const { counts, missing } = await compared({}, { configured: () => true, list: unreachable })
  expect([counts, missing]).toEqual([{ ...nothing, undecided: 1 }, new Map([['yard~1', 100]])])
})
