import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { engines, type TestDatabase } from '../../../test/support/engines.ts'
import { silent } from '../../../test/support/null-log.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { ServiceError } from '../../shared/errors.ts'
import { createClockJumpGuard } from '../../shared/time/clock-jump-guard.ts'
import type { NewSegment, RecordingStore } from '../index/recording-store.ts'
import { recordingStore } from '../index/recording-store.sql.ts'
import type { Limits } from './camera-limits.ts'
import { createFileRemoval, type FileRemoval } from '../../shared/storage/file-removal.ts'
import { createRetention } from './retention.ts'
import { segmentFile } from '../segments/segment-name.ts'
import { createUsage, type Usage } from './usage.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

const day = 24 * 60 * 60_000
const noon = Date.UTC(2026, 10, 21, 12)
const none: Limits = { days: null, gigabytes: null }
const never = new AbortController().signal

let database: TestDatabase
let store: RecordingStore
let usage: Usage
let files: FileRemoval
let folder: string
let offset: number
let elapsed: number
/** The files that the log says couldn't be removed. */
let logged: string[]

beforeEach(async () => {
  database = await engines[0]!.create()
  store = recordingStore(await database.open(), 'ours')
  usage = createUsage(async () => store)
  folder = temporaryFolder()
  offset = noon
  elapsed = 0
  logged = []
  files = createFileRemoval({ folder, clock: { elapsed: () => elapsed }, log: { ...silent, warn } })
})
afterEach(() => database.remove())

const warn = (fields: object) => void logged.push(...('file' in fields ? [String(fields.file)] : []))

/** Ten seconds of a camera, a number of hours ago. In the index, each has a billion bytes. */
async function recorded(camera: string, ...hoursAgo: readonly number[]): Promise<void> {
  const segments = hoursAgo.map((hours): NewSegment => {
    const start = noon - hours * 60 * 60_000
    const file = segmentFile(cameraKey(camera), start)
    return {
      camera: cameraKey(camera),
      start,
      end: start + 10_000,
      bytes: 1_000_000_000,
      initBytes: 1,
      motion: 0,
      streamId: start,
      file,
    }
  })
  for (const { file } of segments) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), '')
  }
  await store.add(segments)
  await usage.count()
}

const retention = (
  whole: Limits,
  ofCamera: Record<string, Limits> = {},
  availableBytes: number | null = null,
  stored: number | null = null,
  isReconciled = true,
) =>
  createRetention({
    folder,
    files,
    requireDisk: () => Promise.resolve(),
    store,
    usage,
    availableBytes: () => Promise.resolve(availableBytes),
    isReconciled: () => isReconciled,
    limits: { whole: () => whole, of: (camera) => ofCamera[camera] ?? none, stored: () => stored },
    isClockTrusted: createClockJumpGuard({ now: () => offset + elapsed, elapsed: () => elapsed }, silent),
    clock: { now: () => offset + elapsed, elapsed: () => elapsed },
    log: silent,
  })

/** Age of the segments in hours, oldest first. The files must match the index. */
async function left(camera: string): Promise<number[]> {
  const segments = await store.oldest(cameraKey(camera), 1000)
  for (const { file } of segments) expect(existsSync(join(folder, file)), file).toBe(true)
  return segments.map(({ start }) => (noon - start) / (60 * 60_000))
}

test('recordings older than the limit are removed with their empty folders', async () => {
  await recorded('yard', 200, 169, 167, 1)
  await retention({ days: 7, gigabytes: null }).sweep(never)
  expect(await left('yard')).toEqual([167, 1])
  expect(existsSync(join(folder, segmentFile(cameraKey('yard'), noon - 200 * 60 * 60_000)))).toBe(false)
  expect(existsSync(join(folder, '2026-11-13'))).toBe(false)
  expect(usage.bytesIn('disk')).toBe(2_000_000_000)
})

test('the days of a camera replace the global ones, whether more or fewer', async () => {
  await recorded('yard', 200, 30, 1)
  await recorded('door', 200, 30, 1)
  await recorded('office', 200, 30, 1)
  const own = { yard: { days: 30, gigabytes: null }, door: { days: 1, gigabytes: null } }
  await retention({ days: 7, gigabytes: null }, own).sweep(never)
  expect(await left('yard')).toEqual([200, 30, 1])
  expect(await left('door')).toEqual([1])
  expect(await left('office')).toEqual([30, 1])
})

