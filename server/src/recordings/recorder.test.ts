import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { silent } from '../../test/support/null-log.ts'
import type { Fragment } from '../media/mp4/fragment.ts'
import type { InitSegment } from '../media/mp4/init-segment.ts'
import type { Log } from '../shared/log.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { segmentFile } from './segments/segment-name.ts'
import type { NewSegment } from './index/recording-store.ts'
import { wait } from '../../test/support/wait.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'

const noon = Date.UTC(2026, 10, 21, 12)
const init: InitSegment = { data: Buffer.from('init'), tracks: [], mime: 'video/mp4' }

let folder: string
let elapsed: number
/** Files that aren't in the index yet. */
let own: Set<string>
let offset: number
/** Indexed segments. */
let index: NewSegment[]
/** Whether the index is writable. */
let down: boolean
/** Inserts that failed. */
let failures: number
let isMounted = true

beforeEach(() => {
  folder = temporaryFolder()
  elapsed = 0
  own = new Set()
  offset = noon
  index = []
  down = false
  failures = 0
  isMounted = true
})

interface Options {
  readonly canThin?: boolean
  readonly log?: Log
  readonly onAdded?: (segment: NewSegment) => void
}

function recorder({ canThin = false, log = silent, onAdded = () => {} }: Options = {}): Recorder {
  const made = createRecorder({
    camera: cameraKey('yard'),
    folder,
    writer: 'abc123',
    own,
    requireDisk: () => (isMounted ? Promise.resolve() : Promise.reject(new Error('not mounted'))),
    batch: {
      async add(read) {
        if (down) {
          failures += 1
          throw new Error('no database')
        }
        const segment = read()
        index.push(segment)
        return segment
      },
    },
    store: {
      async removeFiles(files) {
        index = index.filter(({ file }) => !files.includes(file))
        return []
      },
      async raiseMotion(_camera, after, before, motion) {
        index = index.map((each) => (each.start < before && each.end > after ? { ...each, motion } : each))
        return []
      },
    },
    canThin: () => canThin,
    clock: { now: () => offset + elapsed, elapsed: () => elapsed },
    log,
    onAdded,
    onRemoved: () => {},
    epoch: () => undefined,
    onStatus: () => {},
    onDiskError: () => {},
  })
  made.want(true)
  made.begin(init)
  return made
}

/** One frame per second; every other one is a key frame. */
function frame(time: number): Fragment {
  const key = time % 2 === 0
  return { data: Buffer.from(`${time};`), key, video: true, time, duration: 1, samples: 1, first: { start: 0, end: 0 } }
}

/** Feeds a number of seconds in real time. */
function seconds(into: Recorder, from: number, to: number): void {
  for (let time = from; time < to; time++) {
    elapsed += 1000
    into.fragment(frame(time))
  }
}

/** Feeds seconds until the recorder has noticed that the disk fails. @returns the time of the next frame */
async function untilPaused(yard: Recorder): Promise<number> {
  let time = 0
  for (; yard.status.state !== 'paused'; time += 2) {
    seconds(yard, time, time + 2)
    await wait(5, 'the disk, which nothing announces')
  }
  return time
}

const files = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(folder.length + 1))
    .sort()
const spans = (): number[][] => index.map(({ start, end }) => [(start - noon) / 1000, (end - noon) / 1000])

test('a segment ends at the first key frame after ten seconds, and each plays by itself', async () => {
  const yard = recorder()
  seconds(yard, 0, 25)
  await yard.stop()
  expect(spans()).toEqual([
    [0, 10],
    [10, 20],
    [20, 25],
  ])
  expect(new Set(index.map(({ streamId }) => streamId)).size).toBe(1)
  expect(files()).toEqual(index.map(({ file }) => file).sort())
  expect(readFileSync(join(folder, index[1]!.file), 'latin1')).toBe('init10;11;12;13;14;15;16;17;18;19;')
  expect(index[1]).toMatchObject({ initBytes: 4, bytes: 34, motion: 0 })
})

test('recording begins with the first key frame', async () => {
  const yard = recorder()
  seconds(yard, 1, 5)
  await yard.stop()
  expect(readFileSync(join(folder, index[0]!.file), 'latin1')).toBe('init2;3;4;')
})

