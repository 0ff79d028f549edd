import { readdirSync, readFileSync } from 'node:fs'
import type * as Promises from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { silent } from '../../test/support/null-log.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { pausedBy } from './pause.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import type { NewSegment } from './index/recording-store.ts'
import type { DiskError } from './segments/segment-draft.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'

/** State of the disk: what a write waits for or fails with, and the operations in progress. */
const disk = vi.hoisted(() => ({ hangs: Promise.resolve(), fails: undefined as string | undefined, open: 0, busy: 0 }))

vi.mock('node:fs/promises', async (real) => {
  const fs = await real<typeof Promises>()
  const open = async (...args: Parameters<typeof fs.open>): Promise<FileHandle> => {
    const handle = await fs.open(...args)
    disk.open++
    const write = handle.write.bind(handle) as (data: Buffer) => Promise<{ bytesWritten: number; buffer: Buffer }>
    const close = handle.close.bind(handle)
    return Object.assign(handle, {
      datasync: counted(handle.datasync.bind(handle)),
      truncate: counted(handle.truncate.bind(handle)),
      async write(data: Buffer) {
        await disk.hangs
        const { fails } = disk
        if (fails === undefined) return counted(write)(data)
        // Like a full disk: part of the data is written.
        await counted(write)(data.subarray(0, data.length >> 1))
        throw Object.assign(new Error(fails), { code: fails })
      },
      close: counted(async () => {
        disk.open--
        await close()
      }),
    })
  }
  const { mkdir, rename, rm, stat, readFile } = fs
  return {
    ...fs,
    open: counted(open),
    mkdir: counted(mkdir as (path: string) => Promise<unknown>),
    rename: counted(rename),
    rm: counted(rm),
    stat: counted(stat as (path: string) => Promise<unknown>),
    readFile: counted(readFile as (path: string) => Promise<unknown>),
  }
})

/** Wraps a function to count its calls in progress. */
function counted<Args extends unknown[], T>(work: (...args: Args) => Promise<T>): (...args: Args) => Promise<T> {
  return (...args) => {
    disk.busy++
    return work(...args).finally(() => void disk.busy--)
  }
}

const noon = Date.UTC(2026, 10, 21, 12)
const megabyte = 1 << 20
let folder: string
let elapsed: number
/** Files that aren't in the index yet. */
let own: Set<string>
let index: NewSegment[]
let diskErrors: string[]

beforeEach(() => {
  folder = temporaryFolder()
  Object.assign(disk, { hangs: Promise.resolve(), fails: undefined, open: 0, busy: 0 })
  elapsed = 0
  own = new Set()
  index = []
  diskErrors = []
})

function recorder(): Recorder {
  const made = createRecorder({
    camera: cameraKey('yard'),
    folder,
    writer: 'abc123',
    own,
    requireDisk: () => Promise.resolve(),
    batch: {
      async add(read) {
        const segment = read()
        index.push(segment)
        return segment
      },
    },
    store: {
      removeFiles: async () => [],
      raiseMotion: async () => [],
    },
    canThin: () => false,
    clock: { now: () => noon + elapsed, elapsed: () => elapsed },
    log: silent,
    onAdded: () => {},
    onRemoved: () => {},
    epoch: () => undefined,
    onStatus: () => {},
    onDiskError: (kind) => void diskErrors.push(kind),
  })
  made.want(true)
  made.begin({ data: Buffer.from('init'), tracks: [], mime: 'video/mp4' })
  return made
}

/** One frame per second, each a key frame of one megabyte that contains its second. */
function seconds(into: Recorder, from: number, to: number): void {
  for (let time = from; time < to; time++) {
    elapsed += 1000
    const data = Buffer.alloc(megabyte, `${time};`)
    into.fragment({ data, key: true, video: true, time, duration: 1, samples: 1, first: { start: 0, end: 0 } })
  }
}

/** Waits until no disk operation is in progress except hanging writes. */
async function settled(): Promise<void> {
  for (let quiet = 0; quiet < 10; quiet++) {
    await new Promise(setImmediate)
    if (disk.busy > 0) quiet = 0
  }
}
const files = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))

test('at most 32 MB of a camera wait for a hanging disk, and are written when the disk responds again', async () => {
  const { promise, resolve: move } = Promise.withResolvers<void>()
  const yard = recorder()
  disk.hangs = promise
  seconds(yard, 0, 200)
  await settled()
  expect(yard.status).toEqual({ state: 'paused', problem: pausedBy('slow') })
  expect(new Set(diskErrors)).toEqual(new Set(['slow']))
  // Even after hours, no further file is opened that would have to wait.
  for (let hour = 0; hour < 3; hour++) {
    elapsed += 3_600_000
    seconds(yard, 200 + hour * 100, 300 + hour * 100)
    await settled()
  }
  expect(disk.open).toBeLessThanOrEqual(5)
  move()
  await settled()
  expect(disk.open).toBe(0)
  const held = files().reduce((sum, file) => sum + readFileSync(file).length, 0)
  expect(held / megabyte).toBeGreaterThan(25)
  expect(held / megabyte).toBeLessThan(33)
  elapsed += 6000
  seconds(yard, 600, 603)
  await settled()
  expect(yard.status).toEqual({ state: 'paused', problem: pausedBy('slow') })
  seconds(yard, 603, 605)
  await settled()
  seconds(yard, 605, 615)
  await settled()
  expect(yard.status).toEqual({ state: 'recording' })
  await yard.stop()
  expect(disk.open).toBe(0)
})

test('a disk that stays full is retried, and no empty file is left', async () => {
  const yard = recorder()
  seconds(yard, 0, 5)
  await settled()
  disk.fails = 'ENOSPC'
  for (let time = 5; time < 300; time += 5) {
    seconds(yard, time, time + 5)
    await settled()
  }
  expect(yard.status).toEqual({ state: 'paused', problem: pausedBy('full') })
  // Each failure is reported, because a sweep may free space.
  expect(diskErrors.length).toBeGreaterThan(10)
  expect(new Set(diskErrors)).toEqual(new Set(['full']))
  // The video before the error is kept, cut after the last whole frame; there is no other file.
  const whole = files().filter((file) => file.endsWith('.mp4'))
  expect(whole).toHaveLength(1)
  expect(files().length - whole.length).toBeLessThanOrEqual(1)
  expect((readFileSync(whole[0]!).length - 4) % megabyte).toBe(0)
  disk.fails = undefined
  seconds(yard, 300, 305)
  await settled()
  seconds(yard, 305, 310)
  await settled()
  seconds(yard, 310, 330)
  await yard.stop()
  // Nothing is missing after recording resumed.
  const [first, ...more] = index
  expect(first!.start).toBeLessThanOrEqual(noon + 310_000)
  expect(more.every(({ start }, i) => start === index[i]!.end)).toBe(true)
  expect(index.at(-1)!.end).toBe(noon + 330_000)
})

test.each<[string, DiskError['kind']]>([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EROFS', 'read-only'],
  ['EACCES', 'read-only'],
  ['EIO', 'broken'],
])('%s pauses a recording as %s', async (code, kind) => {
  const yard = recorder()
  disk.fails = code
  seconds(yard, 0, 3)
  await settled()
  seconds(yard, 3, 4)
  expect(yard.status).toEqual({ state: 'paused', problem: pausedBy(kind) })
  await yard.stop()
})
