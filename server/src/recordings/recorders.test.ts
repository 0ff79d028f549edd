import { expect, test } from 'vitest'
import { silent } from '../../test/support/null-log.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { createTestClock } from '../../test/support/test-clock.ts'
import { createRecorders } from './recorders.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'

/** The recorder of a camera whose only segment has ended. */
function setUp(requireDisk: () => Promise<void>) {
  const clock = createTestClock()
  const files: string[] = []
  const raised: unknown[][] = []
  const recorders = createRecorders({
    folder: temporaryFolder(),
    writer: 'abc123',
    store: {
      removeFiles: () => Promise.resolve([]),
      raiseMotion: (...motion) => (raised.push(motion), Promise.resolve([])),
    },
    batch: {
      async add(read) {
        const segment = read()
        files.push(segment.file)
        return segment
      },
    },
    own: new Set(),
    requireDisk,
    usage: { added: () => {}, removed: () => {} },
    limits: { isEnabled: () => true, isMotionOnly: () => false },
    keys: { keyOf: cameraKey, nameOf: (key) => key },
    wasAnalyzed: () => false,
    epochOf: undefined,
    onAdded: () => {},
    onDiskFull: () => {},
    clock,
    log: silent,
  })
  const yard = recorders.consumerOf('yard')
  yard.begin({ data: Buffer.from('init'), tracks: [], mime: 'video/mp4' })
  for (const time of [0, 1]) {
    const data = Buffer.from(`${time};`)
    const first = { start: 0, end: 0 }
    yard.fragment({ data, key: time === 0, video: true, time, duration: 1, samples: 1, first }, 0)
  }
  yard.end()
  return { recorders, clock, files, raised }
}

test('a caller waits until the segments of a camera that ended are in the index', async () => {
  const { recorders, clock, files } = setUp(() => Promise.resolve())
  const before = clock.pending()
  await recorders.settled('yard')
  expect(files).toHaveLength(1)
  expect(clock.pending()).toBe(before)
  await recorders.settled('office')
})

test('a disk that hangs keeps no caller waiting for longer than three seconds', async () => {
  const { recorders, clock, files } = setUp(() => new Promise(() => {}))
  let isSettled = false
  const settled = recorders.settled('yard').then(() => (isSettled = true))
  await clock.advance(2999)
  expect(isSettled).toBe(false)
  await clock.advance(1)
  await settled
  expect(files).toEqual([])
})

test('a segment has motion in the frames in which something moves, and not in those between them', () => {
  const { recorders, raised } = setUp(() => Promise.resolve())
  const samples = [
    { at: 1000, percent: 0.2, moving: false },
    { at: 2000, percent: 0.2, moving: true },
    { at: 3000, percent: 0, moving: true },
    { at: 4000, percent: 12.1, moving: true },
  ]
  for (const sample of samples) recorders.onMotion('office', sample)
  expect(raised).toEqual([
    ['office', 2000, 2001, 1],
    ['office', 4000, 4001, 13],
  ])
})
