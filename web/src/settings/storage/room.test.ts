import { expect, test } from 'vitest'
import type { DiskResponse, InstanceResponse } from '../../../../server/src/api-types.ts'
import { wholeRoomOf } from './room.ts'

const disk = { limits: { max_gb: 5 }, bytes: 1e9, free: 3e9, object_storage: null } as DiskResponse
const storing = (max_gb: number | null) => ({ ...disk, object_storage: { limits: { max_gb } } }) as DiskResponse

const load = { disk_total_bytes: 9e9, disk_free_bytes: 3e9, recordings_bytes: 1e9 }
const instance = (more: Partial<InstanceResponse> = {}) =>
  ({
    current: false,
    address: 'https://192.0.2.5:7443',
    jobs: ['gate', 'recorder'],
    state: 'running',
    drained_at: null,
    last_seen_at: '2026-11-26T10:00:00Z',
    load,
    ...more,
  }) as InstanceResponse
const current = instance({ current: true })

test.each<[string, DiskResponse, InstanceResponse[], number]>([
  ['a service with SQLite: its disk', disk, [], 4],
  ['a service whose disk has more than the limit: the limit', { ...disk, free: 9e9 }, [], 5],
  ['a service with object storage: both', storing(20), [], 24],
  ['object storage without a limit: any', storing(null), [], Infinity],
  ['two instances: the disks of both', disk, [current, instance()], 8],
  ['two instances with object storage: twice both', storing(20), [current, instance()], 48],
  [
    'an instance that only serves: that of the others',
    disk,
    [instance({ current: true, jobs: ['gate'] }), instance()],
    4,
  ],
  [
    'instances that are unavailable or drained: not theirs',
    disk,
    [current, instance({ state: 'away' }), instance({ drained_at: '2026-11-26T10:00:00Z' })],
    4,
  ],
  [
    'an instance that can’t reach the others: its own',
    disk,
    [instance({ current: true, address: null }), instance()],
    4,
  ],
  ['no instance that records: that of this one', disk, [instance({ current: true, jobs: ['gate'] })], 4],
])('the space for recordings of %s', (_what, of, instances, gigabytes) => {
  expect(wholeRoomOf(of, instances)).toBe(gigabytes * 1e9)
})