test('above the size limit of all cameras, the oldest of any camera are removed first', async () => {
  await recorded('yard', 5, 3, 1)
  await recorded('door', 6, 4, 2)
  await retention({ days: null, gigabytes: 3 }).sweep(never)
  expect(await left('yard')).toEqual([3, 1])
  expect(await left('door')).toEqual([2])
})

test('above the size limit of one camera, only its own are removed', async () => {
  await recorded('yard', 5, 3, 1)
  await recorded('door', 6, 4, 2)
  await retention({ days: null, gigabytes: null }, { yard: { days: null, gigabytes: 1 } }).sweep(never)
  expect(await left('yard')).toEqual([1])
  expect(await left('door')).toEqual([6, 4, 2])
})

test('a camera with much data displaces older recordings of others, also of those that are kept for longer, unless it has its own limit', async () => {
  await recorded('yard', 500, 1)
  await recorded('door', 6, 4, 2)
  const own = { yard: { days: 30, gigabytes: null } }
  await retention({ days: 7, gigabytes: 3 }, { ...own, door: { days: null, gigabytes: 1 } }).sweep(never)
  expect([await left('yard'), await left('door')]).toEqual([[500, 1], [2]])
  await recorded('door', 6, 4)
  await retention({ days: 7, gigabytes: 3 }, own).sweep(never)
  expect([await left('yard'), await left('door')]).toEqual([[1], [4, 2]])
})

test('one sweep removes more than one batch', async () => {
  await recorded('yard', ...Array.from({ length: 250 }, (_, hour) => 500 - hour))
  await retention({ days: 1, gigabytes: null }).sweep(never)
  expect(await left('yard')).toEqual([])
  expect(usage.bytesIn('disk')).toBe(0)
})

test('a clock that jumps a month ahead removes nothing by age for an hour; the size limit still applies', async () => {
  await recorded('yard', 5, 3, 1)
  const keeper = retention({ days: 7, gigabytes: 2 })
  await keeper.sweep(never)
  expect(await left('yard')).toEqual([3, 1])
  offset += 30 * day
  await keeper.sweep(never)
  expect(await left('yard')).toEqual([3, 1])
  elapsed += 59 * 60_000
  await keeper.sweep(never)
  expect(await left('yard')).toEqual([3, 1])
  elapsed += 2 * 60_000
  await keeper.sweep(never)
  expect(await left('yard')).toEqual([])
})

test('a stopped sweep removes nothing more', async () => {
  await recorded('yard', 200, 1)
  await retention({ days: 7, gigabytes: null }).sweep(AbortSignal.abort())
  expect(await left('yard')).toEqual([200, 1])
})

test('the row of a missing file is removed', async () => {
  await recorded('yard', 200, 1)
  rmSync(join(folder, segmentFile(cameraKey('yard'), noon - 200 * 60 * 60_000)))
  await retention({ days: 7, gigabytes: null }).sweep(never)
  expect(await left('yard')).toEqual([1])
})

test('two concurrent removals of a segment reduce the usage once', async () => {
  await recorded('yard', 1, 2, 3)
  const { remove } = retention(none)
  const some = await store.oldest(cameraKey('yard'), 2)
  const removed = await Promise.all([remove(some), remove(some)])
  expect(removed.flat()).toHaveLength(2)
  const counted = createUsage(async () => store)
  await counted.count()
  expect([usage.bytesIn('disk'), usage.segmentsOf(cameraKey('yard'))]).toEqual([
    counted.bytesIn('disk'),
    counted.segmentsOf(cameraKey('yard')),
  ])
  expect(usage.bytesIn('disk')).toBe(1e9)
})

test('recordings that exceed the free disk space are removed, whatever the limits allow', async () => {
  await recorded('yard', 4, 3, 2, 1)
  const { sweep, exceedsSpace } = retention({ days: null, gigabytes: 100 }, {}, 2.5e9)
  await sweep(never)
  expect(usage.bytesIn('disk')).toBe(2e9)
  expect(exceedsSpace()).toBe(false)
  usage.added({ camera: cameraKey('yard'), start: 0, bytes: 1e9 })
  expect(exceedsSpace()).toBe(true)
})

