import { expect, test } from 'vitest'
import { testEntry } from '../../test/support/test-entry.ts'
import { ServiceError } from '../shared/errors.ts'
import { systemRandom } from '../shared/random.ts'
import type { NewExport, StoredExport } from './export-store.ts'
import { createNewExports } from './new-export.ts'
import type { ExportConfig } from './export.config.ts'
import { createQuota } from './quota.ts'
import { scopedKey } from '../../test/support/scoped.ts'

const now = Date.UTC(2026, 10, 21, 12)
const authorizeAgain = async () => undefined
const maker = (key: string, everything = true) =>
  ({
    owner: { authMethod: 'password', key, userId: key },
    name: key,
    everything,
    entryOf: () => testEntry,
    authorizeAgain,
  }) as const
const span = { camera: scopedKey('yard'), start: now / 1000 - 60, end: now / 1000 - 30, since: 0 }

const disksThere = () => Promise.resolve()

/** @param bytes left on the disk; each export takes a thousand */
function queue(
  bytes = 1e9,
  limits: ExportConfig = { max_gb: null, max_gb_per_user: null },
  requireDisks = disksThere,
  readClip: (camera: string) => Promise<unknown> = () => Promise.resolve(),
) {
  const waiting: NewExport[] = []
  const create = createNewExports({
    store: {
      add: (made) => Promise.resolve(void waiting.push(made)),
      unfinished: () =>
        Promise.resolve(waiting.map((made): StoredExport => ({ ...made, state: 'queued', tries: 0, volume: 'own' }))),
    },
    jobs: { added: () => {} },
    recordedRanges: {
      startSince: (_camera, { start }) => Promise.resolve(start),
      survey: () => Promise.resolve({ bytes: 1000, recorded: 30_000, settled: 0, growing: false }),
      clip: async (camera) => (await readClip(camera)) as never,
    },
    requireDisks,
    quota: createQuota({
      store: {
        bytes: (of) => {
          const counted = waiting.filter(({ owner }) => of === undefined || owner.userId === of.userId)
          return Promise.resolve({ done: 0, promised: counted.reduce((sum, { promised }) => sum + promised, 0) })
        },
      },
      limits: () => limits,
      freeBytes: () => Promise.resolve(bytes - waiting.length * 1000),
    }),
    clock: { now: () => now, elapsed: () => 0 },
    random: systemRandom,
  })
  /** Sends all requests concurrently. @returns the reasons of the rejected ones */
  const ask = async (makers: readonly string[], everything = true, range = span): Promise<unknown[]> => {
    const answers = await Promise.allSettled(makers.map((key) => create(range, maker(key, everything))))
    return answers.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
  }
  return { waiting, ask, create }
}

test('a user has at most twenty queued, however many are requested concurrently', async () => {
  const { waiting, ask } = queue()
  const refused = await ask(Array.from({ length: 30 }, () => 'ada'))
  expect([waiting.length, refused.length]).toEqual([20, 10])
  expect(refused[0]).toMatchObject({ reason: 'too-many-own-exports', values: { max: 20 } })
})

test('[ROLE-10] nothing is queued for a user who lost access while the recordings were read', async () => {
  const read = Promise.withResolvers<void>()
  const { waiting, create } = queue(1e9, undefined, undefined, () => read.promise)
  let isAllowed = true
  const again = async () => {
    if (!isAllowed) throw new ServiceError('forbidden')
  }
  const made = create(span, { ...maker('ada'), authorizeAgain: again })
  isAllowed = false
  read.resolve()
  await expect(made).rejects.toMatchObject({ code: 'forbidden' })
  expect(waiting).toEqual([])
})

test('at most a hundred are queued for all users', async () => {
  const { waiting, ask } = queue()
  const refused = await ask(Array.from({ length: 120 }, (_, i) => `user${i % 10}`))
  expect([waiting.length, refused.length]).toEqual([100, 20])
  expect(refused[0]).toMatchObject({ reason: 'too-many-exports', values: { max: 100 } })
})

test('recordings that are read slowly hold up no export of another camera, and their exports count as queued', async () => {
  const read = Promise.withResolvers<void>()
  let reads = 0
  const { waiting, ask } = queue(1e9, undefined, undefined, (camera) => {
    reads += 1
    return camera === 'far' ? read.promise : Promise.resolve()
  })
  const far = ask(
    Array.from({ length: 25 }, () => 'ada'),
    true,
    { ...span, camera: scopedKey('far') },
  )
  expect(await ask(['bob'])).toEqual([])
  expect(await ask(['ada'])).toMatchObject([{ reason: 'too-many-own-exports' }])
  expect([waiting.length, reads]).toEqual([1, 21])
  read.resolve()
  expect([(await far).length, waiting.length]).toEqual([5, 21])
})