test('a stream that restarts is another run', async () => {
  const yard = recorder()
  seconds(yard, 0, 5)
  yard.end()
  elapsed += 30_000
  yard.begin({ ...init })
  seconds(yard, 0, 5)
  await yard.stop()
  expect(spans()).toEqual([
    [0, 5],
    [35, 40],
  ])
  expect(new Set(index.map(({ streamId }) => streamId)).size).toBe(2)
})

test('a clock change begins a new segment, and both are kept', async () => {
  const yard = recorder()
  seconds(yard, 0, 6)
  offset -= 3_600_000
  seconds(yard, 6, 12)
  await yard.stop()
  expect(spans()).toEqual([
    [0, 6],
    [-3594, -3588],
  ])
})

test('a camera whose own clock is set an hour ahead or back is still recorded at the real time', async () => {
  const yard = recorder()
  seconds(yard, 0, 14)
  // According to the camera, the last frame before the change lasts until the first frame after it.
  elapsed += 1000
  yard.fragment({ ...frame(14), duration: 3600 })
  const strange = (time: number): void => {
    elapsed += 1000
    yard.fragment({ ...frame(time), time: time + 3600 })
  }
  for (let time = 15; time < 30; time++) strange(time)
  // Set back: ffmpeg doesn't let timestamps decrease, so they stand still.
  for (let time = 30; time < 60; time++) {
    elapsed += 1000
    yard.fragment({ ...frame(time), time: 3630 + (time - 30) / 1000, duration: 0.001 })
  }
  await yard.stop()
  for (const { start, end } of index) {
    expect(end).toBeLessThanOrEqual(noon + 61_000)
    expect(end).toBeGreaterThan(start)
  }
  expect(spans().slice(0, 3)).toEqual([
    [0, 10],
    [10, 14],
    [16, 26],
  ])
  const last = spans().at(-1)!
  expect(last[0]).toBeGreaterThan(35)
})

test.each<[string, (time: number) => number]>([
  ['begins late and catches up', (time) => (time < 15 ? 4 : 0)],
  ['falls behind for longer than a segment, and catches up', (time) => (time >= 21 && time < 45 ? 8 : 0)],
  ['falls behind for good', (time) => (time < 21 ? 0 : 8)],
  ['stalls, and then delivers everything together', (time) => Math.max(0, time < 21 ? 0 : 12 - (time - 21))],
  ['stands still for half a minute', (time) => Math.max(0, time < 21 ? 0 : 30 - (time - 21))],
])('no frame is lost of a stream that %s', async (_what, delay) => {
  const yard = recorder()
  for (let time = 0; time < 60; time++) {
    elapsed = Math.max(elapsed, (time + 1 + delay(time)) * 1000)
    yard.fragment(frame(time))
  }
  await yard.stop()
  const kept = index.map(({ file }) => readFileSync(join(folder, file), 'latin1').slice('init'.length)).join('')
  expect(kept).toBe(Array.from({ length: 60 }, (_, time) => `${time};`).join(''))
})

test.each([12, 30, 55])(
  'frames that arrive in a burst after a stall of %i seconds are recorded at their own times',
  async (still) => {
    const yard = recorder()
    for (let time = 0; time < 90; time++) {
      elapsed = Math.max((time + 1) * 1000, time < 21 ? 0 : (22 + still) * 1000)
      yard.fragment(frame(time))
    }
    await yard.stop()
    const rounded = spans().map((span) => span.map((at) => Math.round(at * 10) / 10))
    expect(rounded).toEqual(Array.from({ length: 9 }, (_, i) => [i * 10, i * 10 + 10]))
    expect(new Set(index.map(({ streamId }) => streamId)).size).toBe(1)
  },
)

test('a stream that stays late leaves a gap of that length, without losing a frame, and the log has it', async () => {
  const logged: unknown[] = []
  const log: Log = { ...silent, warn: (fields, event) => void logged.push([fields, event]) }
  const yard = recorder({ log })
  for (let time = 0; time < 60; time++) {
    elapsed = Math.max(elapsed, (time + 1 + (time < 21 ? 0 : 11.7)) * 1000)
    yard.fragment(frame(time))
  }
  await yard.stop()
  const gaps = spans().flatMap(([start = 0], at, all) => (at > 0 ? [start - (all[at - 1]?.[1] ?? 0)] : []))
  expect(gaps.filter((gap) => gap > 0.1).map((gap) => gap.toFixed(1))).toEqual(['11.7'])
  expect(index.flatMap(({ file }) => readFileSync(join(folder, file), 'latin1').match(/\d+;/g) ?? [])).toHaveLength(60)
  expect(logged).toEqual([[{ camera: 'yard', shift_seconds: 11.7 }, expect.stringContaining('late')]])
})