test('the size limit of recordings is that of the disk; those in the object storage have their own', async () => {
  await recorded('yard', 5, 4, 3, 2, 1)
  for (const one of await store.oldest(cameraKey('yard'), 3))
    expect(await store.stored(one, `recordings/${one.file}`)).toBe(true)
  await usage.count()
  expect([usage.bytesIn('disk'), usage.bytesIn('object')]).toEqual([2_000_000_000, 3_000_000_000])
  await retention({ days: null, gigabytes: 1 }).sweep(never)
  expect(await left('yard')).toEqual([5, 4, 3, 1])
  await retention({ days: null, gigabytes: 1 }, {}, null, 2).sweep(never)
  expect(await left('yard')).toEqual([4, 3, 1])
  expect([usage.bytesIn('disk'), usage.bytesIn('object')]).toEqual([1_000_000_000, 2_000_000_000])
  await retention({ days: 2.5 / 24, gigabytes: null }).sweep(never)
  expect(await left('yard')).toEqual([1])
  expect([usage.bytesIn('disk'), usage.bytesIn('object')]).toEqual([1_000_000_000, 0])
})

/** Age of the segments in hours, oldest first, with a file or without. */
const ages = async (): Promise<number[]> =>
  (await store.oldest(cameraKey('yard'), 1000)).map(({ start }) => (noon - start) / (60 * 60_000))

describe('[NODE-5] after a restore, until the object storage says which recordings moved there', () => {
  /** Their files are gone. */
  const moved = [50, 49, 27, 26]

  beforeEach(async () => {
    await recorded('yard', ...moved, 25, 3, 2, 1)
    for (const hours of moved) rmSync(join(folder, segmentFile(cameraKey('yard'), noon - hours * 60 * 60_000)))
    rmdirSync(join(folder, '2026-11-19/yard'))
    rmdirSync(join(folder, '2026-11-19'))
    usage.setMissing(new Map([[cameraKey('yard'), moved.length * 1e9]]))
  })

  test.each<[what: string, whole: Limits, ofCamera: Limits, availableBytes: number | null]>([
    ['the size limit of all cameras', { days: null, gigabytes: 3 }, none, null],
    ['the size limit of one camera', none, { days: null, gigabytes: 3 }, null],
    ['a full disk', none, none, 3.5e9],
  ])('%s removes only what has a file, and counts nothing else', async (_what, whole, ofCamera, availableBytes) => {
    expect(usage.bytesIn('disk')).toBe(4e9)
    const { sweep, exceedsSpace } = retention(whole, { yard: ofCamera }, availableBytes, null, false)
    await sweep(never)
    expect(await ages()).toEqual([...moved, 3, 2, 1])
    expect([usage.bytesIn('disk'), usage.missingOf(cameraKey('yard')), exceedsSpace()]).toEqual([3e9, 4e9, false])
  })

  test('what is in the object storage for sure still counts for its camera', async () => {
    for (const one of await store.oldest(cameraKey('yard'), 2))
      expect(await store.stored(one, `of ${one.file}`)).toBe(true)
    await usage.count()
    usage.setMissing(new Map([[cameraKey('yard'), 2e9]]))
    await retention(none, { yard: { days: null, gigabytes: 4 } }, null, null, false).sweep(never)
    expect(await ages()).toEqual([27, 26, 25, 3, 2, 1])
  })

  test('the age limit applies, and what it removes without a file took no space', async () => {
    await retention({ days: 2, gigabytes: null }, {}, null, null, false).sweep(never)
    expect(await ages()).toEqual([27, 26, 25, 3, 2, 1])
    expect([usage.bytesIn('disk'), usage.missingOf(cameraKey('yard'))]).toEqual([4e9, 2e9])
  })

  test('files in a folder that can’t be read are left alone', async () => {
    const path = join(folder, '2026-11-20')
    renameSync(path, `${path}.moved`)
    symlinkSync(path, path)
    await retention({ days: null, gigabytes: 3 }, {}, null, null, false).sweep(never)
    expect(await ages()).toEqual([...moved, 25, 2, 1])
  })
})

/** Puts a folder in place of the file of a segment, which can't be removed then. */
function jam(camera: string, hoursAgo: number): string {
  const file = join(folder, segmentFile(cameraKey(camera), noon - hoursAgo * 60 * 60_000))
  rmSync(file)
  mkdirSync(file)
  return file
}