test('recordings that can’t be read take no place', async () => {
  const gone = new ServiceError('not-found')
  const { ask } = queue(1e9, undefined, undefined, () => Promise.reject(gone))
  for (let round = 0; round < 3; round += 1)
    expect(await ask(Array.from({ length: 20 }, () => 'ada'))).not.toContainEqual(
      expect.objectContaining({ code: 'too-many-attempts' }),
    )
})

test('while a disk is missing, nothing is queued', async () => {
  const { waiting, ask } = queue(1e9, undefined, () => Promise.reject(new ServiceError('unavailable')))
  expect(await ask(['ada'])).toMatchObject([{ code: 'unavailable' }])
  expect(waiting).toEqual([])
})

test('a range that begins in the future is rejected, also if the clock of the caller is a little ahead', async () => {
  const { waiting, ask } = queue()
  const from = (seconds: number) => ({ ...span, start: now / 1000 + seconds, end: now / 1000 + seconds + 3 })
  for (const seconds of [0, 5, 20])
    expect(await ask(['ada'], true, from(seconds))).toMatchObject([{ problems: [{ field: 'end', code: 'in-future' }] }])
  expect(waiting).toEqual([])
  expect(await ask(['ada'], true, from(-1))).toEqual([])
  expect(waiting).toMatchObject([{ start: now - 1000, end: now }])
})

test('the longest day, on which clocks go back, can be exported, and no more', async () => {
  const { waiting, ask } = queue()
  // In Europe/Berlin.
  const [start, end] = ['2026-10-25T00:00:00+02:00', '2026-10-26T00:00:00+01:00'].map((at) => Date.parse(at) / 1000)
  const day = { ...span, start: start!, end: end! }
  expect(await ask(['ada'], true, day)).toEqual([])
  expect(waiting).toMatchObject([{ start: start! * 1000, end: end! * 1000 }])
  const tooLong = { field: 'end', code: 'span-too-long', values: { hours: 25 } }
  expect(await ask(['ada'], true, { ...day, end: end! + 1 })).toMatchObject([{ problems: [tooLong] }])
})

test('disk space is reserved for queued exports', async () => {
  const { waiting, ask } = queue(2500)
  const refused = await ask(['ada', 'bob', 'eve'])
  expect(waiting).toHaveLength(2)
  expect(refused).toMatchObject([{ reason: 'export-no-space', values: { needed: 1000, free: 500 } }])
})

test('[ROLE-11] a user cannot exceed the limit per user, and other users keep theirs', async () => {
  const { waiting, ask } = queue(1e9, { max_gb: null, max_gb_per_user: 2.5e-6 })
  const refused = await ask(['ada', 'ada', 'ada', 'bob'])
  expect(waiting.map(({ owner }) => owner.key)).toEqual(['ada', 'ada', 'bob'])
  expect(refused).toMatchObject([
    { code: 'conflict', reason: 'export-limit-own', values: { needed: 1000, left: 500, limit: 2500 } },
  ])
})

test('[ROLE-11] all users together cannot exceed the limit of exports', async () => {
  const { waiting, ask } = queue(1e9, { max_gb: 2.5e-6, max_gb_per_user: null })
  const refused = await ask(['ada', 'bob', 'eve'])
  expect(waiting).toHaveLength(2)
  expect(refused).toMatchObject([
    { code: 'conflict', reason: 'export-limit-all', values: { needed: 1000, left: 500, limit: 2500 } },
  ])
})

test('[ROLE-5] a user who cannot see all cameras learns neither the size of other exports nor the free disk space', async () => {
  const { ask } = queue(1e9, { max_gb: 0.5e-6, max_gb_per_user: null })
  expect(await ask(['ada'], false)).toMatchObject([{ reason: 'export-limit-all', values: { left: null } }])
  const full = queue(500)
  expect(await full.ask(['ada'], false)).toMatchObject([{ reason: 'export-no-space', values: { free: null } }])
})

test('[ROLE-11] a limit of 0 allows no export', async () => {
  const { waiting, ask } = queue(1e9, { max_gb: 0, max_gb_per_user: null })
  expect(await ask(['ada'])).toMatchObject([{ reason: 'export-limit-all' }])
  expect(waiting).toEqual([])
})
