import { expect, test } from 'vitest'
import { roomOfAll, shareDisk, totalsOf } from './instance-disks.ts'

const load = {
  cpu_percent: null,
  memory_bytes: 1,
  disk_free_bytes: 3,
  disk_total_bytes: 10,
  disk_id: null as string | null,
  recordings_bytes: null as number | null,
  objects_bytes: null as number | null,
}

/** An instance that was seen at an hour of a day. */
const seen = (hour: number, more: Partial<typeof load> | null) => ({
  last_seen_at: `2026-11-26T${String(hour).padStart(2, '0')}:00:00Z`,
  load: more && { ...load, ...more },
})
const unknown = { disk_free_bytes: null, disk_total_bytes: null } as unknown as Partial<typeof load>

test.each([
  ['without instances', [], { recordings: null, free: null, total: null, objects: null }],
  ['of one that reported nothing', [seen(9, null)], { recordings: null, free: null, total: null, objects: null }],
  ['of one that has not counted yet', [seen(9, {})], { recordings: null, free: 3, total: 10, objects: null }],
  [
    'of several: what is known of each',
    [
      seen(9, { recordings_bytes: 5, objects_bytes: 0 }),
      seen(9, { ...unknown, recordings_bytes: 2, objects_bytes: 7 }),
      seen(9, null),
    ],
    { recordings: 7, free: 3, total: 10, objects: 7 },
  ],
  [
    'of several on one disk: the disk once, as last reported, and the recordings of each',
    [
      seen(8, { disk_id: 'a', disk_free_bytes: 4, recordings_bytes: 1 }),
      seen(9, { disk_id: 'a', recordings_bytes: 2 }),
      seen(10, { ...unknown, disk_id: 'a' }),
      seen(7, { disk_id: 'b', disk_free_bytes: 20, disk_total_bytes: 30, recordings_bytes: 4 }),
    ],
    { recordings: 7, free: 23, total: 40, objects: null },
  ],
  [
    'of several that know no disk: each',
    [seen(8, {}), seen(9, {})],
    { recordings: null, free: 6, total: 20, objects: null },
  ],
])('the storage %s', (_what, instances, totals) => {
  expect(totalsOf(instances)).toEqual(totals)
})

test.each([
  ['without instances', [], false, 0],
  ['of one with room for the limit', [seen(9, { recordings_bytes: 1, disk_free_bytes: 9 })], false, 5],
  ['of one whose disk has less', [seen(9, { recordings_bytes: 1 })], false, 4],
  ['of one that has not counted yet', [seen(9, {})], false, 5],
  ['of two disks', [seen(8, { disk_id: 'a', recordings_bytes: 1 }), seen(9, { disk_id: 'b' })], false, 9],
  [
    'of two instances on one disk, which share its space',
    [seen(8, { disk_id: 'a', recordings_bytes: 1 }), seen(9, { disk_id: 'a', recordings_bytes: 2 })],
    true,
    6,
  ],
  [
    'of two instances on one disk with room for both limits',
    [
      seen(8, { disk_id: 'a', disk_free_bytes: 99, recordings_bytes: 1 }),
      seen(9, { disk_id: 'a', disk_free_bytes: 99, recordings_bytes: 2 }),
    ],
    true,
    10,
  ],
])('the space %s, if each can use 5 bytes', (_what, instances, isShared, room) => {
  expect(shareDisk(instances)).toBe(isShared)
  expect(roomOfAll(instances, 5)).toBe(room)
})
