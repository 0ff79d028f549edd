import { expect, test } from 'vitest'
import { createTestClock, type TestClock } from '../../../test/support/test-clock.ts'
import { ServiceError } from '../../shared/errors.ts'
import type { NewSegment } from './recording-store.ts'
import { createSegmentBatch, type SegmentBatch } from './segment-batch.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

const segment = (camera: string, motion = 0): NewSegment => ({
  camera: cameraKey(camera),
  start: 0,
  end: 10_000,
  bytes: 1,
  initBytes: 1,
  motion,
  streamId: 0,
  file: `${camera}.mp4`,
})

interface Setup {
  readonly clock: TestClock
  readonly batch: SegmentBatch
  /** Cameras of each write. */
  readonly writes: string[][]
  readonly add: (...cameras: string[]) => void
  /** Cameras whose segments were added, or not. */
  readonly added: string[]
  readonly rejected: string[]
}

function setUp({ delay = 1500, write = async () => {} }: { delay?: number; write?: Write } = {}): Setup {
  const clock = createTestClock()
  const [writes, added, rejected]: [string[][], string[], string[]] = [[], [], []]
  const batch = createSegmentBatch({
    write(segments) {
      writes.push(segments.map(({ camera }) => camera))
      return write(segments)
    },
    delay,
    clock,
  })
  const add = (...cameras: string[]): void => {
    for (const camera of cameras)
      void batch
        .add(() => segment(camera))
        .then(
          () => added.push(camera),
          () => rejected.push(camera),
        )
  }
  return { clock, batch, writes, add, added, rejected }
}
type Write = (segments: readonly NewSegment[]) => Promise<void>

test.each<[what: string, delay: number, steps: (setup: Setup) => unknown, writes: string[][]]>([
  [
    'segments that end within the delay are written together',
    1500,
    async ({ add, clock }) => {
      add('a')
      await clock.advance(1000)
      add('b')
      await clock.advance(500)
      add('c')
      await clock.advance(1500)
    },
    [['a', 'b'], ['c']],
  ],
  [
    'nothing is written before the delay',
    1500,
    async ({ add, clock }) => {
      add('a')
      await clock.advance(1499)
    },
    [],
  ],
  [
    'without a delay, only segments of the same turn are written together',
    0,
    async ({ add, clock }) => {
      add('a', 'b')
      await clock.advance(0)
      add('c')
      await clock.advance(0)
    },
    [['a', 'b'], ['c']],
  ],
  [
    'urgent work writes what waits and what it adds at once, and later ones wait again',
    1500,
    async ({ add, clock, batch }) => {
      add('a')
      await batch.urgently(async () => {
        await clock.advance(0)
        add('b')
        await clock.advance(0)
      })
      add('c')
      await clock.advance(1000)
    },
    [['a'], ['b']],
  ],
])('[NODE-2] %s', async (_what, delay, steps, writes) => {
  const setup = setUp({ delay })
  await steps(setup)
  expect(setup.writes).toEqual(writes)
  expect(setup.added).toEqual(writes.flat())
})

test('a segment is written with the motion that was reported while it waited', async () => {
  const written: NewSegment[] = []
  const { batch } = setUp({ write: async (segments) => void written.push(...segments) })
  let motion = 1
  const added = batch.add(() => segment('yard', motion))
  motion = 40
  await batch.urgently(async () => {})
  motion = 90
  expect(await added).toMatchObject({ motion: 40 })
  expect(written).toMatchObject([{ motion: 40 }])
})

const rejection = Object.assign(new Error('out of range'), { code: '22003' })

test.each<[what: string, error: Error, fails: string, writes: number, added: string[], rejected: string[]]>([
  ['a segment that the database rejects holds up only its own camera', rejection, 'b', 4, ['a', 'c'], ['b']],
  [
    'without the database, no segment is tried again alone',
    new ServiceError('unavailable', { note: 'no database' }),
    'b',
    1,
    [],
    ['a', 'b', 'c'],
  ],
])('%s', async (_what, error, fails, writes, added, rejected) => {
  const setup = setUp({
    async write(segments) {
      if (segments.some(({ camera }) => camera === fails)) throw error
    },
  })
  setup.add('a', 'b', 'c')
  await setup.clock.advance(1500)
  expect(setup.writes).toHaveLength(writes)
  expect([setup.added, setup.rejected]).toEqual([added, rejected])
})
