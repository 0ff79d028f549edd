import { expect, test } from 'vitest'
import type { InitSegment } from '../media/mp4/init-segment.ts'
import { createStreamFeatures } from './stream-features.ts'

const init: InitSegment = { data: Buffer.from('init'), tracks: [], mime: 'video/mp4' }

function setUp() {
  const received: string[] = []
  const listeners: ((camera: string) => void)[] = []
  const feature = <Status>(name: string, status: Status) => ({
    consumerOf: (camera: string) => ({
      begin: () => void received.push(`${name} of ${camera}`),
      fragment: () => {},
      end: () => {},
    }),
    statusOf: () => status,
    subscribe: (listener: (camera: string) => void) => void listeners.push(listener),
  })
  const recordings = feature('recordings', { state: 'recording' } as const)
  const motion = feature('motion', { state: 'active' } as const)
  const review = feature('review', undefined)
  const here = new Set(['yard'])
  const features = createStreamFeatures((camera) => here.has(camera))
  return { features, connect: () => features.connect({ recordings, motion, review }), received, listeners }
}

test('no camera exists before the features that work on its stream', () => {
  const { features, connect } = setUp()
  expect(() => features.consumersOf('yard')).toThrow('before its features')
  connect()
  expect(features.consumersOf('yard')).toHaveLength(3)
})

test('[NODE-1] recordings receive a stream first, then review and motion, and only of a camera that this instance pulls', () => {
  const { features, connect, received } = setUp()
  connect()
  for (const camera of ['yard', 'office']) {
    for (const consumer of features.consumersOf(camera)) consumer.begin(init)
  }
  expect(received).toEqual(['recordings of yard', 'review of yard', 'motion of yard'])
})

test('the status of a camera is that of its recording and its motion detection, and their changes are its changes', () => {
  const { features, connect, listeners } = setUp()
  connect()
  expect(features.recordingOf('yard')).toEqual({ state: 'recording' })
  expect(features.motionOf('yard')).toEqual({ state: 'active' })
  const changed: string[] = []
  features.subscribe((camera) => void changed.push(camera))
  for (const notify of listeners) notify('yard')
  expect(changed).toEqual(['yard', 'yard'])
})
