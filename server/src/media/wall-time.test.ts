import { expect, test } from 'vitest'
import { instantOf, type Clock } from '../shared/time/clock.ts'
import { hasJumped, hasDrifted, observe, settle, startWallTime, wallTimeOf } from './wall-time.ts'

/** The wall time of one stream, by a clock. */
function createWallTime(clock: Clock) {
  let wall = startWallTime(instantOf(clock))
  return {
    observe: (time: number) => void (wall = observe(wall, time, instantOf(clock))),
    settle: () => void (wall = settle(wall)),
    of: (time: number) => wallTimeOf(wall, time, instantOf(clock)),
    get jumped() {
      return hasJumped(wall, instantOf(clock))
    },
    get strayed() {
      return hasDrifted(wall)
    },
  }
}

/** A clock whose wall and steady time a test moves. */
function handClock(wall = 1_000_000) {
  let elapsed = 0
  let offset = wall
  return {
    clock: { now: () => offset + elapsed, elapsed: () => elapsed },
    pass: (milliseconds: number) => void (elapsed += milliseconds),
    set: (milliseconds: number) => void (offset += milliseconds),
  }
}

test('frames of a burst are older than their arrival; the last one gives the time', () => {
  const { clock, pass } = handClock()
  const wall = createWallTime(clock)
  // Two seconds of old frames at once, then one every 100 ms.
  for (let time = 0; time <= 2; time += 0.1) wall.observe(time)
  for (let time = 2.1; time < 5; time += 0.1) {
    pass(100)
    wall.observe(time)
  }
  wall.settle()
  expect(wall.of(2)).toBeCloseTo(1_000_000, -1)
  expect(wall.of(0)).toBeCloseTo(998_000, -1)
})

test('a late frame does not change the time', () => {
  const { clock, pass } = handClock()
  const wall = createWallTime(clock)
  wall.observe(0)
  pass(1000)
  wall.observe(1)
  pass(1700)
  wall.observe(2)
  wall.settle()
  expect(wall.of(2)).toBe(1_002_000)
})

test('a camera whose clock runs slow is followed in steps of at most 20 ms', () => {
  const { clock, pass } = handClock()
  const wall = createWallTime(clock)
  let time = 0
  const segment = (): number => {
    for (let i = 0; i < 10; i++) {
      wall.observe(time)
      pass(1000)
      // 500 ppm, ten times what a bad clock does.
      time += 0.9995
    }
    const before = wall.of(time)
    wall.settle()
    return Math.abs(wall.of(time) - before)
  }
  segment()
  const steps = Array.from({ length: 360 }, segment)
  expect(Math.max(...steps)).toBeLessThanOrEqual(20)
  // After an hour it is right to a frame.
  expect(Math.abs(wall.of(time) - clock.now())).toBeLessThan(40)
})

test.each([600, -600, 3_600_000, -3_600_000])('a clock set by %i ms is noticed', (by) => {
  const { clock, set, pass } = handClock()
  const wall = createWallTime(clock)
  pass(60_000)
  expect(wall.jumped).toBe(false)
  set(by)
  expect(wall.jumped).toBe(true)
})

test.each([
  ['ahead', 3600],
  ['back', -3600],
])('a camera whose own clock is set %s has strayed, and a late frame has not', (_way, by) => {
  const { clock, pass } = handClock()
  const wall = createWallTime(clock)
  const segment = (from: number): void => {
    for (let time = from; time < from + 10; time++) {
      pass(1000)
      wall.observe(time)
    }
    wall.settle()
  }
  segment(10_000)
  pass(4000)
  wall.observe(10_010)
  expect(wall.strayed).toBe(false)
  pass(-4000)
  segment(10_010)
  expect(wall.strayed).toBe(false)
  segment(10_020 + by)
  segment(10_030 + by)
  segment(10_040 + by)
  expect(wall.strayed).toBe(true)
  // What it was before is not moved by it.
  expect(wall.of(10_010)).toBeCloseTo(1_011_000, -2)
})

test.each([
  ['what came late once', 15, 1],
  ['half a minute that comes at once', 30, 30],
  ['what comes late for good', 30, 60],
])('%s: whether it has strayed', (_what, late, seconds) => {
  const { clock, pass } = handClock()
  const wall = createWallTime(clock)
  let time = 0
  const received = (): void => {
    wall.observe(time)
    if (++time % 10 === 0) wall.settle()
  }
  for (let second = 0; second < 20; second++) {
    pass(1000)
    received()
  }
  pass(late * 1000)
  // All that was held back, in no time; or as slowly as it should have come.
  for (let count = 0; count < seconds; count++) {
    if (seconds > late) pass(1000)
    received()
  }
  expect(wall.strayed).toBe(seconds > late)
  expect(wall.of(20)).toBeCloseTo(1_021_000, -2)
})
