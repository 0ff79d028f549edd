import { expect, test, vi } from 'vitest'
import { untilAvailable } from './until-available.ts'

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code })
const full = () => withCode('no connection is left', '53300')
const late = () => new Error('timeout exceeded when trying to connect')
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
  ['after two outages', [full(), late()], 'done', 3],
  ['or not, if none is answered', Array.from({ length: 20 }, late), late().message, 10],
  ['or not, for another error', [withCode('wrong', '42601')], 'wrong', 1],
])('work at startup succeeds %s', async (_when, errors, result, times) => {
  const work = failing(...errors)
  const paused = vi.fn(() => Promise.resolve())
  const outcome = await untilAvailable(work, { sleep: paused }).catch((error: unknown) => (error as Error).message)
  expect([outcome, work.mock.calls.length, paused.mock.calls.length]).toEqual([result, times, times - 1])
})
