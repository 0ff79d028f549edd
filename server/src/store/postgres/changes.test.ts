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
