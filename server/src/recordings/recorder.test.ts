import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silent } from '../../test/engines.ts'
import type { Fragment, InitSegment } from '../media/fmp4.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import type { NewSegment } from './recording-store.ts'

const noon = Date.UTC(2026, 10, 21, 12)
const init: InitSegment = { data: Buffer.from('init'), tracks: [], mime: 'video/mp4' }

let folder: string
let elapsed: number
let offset: number
/** What the index holds. */
let index: NewSegment[]
/** Whether the index can be written. */
let down: boolean

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-recorder-'))
  elapsed = 0
  offset = noon
  index = []
  down = false
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function recorder(): Recorder {
  const made = createRecorder({
    camera: 'yard',
    folder,
    writer: 'abc123',
    store: {
      async add(segments) {
        if (down) throw new Error('no database')
        index.push(...segments)
      },
    },
    clock: { now: () => offset + elapsed, elapsed: () => elapsed },
    log: silent,
    onAdded: () => {},
  })
  made.want(true)
  made.begin(init)
  return made
}

/** A picture a second, every second one a key frame. */
function picture(time: number): Fragment {
  const key = time % 2 === 0
  return { data: Buffer.from(`${time};`), key, video: true, time, duration: 1, samples: 1, first: { start: 0, end: 0 } }
}

/** So many seconds come in, as they happen. */
function seconds(into: Recorder, from: number, to: number): void {
  for (let time = from; time < to; time++) {
    elapsed += 1000
    into.fragment(picture(time))
  }
}

const files = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(folder.length + 1))
    .sort()
const spans = (): number[][] => index.map(({ start, end }) => [(start - noon) / 1000, (end - noon) / 1000])

test('a segment ends with the first key frame after ten seconds, and each plays alone', async () => {
  const yard = recorder()
  seconds(yard, 0, 25)
  await yard.stop()
  expect(spans()).toEqual([
    [0, 10],
    [10, 20],
    [20, 25],
  ])
  expect(new Set(index.map(({ run }) => run)).size).toBe(1)
  expect(files()).toEqual(index.map(({ file }) => file).sort())
  expect(readFileSync(join(folder, index[1]!.file), 'latin1')).toBe('init10;11;12;13;14;15;16;17;18;19;')
  expect(index[1]).toMatchObject({ initBytes: 4, bytes: 34, motion: 0 })
})

test('it begins with a key frame, and not before one comes', async () => {
  const yard = recorder()
  seconds(yard, 1, 5)
  await yard.stop()
  expect(readFileSync(join(folder, index[0]!.file), 'latin1')).toBe('init2;3;4;')
})

test('a stream that begins anew is another run', async () => {
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
  expect(new Set(index.map(({ run }) => run)).size).toBe(2)
})

test('a clock that is set begins a new segment, and both are kept', async () => {
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

test('two segments of the same moment both stay', async () => {
  const yard = recorder()
  seconds(yard, 0, 2)
  yard.end()
  // The clock goes back by just as much as has passed.
  offset -= 2000
  yard.begin({ ...init })
  seconds(yard, 0, 2)
  await yard.stop()
  expect(index).toHaveLength(2)
  expect(files()).toHaveLength(2)
  expect(new Set(index.map(({ start }) => start)).size).toBe(1)
})

test('what could not be put into the index comes with the next', async () => {
  const yard = recorder()
  down = true
  seconds(yard, 0, 12)
  await new Promise((resolve) => setTimeout(resolve, 50))
  down = false
  seconds(yard, 12, 25)
  await yard.stop()
  expect(spans()).toEqual([
    [0, 10],
    [10, 20],
    [20, 25],
  ])
})

test('where it is not wanted nothing is written', async () => {
  const yard = recorder()
  yard.want(false)
  seconds(yard, 0, 12)
  expect(yard.status).toEqual({ state: 'off' })
  await yard.stop()
  expect(files()).toEqual([])
})

test('a folder that cannot be written pauses it, with the reason, and it goes on by itself', async () => {
  const yard = recorder()
  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'in the way')
  seconds(yard, 0, 4)
  await new Promise((resolve) => setTimeout(resolve, 50))
  seconds(yard, 4, 6)
  expect(yard.status).toEqual({ state: 'paused', trouble: 'broken' })
  rmSync(folder)
  mkdirSync(folder)
  seconds(yard, 6, 16)
  await yard.stop()
  expect(index).toHaveLength(1)
  expect(yard.status).toEqual({ state: 'off' })
})
