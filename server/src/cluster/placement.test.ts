import { expect, test } from 'vitest'
import { cameraKey } from '../shared/camera/camera-keys.ts'
import { idealPlaces, ranked } from './placement.ts'
import { camerasNamed, lease, recorder } from '../../test/support/test-cluster.ts'

const many = camerasNamed(...Array.from({ length: 600 }, (_, nth) => `camera${nth}`))
const none = new Map()

/** Number of cameras by instance. */
const loads = (places: ReadonlyMap<string, string>): Record<string, number> => {
  const sums: Record<string, number> = {}
  for (const instance of places.values()) sums[instance] = (sums[instance] ?? 0) + 1
  return sums
}

test('[NODE-2] cameras are spread by weight, and only those of an instance that goes change their place', () => {
  const all = [recorder('a'), recorder('b'), recorder('c', { capacity: 64 })]
  const before = idealPlaces(many, none, all)
  const { a = 0, b = 0, c = 0 } = loads(before)
  // The third has twice the usual weight, but room for 64.
  expect(c).toBe(64)
  expect(Math.abs(a - b)).toBeLessThan(80)
  const three = idealPlaces(many, none, [recorder('a'), recorder('b'), recorder('d')])
  const two = idealPlaces(many, none, [recorder('a'), recorder('b')])
  for (const [camera, place] of three) if (place !== 'd') expect(two.get(camera)).toBe(place)
})

test.each([
  ['only instances that run', [recorder('a', { state: 'away' }), recorder('b')], [], ['b']],
  ['only instances that record', [recorder('a', { jobs: ['gate'] }), recorder('b')], [], ['b']],
  ['only instances with an address', [recorder('a', { address: null }), recorder('b')], [], ['b']],
  ['no drained instance', [recorder('a', { state: 'drained', drainedAt: 1 }), recorder('b')], [], ['b']],
  ['only instances with the labels', [recorder('a'), recorder('b', { labels: ['house', 'x'] })], ['house'], ['b']],
  ['none without the labels', [recorder('a')], ['house'], []],
  ['none without room', [recorder('a', { capacity: 0 }), recorder('b')], [], ['b']],
])('[NODE-2] %s can pull a camera', (_what, instances, labels, expected) => {
  expect(ranked({ camera: cameraKey('yard'), labels }, null, instances, new Map())).toEqual(expected)
})

test('[NODE-2] an instance that an admin chose comes first, even without room, but not without the labels', () => {
  const all = ['a', 'b', 'c'].map((id) => recorder(id, { capacity: 0 }))
  expect(ranked({ camera: cameraKey('yard'), labels: [] }, 'b', all, new Map())).toEqual(['b'])
  expect(ranked({ camera: cameraKey('yard'), labels: ['house'] }, 'b', all, new Map())).toEqual([])
  const moved = lease('camera7', 'a', { requested: 'c' })
  const leases = new Map([[moved.camera, moved]])
  expect(idealPlaces(many.slice(0, 9), leases, all).get(moved.camera)).toBe('c')
})
