import { expect, test } from 'vitest'
import { silent } from '../../test/support/null-log.ts'
import { createTestClock } from '../../test/support/test-clock.ts'
import { ServiceError } from '../shared/errors.ts'
import { createNotedExports } from './noted-exports.ts'

/**
 * Checks twice.
 *
 * @returns the noted exports that are left, and those that the log says couldn't be deleted
 */
async function left(all: readonly string[], failing: ReadonlyMap<string, Error>) {
  let noted = all
  const logged: unknown[] = []
  const made = createNotedExports({
    deletedFiles: {
      own: async (_kind, after) =>
        noted
          .filter((file) => after === undefined || file > after)
          .slice(0, 2)
          .map((file) => ({ volume: '', file, start: 0 })),
      done: async (_kind, files) => void (noted = noted.filter((file) => !files.includes(file))),
      subscribe: () => () => undefined,
    },
    folder: {
      dropDraft: () => Promise.resolve(),
      async remove(id) {
        const error = failing.get(id)
        if (error) throw error
      },
    },
    jobs: { without: (_id, then) => then() },
    clock: createTestClock(),
    log: { ...silent, warn: (fields) => void logged.push('export' in fields ? fields.export : undefined) },
  })
  await made.run()
  await made.run()
  made.stop()
  return { noted, logged }
}

test('[NODE-2] exports deleted elsewhere whose files can’t be removed stay noted, and the others are removed', async () => {
  const failing = new Map(['a', 'b', 'd'].map((id) => [id, new Error('EIO')]))
  expect(await left(['a', 'b', 'c', 'd', 'e'], failing)).toEqual({ noted: ['a', 'b', 'd'], logged: ['a', 'b', 'd'] })
})

test('without the disk, nothing further is tried', async () => {
  const failing = new Map([['a', new ServiceError('unavailable')]])
  expect(await left(['a', 'b'], failing)).toEqual({ noted: ['a', 'b'], logged: [undefined, undefined] })
})

test('hundreds of announcements cause one check at a time, and one more after the last of them', async () => {
  const listeners: (() => void)[] = []
  const announce = () => listeners.forEach((listener) => listener())
  const answers: (() => void)[] = []
  const made = createNotedExports({
    deletedFiles: {
      own: () => new Promise((resolve) => answers.push(() => resolve([]))),
      done: () => Promise.resolve(),
      subscribe(listener) {
        listeners.push(listener)
        return () => undefined
      },
    },
    folder: { dropDraft: () => Promise.resolve(), remove: () => Promise.resolve() },
    jobs: { without: (_id, then) => then() },
    clock: createTestClock(),
    log: silent,
  })
  for (let count = 0; count < 300; count += 1) announce()
  expect(answers).toHaveLength(1)
  const last = made.run()
  answers[0]!()
  await expect.poll(() => answers.length).toBe(2)
  answers[1]!()
  await last
  expect(answers).toHaveLength(2)
  announce()
  expect(answers).toHaveLength(3)
  made.stop()
})
