import { describe, expect, test } from 'vitest'
import { reserveOf, spaceForExports, spaceForRecordings, spaceOnOwnDisk } from './disk-space.ts'

const endless = Number.MAX_SAFE_INTEGER

describe.each([
  ['60 MB', 60e6],
  ['6 TB', 6e12],
])('[ROLE-11] a disk of %s', (_name, total) => {
  const disk = (used: number) => ({ total, free: total * (1 - used) })
  const stored = (recordings: number, exports: number) => ({
    recordings: total * recordings,
    exports: total * exports,
  })

  test('reserves half for future recordings', () => {
    expect(reserveOf(disk(0), stored(0, 0), endless) / total).toBe(0.5)
    const room = spaceForExports(disk(0), stored(0, 0), endless) / total
    expect(room).toBeGreaterThanOrEqual(0.4)
    expect(room).toBeLessThan(0.5)
  })

  test('has no space left when exports take the other half', () => {
    expect(spaceForExports(disk(0.5), stored(0, 0.5), endless)).toBe(0)
    expect(spaceForExports(disk(0.7), stored(0.2, 0.5), endless)).toBe(0)
  })

  test('full of recordings has a margin for files being written', () => {
    const room = spaceForRecordings(disk(0.5), stored(0, 0.5)) / total
    expect(room).toBeGreaterThanOrEqual(0.4)
    expect(room).toBeLessThan(0.5)
  })

  test('leaves recordings their reserve, however much is exported', () => {
    const left = spaceForExports(disk(0), stored(0, 0), endless) / total
    expect(spaceForRecordings(disk(left), stored(0, left))).toBeGreaterThanOrEqual(total * 0.4999)
  })

  test('with other files does not count their space if there are exports, and removes no recording if there are none', () => {
    expect(spaceForRecordings(disk(0.9), stored(0.2, 0.1)) / total).toBeLessThan(0.3)
    expect(spaceForRecordings(disk(1), stored(0.2, 0)) / total).toBeGreaterThan(0.8)
  })

  test('with other files splits the rest in half', () => {
    expect(reserveOf(disk(0.8), stored(0, 0), endless) / total).toBeCloseTo(0.1)
  })
})

test('[ROLE-11] recordings with a limit below half reserve no more than the limit', () => {
  const disk = { total: 100e9, free: 100e9 }
  expect(reserveOf(disk, { recordings: 0, exports: 0 }, 10e9)).toBe(10e9)
  expect(spaceForExports(disk, { recordings: 0, exports: 0 }, 10e9)).toBe(88e9)
})

test('[ROLE-11] exports on their own disk leave only a margin', () => {
  expect(spaceOnOwnDisk({ total: 100e6, free: 100e6 })).toBe(95e6)
  expect(spaceOnOwnDisk({ total: 100e6, free: 1e6 })).toBe(0)
})