test('a camera that sends no further key frame does not fill a file endlessly', async () => {
  const yard = recorder()
  seconds(yard, 0, 2)
  for (let time = 2; time < 700; time++) {
    elapsed += 1000
    yard.fragment({ ...frame(time), key: false })
  }
  seconds(yard, 700, 704)
  await yard.stop()
  expect(spans()[0]![1]).toBeLessThanOrEqual(302)
  expect(spans().at(-1)).toEqual([700, 704])
})

test('two segments of the same time are both kept', async () => {
  const yard = recorder()
  seconds(yard, 0, 2)
  yard.end()
  // The clock is set back by exactly the time that passed.
  offset -= 2000
  yard.begin({ ...init })
  seconds(yard, 0, 2)
  await yard.stop()
  expect(index).toHaveLength(2)
  expect(files()).toHaveLength(2)
  expect(new Set(index.map(({ start }) => start)).size).toBe(1)
})

test('a segment that could not be indexed is indexed with the next one', async () => {
  const yard = recorder()
  down = true
  seconds(yard, 0, 12)
  await expect.poll(() => failures).toBe(1)
  expect([...own]).toEqual([segmentFile(cameraKey('yard'), noon)])
  down = false
  seconds(yard, 12, 25)
  await yard.stop()
  expect([...own]).toEqual([])
  expect(spans()).toEqual([
    [0, 10],
    [10, 20],
    [20, 25],
  ])
})

test('nothing is written while recording is off', async () => {
  const yard = recorder()
  yard.want(false)
  seconds(yard, 0, 12)
  expect(yard.status).toEqual({ state: 'off' })
  await yard.stop()
  expect(files()).toEqual([])
})

test('in motion mode, segments with motion and their neighbors stay, and the rest is removed', async () => {
  const yard = recorder({ canThin: true })
  for (let segment = 0; segment < 7; segment++) {
    seconds(yard, segment * 10, segment * 10 + 10)
    if (segment === 3) expect(yard.moved(offset + elapsed, 12)).toBe(true)
    // Each segment is on disk before the next begins.
    await wait(20, 'the disk, which nothing announces')
  }
  await yard.stop()
  expect(spans().map(([start]) => start)).toEqual([0, 20, 30, 40, 60])
  expect(index.find(({ start }) => start === noon + 30_000)?.motion).toBe(12)
  expect(files()).toHaveLength(5)
})

test('motion in a segment that is not indexed yet is still saved', async () => {
  const yard = recorder()
  seconds(yard, 0, 11)
  expect(yard.moved(noon + 9000, 7)).toBe(true)
  await yard.stop()
  expect(index.map(({ motion }) => motion)).toEqual([7, 0])
})

test('in motion mode, nothing is removed while the disk is missing', async () => {
  const yard = recorder({ canThin: true, onAdded: ({ start }) => void (isMounted = start < noon + 20_000) })
  seconds(yard, 0, 31)
  await yard.stop()
  expect(files()).toContain(segmentFile(cameraKey('yard'), noon + 10_000))
})

test('in motion mode, a segment that was not analyzed is kept', async () => {
  const yard = recorder()
  for (let segment = 0; segment < 4; segment++) {
    seconds(yard, segment * 10, segment * 10 + 10)
    await wait(20, 'the disk, which nothing announces')
  }
  await yard.stop()
  expect(index).toHaveLength(4)
})

test('a folder that is not writable pauses recording with the reason, and recording resumes automatically', async () => {
  const yard = recorder()
  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'in the way')
  const time = await untilPaused(yard)
  expect(yard.status).toMatchObject({ state: 'paused', problem: { code: 'disk-error' } })
  rmSync(folder)
  mkdirSync(folder)
  seconds(yard, time, time + 10)
  await yard.stop()
  expect(index).toHaveLength(1)
  expect(yard.status).toEqual({ state: 'off' })
})

test('without its disk, nothing is written into the folder below it, and recording resumes with the disk', async () => {
  const yard = recorder()
  isMounted = false
  const time = await untilPaused(yard)
  expect(yard.status).toMatchObject({ state: 'paused', problem: { code: 'disk-error' } })
  expect(readdirSync(folder)).toEqual([])
  isMounted = true
  seconds(yard, time, time + 10)
  await yard.stop()
  expect(index).toHaveLength(1)
})