test('beside a file that can’t be removed, every limit still applies; it is logged once and tried again after an hour', async () => {
  await recorded('yard', 200, 199, 3, 1)
  await recorded('door', 200, 2)
  const jammed = jam('yard', 200)
  const { sweep } = retention({ days: 7, gigabytes: 2 })
  for (let time = 0; time < 2; time++) {
    await sweep(never)
    expect([await left('yard'), await left('door')]).toEqual([[200, 1], []])
    elapsed += 29 * 60_000
  }
  rmdirSync(jammed)
  writeFileSync(jammed, '')
  await sweep(never)
  expect(await left('yard')).toEqual([200, 1])
  elapsed += 3 * 60_000
  await sweep(never)
  expect(await left('yard')).toEqual([1])
  expect(logged).toEqual([segmentFile(cameraKey('yard'), noon - 200 * 60 * 60_000)])
})

test('many files that can’t be removed keep no later one from being removed', async () => {
  const jammed = Array.from({ length: 150 }, (_, hour) => 500 - hour)
  await recorded('yard', ...jammed, 200, 1)
  for (const hours of jammed) jam('yard', hours)
  const { sweep } = retention({ days: 7, gigabytes: null })
  for (let time = 0; time < 2; time++) {
    await sweep(never)
    expect(await left('yard')).toEqual([...jammed, 1])
  }
  expect(logged).toHaveLength(150)
})

test('a user who deletes a file that can’t be removed gets the error; the others are deleted', async () => {
  await recorded('yard', 3, 2, 1)
  jam('yard', 3)
  const { remove } = retention(none)
  const gone: number[] = []
  const removal = remove(await store.oldest(cameraKey('yard'), 10), ({ start }) =>
    gone.push((noon - start) / (60 * 60_000)),
  )
  await expect(removal).rejects.toMatchObject({ code: 'ERR_FS_EISDIR' })
  expect([gone, await left('yard')]).toEqual([[2, 1], [3]])
})

test('of two users who delete the same segments at the same time, each is said to have deleted a segment once', async () => {
  await recorded('yard', 3, 2, 1)
  const segments = await store.oldest(cameraKey('yard'), 10)
  const gone: number[] = []
  const removal = () => retention(none).remove(segments, ({ id }) => gone.push(id))
  await Promise.all([removal(), removal()])
  expect([gone.length, new Set(gone)]).toEqual([3, new Set(segments.map(({ id }) => id))])
  expect(await left('yard')).toEqual([])
})

test('while the database is unavailable, the segments whose files were deleted count', async () => {
  await recorded('yard', 2, 1)
  const segments = await store.oldest(cameraKey('yard'), 10)
  const gone: number[] = []
  store = { ...store, remove: () => Promise.reject(new Error('unavailable')) }
  await expect(retention(none).remove(segments, ({ id }) => gone.push(id))).rejects.toThrow('unavailable')
  expect(gone).toEqual(segments.map(({ id }) => id))
})

test('after a thousand files that can’t be removed, a sweep gives up that limit, and continues there with the next', async () => {
  await recorded('yard', ...Array.from({ length: 1101 }, (_, hour) => 2000 - hour))
  await recorded('door', 200)
  const failed = new Set<string>()
  files = {
    remove: (file) => Promise.resolve(file.includes('/yard/') ? (failed.add(file), new Error('broken')) : undefined),
    isPostponed: (file) => failed.has(file),
  }
  const { sweep } = retention({ days: 7, gigabytes: null })
  await expect(sweep(never)).rejects.toThrow('broken')
  expect([failed.size, await left('door')]).toEqual([1000, []])
  await sweep(never)
  expect(failed.size).toBe(1101)
})

test.each<[what: string, error: Error, left: number[][]]>([
  ['keeps no other from being enforced', new Error('a part of the index is broken'), [[200, 1], [1]]],
  [
    'that everything needs ends the sweep',
    new ServiceError('unavailable'),
    [
      [200, 1],
      [200, 1],
    ],
  ],
])('a failure of one camera’s limit %s, and is reported', async (_what, error, expected) => {
  await recorded('yard', 200, 1)
  await recorded('door', 200, 1)
  const { oldest } = store
  store = {
    ...store,
    oldest: (camera, ...rest) => (camera === 'yard' ? Promise.reject(error) : oldest(camera, ...rest)),
  }
  const { sweep } = retention({ days: 7, gigabytes: null })
  await expect(sweep(never)).rejects.toBe(error)
  store = { ...store, oldest }
  expect([await left('yard'), await left('door')]).toEqual(expected)
})
