import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cpuSecondsIn, cpuSecondsOf, memoryIn, memoryOf } from './process-usage.ts'

const stat = (name: string) => `42 (${name}) S 1 42 42 0 -1 4194304 100 0 0 0 250 150 0 0 20 0 3 0 12345 1000000 2000 0`

test.each(['ffmpeg', 'a b', 'x) R 1 (y', ')'])('CPU seconds of a process named %j', (name) => {
  expect(cpuSecondsIn(stat(name))).toBe(4)
})

test('text in another format has no numbers', () => {
  expect(cpuSecondsIn('')).toBeUndefined()
  expect(cpuSecondsIn('1 (x) S')).toBeUndefined()
  expect(memoryIn('Name:\tx\nVmRSS:\t many kB\n')).toBeUndefined()
})

test('memory is in bytes', () => {
  expect(memoryIn('Name:\tffmpeg\nVmHWM:\t   9000 kB\nVmRSS:\t   2048 kB\nThreads:\t3\n')).toBe(2_097_152)
})

test.skipIf(!existsSync('/proc/self/stat'))('of this process there are some, and of none there are none', () => {
  expect(cpuSecondsOf(process.pid)).toBeGreaterThan(0)
  expect(memoryOf(process.pid)).toBeGreaterThan(1_000_000)
  expect(cpuSecondsOf(2 ** 30)).toBeUndefined()
  expect(memoryOf(2 ** 30)).toBeUndefined()
})
