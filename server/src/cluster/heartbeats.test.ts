import { beforeEach, expect, test } from 'vitest'
import { createTestClock } from '../../test/support/test-clock.ts'
import { silent } from '../../test/support/null-log.ts'
import { StartError } from '../shared/errors.ts'
import { createHeartbeats, type Heartbeats } from './heartbeats.ts'

const second = 1000
let clock: ReturnType<typeof createTestClock>
/** When each heartbeat began, milliseconds. */
let sent: number[]
let lines: string[]
let duringBeat: () => Promise<void>
let heartbeats: Heartbeats
beforeEach(() => {
  clock = createTestClock()
  sent = []
  lines = []
  duringBeat = async () => undefined
  heartbeats = createHeartbeats({
    async beat() {
      sent.push(clock.elapsed())
      await duringBeat()
    },
    untilNext: () => 2 * second,
    clock,
    log: {
      ...silent,
      warn: (_values, message) => void lines.push(message),
      info: (_values, message) => void lines.push(message),
    },
  })
})

/** News of other instances, twenty times a second. */
async function newsFor(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 50) {
    heartbeats.soon()
    await clock.advance(50)
  }
}
const fails = () => Promise.reject(new Error('no database'))

test('[NODE-2] is sent every two seconds, on news at most ten times a second, and no more once stopped', async () => {
  await heartbeats.start()
  await clock.advance(4 * second)
  expect(sent).toEqual([0, 2000, 4000])
  await newsFor(second)
  expect(sent.length).toBeGreaterThan(9)
  expect(sent.length).toBeLessThanOrEqual(14)
  heartbeats.soon()
  heartbeats.stop()
  const before = sent.length
  await clock.advance(10 * second)
  expect([sent.length, clock.pending()]).toEqual([before, 0])
})

test('[NODE-2] after a failure it is sent twice a second, however much news there is, and says once that it failed', async () => {
  await heartbeats.start()
  duringBeat = fails
  await clock.advance(2 * second)
  await newsFor(2 * second)
  expect(sent).toEqual([0, 2000, 2500, 3000, 3500, 4000])
  expect(lines).toEqual(['failed to report instance; retrying'])
  duringBeat = async () => undefined
  await clock.advance(500)
  expect(lines.slice(1)).toEqual(['instance reported again'])
  await newsFor(200)
  expect(sent.slice(6).length).toBeGreaterThan(1)
})

test('[NODE-2] news during the retry that succeeds causes one more', async () => {
  await heartbeats.start()
  duringBeat = fails
  await clock.advance(2 * second)
  const { promise, resolve } = Promise.withResolvers<void>()
  duringBeat = () => promise
  await clock.advance(500)
  expect(sent).toEqual([0, 2000, 2500])
  heartbeats.soon()
  resolve()
  await clock.advance(0)
  await clock.advance(0)
  expect(sent).toEqual([0, 2000, 2500, 2500])
})

test('[NODE-2] one at a time: news and changes while the database does not respond cause one more', async () => {
  await heartbeats.start()
  const { promise, resolve } = Promise.withResolvers<void>()
  duringBeat = () => promise
  heartbeats.now()
  await clock.advance(0)
  expect(sent).toHaveLength(2)
  await newsFor(5 * second)
  heartbeats.now()
  await clock.advance(0)
  expect(sent).toHaveLength(2)
  resolve()
  await clock.advance(0)
  await clock.advance(0)
  expect(sent).toHaveLength(3)
  await clock.advance(2 * second - 1)
  expect(sent).toHaveLength(3)
  await clock.advance(1)
  expect(sent).toHaveLength(4)
})

test('[NODE-2] the first one fails the start only if the instance must not run', async () => {
  duringBeat = () => Promise.reject(new StartError('another run'))
  await expect(heartbeats.start()).rejects.toThrow('another run')
  await clock.advance(10 * second)
  expect(sent).toEqual([0])
  duringBeat = fails
  await heartbeats.start()
  await clock.advance(500)
  expect(sent.slice(1)).toEqual([10 * second, 10_500])
})
