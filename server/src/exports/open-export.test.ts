import { expect, test } from 'vitest'
import { systemClock } from '../shared/time/clock.ts'
import type { Place } from '../shared/storage/places.ts'
import type { StoredExport } from './export-store.ts'
import { createOpenExport } from './open-export.ts'

test.each<[what: string, place: Place, expected: object]>([
  [
    'that no instance has: no time is given after which to try again',
    { kind: 'away', isLost: true },
    { code: 'unavailable', reason: 'exports-disk-missing', retryAfter: undefined },
  ],
  [
    'of an instance that cannot be reached: it can be back soon',
    { kind: 'away', isLost: false },
    { code: 'unavailable', retryAfter: expect.any(Number) },
  ],
])('[NODE-3] the file of an export on a disk %s', async (_what, place, expected) => {
  const folder = { open: () => Promise.reject(new Error('it is not here')) }
  const open = createOpenExport({ places: () => place, others: undefined, folder, clock: systemClock })
  await expect(open({ volume: 'other' } as StoredExport)).rejects.toMatchObject(expected)
})
