import { afterEach, beforeEach, expect, test } from 'vitest'
import { engines, type TestDatabase } from '../../../test/support/engines.ts'
import type { Instance } from '../../shared/cluster/instances.ts'
import type { Store } from '../../store/store.ts'
import { recordingStore } from '../index/recording-store.sql.ts'
import { openUnownedVolumes } from './unowned-volumes.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

const now = Date.UTC(2026, 10, 21, 12)

let database: TestDatabase
let store: Store
beforeEach(async () => {
  database = await engines[0]!.create()
  store = await database.open()
  for (const volume of ['own', 'running', 'away', 'removed', 'lost']) await record(volume)
})
afterEach(() => database.remove())

const record = (volume: string) =>
  recordingStore(store, volume).add([
    { camera: cameraKey('yard'), start: 0, end: 10, bytes: 1, initBytes: 1, motion: 0, streamId: 0, file: volume },
  ])

const instance = (volume: string, state: Instance['state'], secondsAgo: number): Instance => ({
  id: `with ${volume}`,
  name: volume,
  address: null,
  jobs: [],
  labels: [],
  capacity: null,
  version: '',
  volume,
  startedAt: 0,
  seenAt: now - secondsAgo * 1000,
  drainedAt: null,
  state,
})
const instancesOf = (all: () => readonly Instance[]) => ({
  self: 'with own',
  all,
  find: (id: string) => all().find((each) => each.id === id),
})

test('[NODE-3] a volume of a running instance has an owner; one of an instance that is unavailable has none after an hour', async () => {
  const all = [
    instance('own', 'running', 0),
    instance('running', 'running', 5),
    instance('away', 'away', 3599),
    instance('removed', 'away', 3601),
    // Its container has another id since the last start.
    instance('lost', 'away', 9000),
  ]
  const volumes = await openUnownedVolumes(
    store,
    'own',
    instancesOf(() => all),
  )
  expect(volumes.lasting()).toEqual(['lost', 'removed'])
  all.push({ ...instance('lost', 'drained', 1), id: 'another' })
  expect(volumes.lasting()).toEqual(['removed'])
})

test('[NODE-3] until the instances are known, every volume has an owner', async () => {
  const volumes = await openUnownedVolumes(
    store,
    'own',
    instancesOf(() => []),
  )
  expect(volumes.lasting()).toEqual([])
})

test('each table names its own volumes', async () => {
  const { db } = store
  await db.insertInto('deleted_file').values({ volume: 'lost', kind: 'review', file: 'x', start: 0 }).execute()
  await db.insertInto('deleted_file').values({ volume: 'noted', kind: 'review', file: 'x', start: 0 }).execute()
  const volumes = await openUnownedVolumes(store, 'own', undefined)
  expect(volumes.lasting('deleted_file')).toEqual(['lost', 'noted'])
  expect(volumes.lasting('review_item')).toEqual([])
  expect(volumes.lasting()).not.toContain('noted')
  expect(volumes.lasting('any').toSorted()).toEqual(['away', 'lost', 'noted', 'removed', 'running'])
})

test('with SQLite, no other volume has an owner; the index is read again on request', async () => {
  const volumes = await openUnownedVolumes(store, 'own', undefined)
  expect(volumes.lasting()).toEqual(['away', 'lost', 'removed', 'running'])
  await store.db.deleteFrom('recording').where('volume', '!=', 'own').execute()
  expect(volumes.lasting()).toHaveLength(4)
  await volumes.read()
  expect(volumes.lasting()).toEqual([])
})
