import { expect, test } from 'vitest'
import type { InstanceResponse } from '../../../../server/src/api-types.ts'
import { missingLabels, placementsOf, takesCameras } from './placement.ts'

const instance = (name: string, more: Partial<InstanceResponse> = {}): InstanceResponse => ({
  id: name,
  name,
  current: false,
  address: 'https://192.0.2.5:7443',
  jobs: ['gate', 'recorder'],
  labels: [],
  capacity: null,
  version: '1.0.0',
  cameras: [],
  requested: [],
  load: null,
  clock_ahead_seconds: null,
  other_protocol: false,
  unreachable: false,
  config_outdated: false,
  started_at: '2026-01-01T00:00:00Z',
  last_seen_at: '2026-01-01T00:00:00Z',
  drained_at: null,
  state: 'running',
  ...more,
})

test('a camera has the instance that pulls it, and the one that an admin moved it to', () => {
  const cellar = instance('cellar', { cameras: ['yard', 'door'] })
  const attic = instance('attic', { cameras: ['office'], requested: ['door', 'constructor'] })
  const placements = placementsOf([cellar, attic])
  expect(placements.get('yard')).toEqual({ owner: cellar, requested: undefined })
  expect(placements.get('door')).toEqual({ owner: cellar, requested: attic })
  expect(placements.get('office')).toEqual({ owner: attic, requested: undefined })
  expect(placements.get('constructor')).toEqual({ owner: undefined, requested: attic })
  expect(placements.get('barn')).toBeUndefined()
})

test.each<[string, Partial<InstanceResponse>, boolean]>([
  ['a running recorder', {}, true],
  ['one without an address', { address: null }, false],
  ['a gate alone', { jobs: ['gate'] }, false],
  ['one that is being drained', { state: 'draining' }, false],
  ['a drained one', { state: 'drained' }, false],
  ['one that is unavailable', { state: 'away' }, false],
  ['a full one', { capacity: 1, cameras: ['yard'] }, false],
  ['one with room', { capacity: 2, cameras: ['yard'] }, true],
])('%s takes cameras', (_name, more, expected) => {
  expect(takesCameras(instance('cellar', more))).toBe(expected)
})

test.each<[string[], string[], string[]]>([
  [[], [], []],
  [['house', 'attic'], ['house'], []],
  [['house'], ['garden', 'house', 'attic'], ['garden', 'attic']],
  [[], ['house'], ['house']],
])('an instance with labels %j lacks of %j the labels %j', (labels, required, expected) => {
  expect(missingLabels({ labels }, required)).toEqual(expected)
})
