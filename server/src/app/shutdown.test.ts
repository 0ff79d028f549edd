import { expect, test } from 'vitest'
import { createShutdown } from './shutdown.ts'

/** A part whose stop takes a moment. */
const slowly = (done: string[], name: string) => async () => {
  done.push(`${name} stops`)
  await Promise.resolve()
  done.push(`${name} stopped`)
}

const failed = (error: unknown) => expect.unreachable(String(error))

test('each part is stopped once: phase by phase, in a phase at the same time and the last one first', async () => {
  const done: string[] = []
  const shutdown = createShutdown()
  shutdown.onStop('storage', slowly(done, 'database'))
  shutdown.onStop('sources', slowly(done, 'cameras'))
  shutdown.onStop('streams', () => void done.push('streams'))
  shutdown.onStop('sources', slowly(done, 'exports'))
  shutdown.onStop('recordings', slowly(done, 'recordings'))
  await Promise.all([shutdown.stop(failed), shutdown.stop(failed)])
  await shutdown.stop(failed)
  expect(done).toEqual([
    'streams',
    'exports stops',
    'cameras stops',
    'exports stopped',
    'cameras stopped',
    'recordings stops',
    'recordings stopped',
    'database stops',
    'database stopped',
  ])
})

test('a part that can’t be stopped keeps no other from being stopped', async () => {
  const done: string[] = []
  const failures: unknown[] = []
  const shutdown = createShutdown()
  shutdown.onStop('storage', slowly(done, 'database'))
  shutdown.onStop('recordings', () => Promise.reject(new Error('disk')))
  shutdown.onStop('streams', slowly(done, 'streams'))
  shutdown.onStop('streams', () => {
    throw new Error('socket')
  })
  await shutdown.stop((error, phase) => failures.push([(error as Error).message, phase]))
  expect(done).toEqual(['streams stops', 'streams stopped', 'database stops', 'database stopped'])
  expect(failures).toEqual([
    ['socket', 'streams'],
    ['disk', 'recordings'],
  ])
})
