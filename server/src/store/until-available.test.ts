import { expect, test, vi } from 'vitest'
import { ServiceError, StartError } from '../shared/errors.ts'
import { untilAvailable } from './until-available.ts'

const unavailable = () => new ServiceError('unavailable')
/** Work that fails with these errors, one after the other, and then succeeds. */
const failing = (...errors: readonly Error[]) => {
  const left = [...errors]
  return vi.fn(() => {
    const error = left.shift()
    return error ? Promise.reject(error) : Promise.resolve('done')
  })
}

test.each<[string, Error[], string, number]>([
  ['at once', [], 'done', 1],
  ['after two that were not answered', [unavailable(), unavailable()], 'done', 3],
  ['or not, if none is answered', Array.from({ length: 20 }, unavailable), 'unavailable', 10],
  ['or not, for another error', [new ServiceError('conflict')], 'conflict', 1],
  ['or not, for the reason of a failed start', [new StartError('no')], 'no', 1],
])('work of a start succeeds %s', async (_when, errors, result, times) => {
  const work = failing(...errors)
  const paused = vi.fn(() => Promise.resolve())
  const outcome = await untilAvailable(work, { sleep: paused }).catch((error: unknown) =>
    error instanceof ServiceError ? error.code : (error as Error).message,
  )
  expect([outcome, work.mock.calls.length, paused.mock.calls.length]).toEqual([result, times, times - 1])
})
