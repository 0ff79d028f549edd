import { expect, test } from 'vitest'
import { totalsOf } from './instance-disks.ts'

const load = { cpu_percent: null, memory_bytes: 1, disk_free_bytes: 3, disk_total_bytes: 10 }

test.each([
  ['without instances', [], { recordings: null, free: null, total: null, objects: null }],
  ['of one that reported nothing', [{ load: null }], { recordings: null, free: null, total: null, objects: null }],
  [
    'of one that has not counted yet',
    [{ load: { ...load, recordings_bytes: null, objects_bytes: null } }],
    { recordings: null, free: 3, total: 10, objects: null },
  ],
  [
    'of several: what is known of each',
    [
      { load: { ...load, recordings_bytes: 5, objects_bytes: 0 } },
      { load: { ...load, disk_free_bytes: null, disk_total_bytes: null, recordings_bytes: 2, objects_bytes: 7 } },
      { load: null },
    ],
    { recordings: 7, free: 3, total: 10, objects: 7 },
  ],
])('the storage %s', (_what, instances, totals) => {
  expect(totalsOf(instances)).toEqual(totals)
})
