import { expect, test } from 'vitest'
import { ServiceError } from '../shared/errors.ts'
import { DiskLost, diskMissing } from '../shared/storage/mounted-disk.ts'
import { day } from '../shared/time/durations.ts'
import { problemOf } from './run-export.ts'

const unreachable = new ServiceError('unavailable', { reason: 'recording-unreachable' })
const systemError = (code: string) => Object.assign(new Error(code), { code })

test.each<[error: Error, age: number, problem: string | undefined]>([
  [unreachable, day, undefined],
  [unreachable, day + 1, 'disk-error'],
  [diskMissing('the disk of a folder is missing'), 30 * day, undefined],
  [new DiskLost(), 0, 'recording-deleted'],
  [new ServiceError('not-found', { reason: 'nothing-recorded' }), 0, 'nothing-recorded'],
  [new ServiceError('unavailable'), 30 * day, undefined],
  [new ServiceError('invalid-request'), 0, 'muxing-failed'],
  [systemError('ENOSPC'), 0, 'disk-full'],
  [systemError('EIO'), 0, 'disk-error'],
  [new Error('x'), 0, 'muxing-failed'],
])('%s of an export that is %d ms old: %s', (error, age, problem) => {
  expect(problemOf(error, age)?.code).toBe(problem)
})
