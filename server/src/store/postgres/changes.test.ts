import { expect, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { postgresChanges } from './changes.ts'

/** Changes over a connection whose checks a test answers. */
async function connected() {
  const clock = createTestClock()
  const checks: PromiseWithResolvers<unknown>[] = []
  let respond = true
  const changes = postgresChanges({
    openListenConnection: () =>
      Promise.resolve({
        check() {
          const check = Promise.withResolvers<unknown>()
          checks.push(check)
          if (respond) check.resolve(undefined)
          return check.promise
        },
        close: () => Promise.resolve(),
      }),
    clock,
    log: silent,
  })
  await changes.start()
  const silence = () => void (respond = false)
  const answer = async () => {
    respond = true
    for (const check of checks) check.resolve(undefined)
    await clock.advance(0)
  }
  return { changes, clock, silence, answer }
}

test('[ROLE-10] announcements are trusted while a check of the connection is at most a second old', async () => {
  const { changes, clock, silence, answer } = await connected()
  expect(changes.isListening()).toBe(true)
  await clock.advance(60_000)
  expect(changes.isListening()).toBe(true)

  // A connection that stays open and says nothing.
  silence()
  await clock.advance(500)
  expect(changes.isListening()).toBe(true)
  await clock.advance(1600)
  expect(changes.isListening()).toBe(false)
  // The late response shows only what had happened when it was requested.
  await answer()
  expect(changes.isListening()).toBe(false)
  await clock.advance(500)
  expect(changes.isListening()).toBe(true)
  await changes.stop()
})

test('[ROLE-10] a process that was stopped for a second trusts nothing until it has checked the connection', async () => {
  let elapsed = 0
  const timers: (() => void)[] = []
  const clock = {
    ...createTestClock(),
    elapsed: () => elapsed,
    after(_milliseconds: number, work: () => void) {
      timers.push(work)
      return () => undefined
    },
  }
  const connection = { check: () => Promise.resolve(), close: () => Promise.resolve() }
  const openListenConnection = () => Promise.resolve(connection)
  const changes = postgresChanges({ openListenConnection, clock, log: silent })
  await changes.start()
  expect(changes.isListening()).toBe(true)
  elapsed = 6000
  expect(changes.isListening()).toBe(false)
  timers.at(-1)?.()
  await Promise.resolve()
  await Promise.resolve()
  expect(changes.isListening()).toBe(true)
  await changes.stop()
})

test('each cause for which there is no LISTEN connection is logged once, until there is one', async () => {
  const clock = createTestClock()
  const logged: unknown[] = []
  let cause: string | undefined
  let end: ((cause: unknown) => void) | undefined
  const changes = postgresChanges({
    openListenConnection(_channel, _onMessage, lost) {
      end = lost
      if (cause !== undefined) return Promise.reject(new Error(cause))
      return Promise.resolve({ check: () => Promise.resolve(), close: () => Promise.resolve() })
    },
    clock,
    log: { ...silent, warn: (fields) => void logged.push((fields as { err: Error }).err.message) },
  })
  await changes.start()
  cause = 'no connection'
  end?.(new Error('the connection ended'))
  await clock.advance(60_000)
  cause = 'session pooling'
  await clock.advance(60_000)
  cause = 'no connection'
  await clock.advance(60_000)
  expect(logged).toEqual(['the connection ended', 'no connection', 'session pooling'])
  cause = undefined
  await clock.advance(10_000)
  expect(changes.isListening()).toBe(true)
  end?.(new Error('the connection ended'))
  expect(logged.slice(3)).toEqual(['the connection ended'])
  await changes.stop()
})
