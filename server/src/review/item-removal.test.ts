import { describe, expect, onTestFinished, test } from 'vitest'
import { silent } from '../../test/support/null-log.ts'
import { createTestClock } from '../../test/support/test-clock.ts'
import { createItemRemoval } from './item-removal.ts'
import type { ReviewItem } from './review-store.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'

const day = 24 * 60 * 60_000

/**
 * A minute of removing old items, and those that were deleted through other instances.
 *
 * @param jammed ids of items whose thumbnails can't be removed
 * @returns what is left
 */
async function sweep(
  all: { readonly old: readonly string[]; readonly noted: readonly string[] },
  jammed: Set<string>,
  isTrusted = true,
) {
  const clock = createTestClock()
  const left = { old: [...all.old], noted: [...all.noted] }
  const kept = new Set<string>()
  let sweptFolders = false
  const removal = createItemRemoval({
    volume: 'own',
    store: {
      volumeOf: async () => undefined,
      cameras: () => Promise.resolve(['yard', 'door'].map(cameraKey)),
      olderThan(camera, before, limit, after) {
        const items = left.old.filter((id) => id.startsWith(camera) && (after === undefined || id > after.id)).sort()
        const start = before - 1
        return Promise.resolve(items.slice(0, limit).map((id) => ({ id, camera, start }) as ReviewItem))
      },
      remove: async (ids) => void (left.old = left.old.filter((id) => !ids.includes(id))),
    },
    thumbnails: {
      remove: (places) =>
        Promise.resolve(new Map(places.flatMap(({ id }) => (jammed.has(id) ? [[id, new Error('EACCES')]] : [])))),
      isPostponed: () => false,
      removeBefore: async () => void (sweptFolders = true),
    },
    itemWriter: {
      forget: async (id) => void kept.delete(id),
      remember: (id) => void kept.add(id),
    },
    deletedFiles: {
      own: async (_kind, after) =>
        left.noted
          .filter((file) => after === undefined || file > after)
          .sort()
          .slice(0, 500)
          .map((file) => ({ volume: '', file, start: 0 })),
      done: async (_kind, files) => void (left.noted = left.noted.filter((file) => !files.includes(file))),
      subscribe: () => () => undefined,
    },
    retention: { of: () => 1 },
    isClockTrusted: () => isTrusted,
    clock,
    log: silent,
  })
  await clock.advance(60_000)
  await removal.stop()
  return { ...left, kept: [...kept].sort(), sweptFolders }
}

const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, number) => `${name} ${String(number).padStart(4, '0')}`)

test('many thumbnails that can’t be removed keep only their own items', async () => {
  const jammed = numbered('yard', 250)
  const old = [...jammed, 'yard last', 'door']
  expect(await sweep({ old, noted: [] }, new Set(jammed))).toEqual({
    old: jammed,
    noted: [],
    kept: jammed,
    sweptFolders: true,
  })
})

test('while the clock isn’t trusted, nothing is removed by age, but what was deleted elsewhere is', async () => {
  expect(await sweep({ old: ['yard'], noted: ['noted'] }, new Set(), false)).toEqual({
    old: ['yard'],
    noted: [],
    kept: [],
    sweptFolders: false,
  })
})

test('[NODE-2] thumbnails of items deleted elsewhere that can’t be removed stay noted, and the others are removed', async () => {
  const jammed = numbered('noted', 600)
  const noted = [...jammed, 'noted last']
  expect(await sweep({ old: ['yard'], noted }, new Set(jammed))).toMatchObject({ old: [], noted: jammed })
})

test('a user who deletes an item whose thumbnail can’t be removed gets the error, and the item stays', async () => {
  const clock = createTestClock()
  const removed: string[] = []
  const broken = new Error('EACCES')
  const removal = createItemRemoval({
    volume: 'own',
    store: {
      volumeOf: async () => undefined,
      cameras: () => Promise.resolve([]),
      olderThan: () => Promise.resolve([]),
      remove: async (ids) => void removed.push(...ids),
    },
    thumbnails: {
      remove: () => Promise.resolve(new Map([['one', broken]])),
      isPostponed: () => false,
      removeBefore: () => Promise.resolve(),
    },
    itemWriter: { forget: () => Promise.resolve(), remember: () => undefined },
    deletedFiles: { own: async () => [], done: async () => undefined, subscribe: () => () => undefined },
    retention: { of: () => 1 },
    isClockTrusted: () => true,
    clock,
    log: silent,
  })
  await expect(removal.remove([{ id: 'one', camera: 'yard', start: clock.now() - day } as ReviewItem])).rejects.toBe(
    broken,
  )
  await removal.stop()
  expect(removed).toEqual([])
})

/** A removal with nothing to remove, and which rounds it does. */
const begin = () => {
  const clock = createTestClock()
  const rounds: string[] = []
  const on = { announce: () => {}, read: () => {} }
  const removal = createItemRemoval({
    volume: 'ours',
    store: {
      async cameras() {
        rounds.push('sweep')
        return []
      },
      olderThan: async () => [],
      remove: async () => undefined,
      volumeOf: async () => undefined,
    },
    thumbnails: {
      remove: async () => new Map(),
      isPostponed: () => false,
      removeBefore: async () => undefined,
    },
    itemWriter: { forget: async () => undefined, remember: () => undefined },
    deletedFiles: {
      async own() {
        rounds.push('noted')
        on.read()
        return []
      },
      done: async () => undefined,
      subscribe(listener) {
        on.announce = listener
        return () => undefined
      },
    },
    retention: { of: () => 1 },
    isClockTrusted: () => true,
    clock,
    log: silent,
  })
  onTestFinished(() => removal.stop())
  const settled = () => expect.poll(() => clock.pending()).toBe(1)
  return { clock, rounds, on, settled }
}

describe('a file that is noted', () => {
  test('during a sweep is deleted right after it', async () => {
    const { rounds, on, settled } = begin()
    on.read = () => {
      on.read = () => {}
      on.announce()
    }
    await settled()
    expect(rounds).toEqual(['sweep', 'noted', 'noted'])
  })

  test('between two sweeps is deleted at once, and old items only by the minute', async () => {
    const { clock, rounds, on, settled } = begin()
    await settled()
    await clock.advance(59_000)
    on.announce()
    await expect.poll(() => rounds).toEqual(['sweep', 'noted', 'noted'])
    await settled()
    await clock.advance(1000)
    await expect.poll(() => rounds).toEqual(['sweep', 'noted', 'noted', 'sweep', 'noted'])
  })
})
