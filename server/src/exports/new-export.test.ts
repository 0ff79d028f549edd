import { expect, test } from 'vitest'
import { testEntry } from '../../test/test-entry.ts'
import { systemRandom } from '../shared/random.ts'
import type { NewExport, StoredExport } from './export-store.ts'
import { createNewExports } from './new-export.ts'

const now = Date.UTC(2026, 10, 21, 12)
const maker = (key: string) => ({ owner: { source: 'password', key }, name: key, entryOf: () => testEntry }) as const
const span = { camera: 'yard', start: now / 1000 - 60, end: now / 1000 - 30 }

/** @param bytes that the disk has left */
function queue(bytes = 1e9) {
  const waiting: NewExport[] = []
  const create = createNewExports({
    store: {
      add: (made) => Promise.resolve(void waiting.push(made)),
      unfinished: () => Promise.resolve(waiting.map((made): StoredExport => ({ ...made, state: 'queued', tries: 0 }))),
    },
    jobs: { promised: () => waiting.length * 1000, added: () => {} },
    excerpts: {
      survey: () => Promise.resolve({ bytes: 1000, recorded: 30_000, settled: 0, growing: false }),
      clip: () => Promise.resolve({} as never),
    },
    free: () => Promise.resolve(bytes),
    ffmpeg: 'ffmpeg',
    clock: { now: () => now, elapsed: () => 0 },
    random: systemRandom,
  })
  /** Asks for all at once. @returns why those were refused that were */
  const ask = async (makers: readonly string[]): Promise<unknown[]> => {
    const answers = await Promise.allSettled(makers.map((key) => create(span, maker(key))))
    return answers.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
  }
  return { waiting, ask }
}

test('one person has twenty waiting, however many are asked for at once', async () => {
  const { waiting, ask } = queue()
  const refused = await ask(Array.from({ length: 30 }, () => 'ada'))
  expect([waiting.length, refused.length]).toEqual([20, 10])
  expect(refused[0]).toMatchObject({ reason: 'many-own-exports', values: { most: 20 } })
})

test('a hundred wait, whoever asked for them', async () => {
  const { waiting, ask } = queue()
  const refused = await ask(Array.from({ length: 120 }, (_, i) => `user${i % 10}`))
  expect([waiting.length, refused.length]).toEqual([100, 20])
  expect(refused[0]).toMatchObject({ reason: 'many-exports', values: { most: 100 } })
})

test('the disk is promised once: what waits counts', async () => {
  const { waiting, ask } = queue(2500)
  const refused = await ask(['ada', 'bob', 'eve'])
  expect(waiting).toHaveLength(2)
  expect(refused).toMatchObject([{ reason: 'export-no-space', values: { needed: 1000, free: 500 } }])
})
