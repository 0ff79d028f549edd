import { expect, test } from 'vitest'
import type { Instance } from '../cluster/instances.ts'
import { createPlaces } from './places.ts'

const instance = (volume: string, more: Partial<Instance> = {}): Instance => ({
  id: `id of ${volume}`,
  name: volume,
  address: 'https://192.0.2.5:7443',
  jobs: ['gate', 'recorder'],
  labels: [],
  capacity: null,
  version: '1.0.0',
  volume,
  startedAt: 0,
  seenAt: 0,
  drainedAt: null,
  state: 'running',
  ...more,
})

const others = [
  instance('cellar'),
  instance('attic', { state: 'away' }),
  instance('shed', { address: null }),
  instance('barn', { state: 'draining' }),
]
const places = createPlaces('own', { withVolume: (volume) => others.find((each) => each.volume === volume) }, () => [
  'lost',
])

test.each([
  [{ volume: 'own', object: null }, { kind: 'disk' }],
  [
    { volume: 'own', object: 'a/b.mp4' },
    { kind: 'object', key: 'a/b.mp4' },
  ],
  [
    { volume: 'attic', object: 'a/b.mp4' },
    { kind: 'object', key: 'a/b.mp4' },
  ],
  [
    { volume: 'cellar', object: null },
    { kind: 'instance', instance: 'id of cellar' },
  ],
  [
    { volume: 'barn', object: null },
    { kind: 'instance', instance: 'id of barn' },
  ],
  [
    { volume: 'attic', object: null },
    { kind: 'away', isLost: false },
  ],
  [
    { volume: 'shed', object: null },
    { kind: 'away', isLost: false },
  ],
  [
    { volume: 'unknown', object: null },
    { kind: 'away', isLost: false },
  ],
  [
    { volume: 'lost', object: null },
    { kind: 'away', isLost: true },
  ],
  [
    { volume: 'lost', object: 'a/b.mp4' },
    { kind: 'object', key: 'a/b.mp4' },
  ],
])('the file %j is read at %j', (file, place) => expect(places(file)).toEqual(place))

test('an instance that is alone reads its own disk only', () => {
  const alone = createPlaces('own', undefined)
  expect(alone({ volume: 'own', object: null })).toEqual({ kind: 'disk' })
  expect(alone({ volume: 'cellar', object: null })).toEqual({ kind: 'away', isLost: false })
})
