import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { engines, type TestDatabase } from '../../../test/support/engines.ts'
import { recordingStore } from '../../recordings/index/recording-store.sql.ts'
import type { Store } from '../../store/store.ts'
import { registryStore } from './registry-store.sql.ts'
import { adoptVolume, followWithin } from './shared-registry-store.sql.ts'
import { emptyRegistry, liveIn, nextRegistry } from './registry.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

const yard = cameraKey('yard')

let database: TestDatabase
let store: Store
beforeEach(async () => {
  // Only SQLite has a registry that isn't shared.
  database = await engines[0]!.create()
  store = await database.open()
})
afterEach(() => database.remove())

interface Row {
  readonly key: string
  readonly source: string
  readonly added?: number
  readonly removed?: number
  readonly withheld?: readonly string[]
}

const camera = async (volume: string, { key, source, added = 1, removed, withheld = [] }: Row): Promise<void> =>
  void (await store.db
    .insertInto('camera')
    .values({
      volume,
      key: cameraKey(key),
      name: key.replace(/~.*/, ''),
      source,
      added_at: added,
      removed_at: removed ?? null,
      withheld: JSON.stringify(withheld),
    })
    .execute())
const listing = async (volume: string, name: string, role: string): Promise<void> =>
  void (await store.db.insertInto('camera_listing').values({ volume, name, role }).execute())
const recorded = (volume: string, key: string) =>
  recordingStore(store, volume).add([
    { camera: cameraKey(key), start: 0, end: 10, bytes: 1, initBytes: 1, motion: 0, streamId: 0, file: key },
  ])
const keysOf = async (volume: string) => recordingStore(store, volume).cameras()

let keys = 0
const read = async () => {
  const registry = await registryStore(store, 'own').read({
    now: 100,
    newKey: (name) => cameraKey(`${name}~new${++keys}`),
  })
  return registry && registry.cameras.map(({ key, source, removedAt }) => [key, source, removedAt])
}

describe('[CAM-4] the registry of a database', () => {
  test('is there once it was written, whatever volume the recordings are on', async () => {
    expect(await read()).toBeUndefined()
    const made = { key: yard, name: 'yard', source: 'a', addedAt: 1, removedAt: null, withheld: ['guard'] }
    const registry = { cameras: [made], listed: new Map([['door', ['guard']]]) }
    await registryStore(store, 'own').write(registry)
    expect(await registryStore(store, 'another').read({ now: 1, newKey: cameraKey })).toEqual(registry)
  })

  test('is that of the volume that was changed last, if the own one has none; a lost disk confirms nothing', async () => {
    await camera('older', { key: 'yard', source: 'b', added: 1 })
    await camera('lost', { key: 'yard', source: 'a', added: 1, removed: 5 })
    await camera('lost', { key: 'yard~1', source: 'b', added: 5, withheld: ['guard'] })
    const registry = await registryStore(store, 'own').read({ now: 100, newKey: () => cameraKey('yard~new') })
    expect(registry?.cameras).toMatchObject([
      { key: 'yard', source: 'a', removedAt: 5 },
      { key: 'yard~1', source: 'b', removedAt: null, withheld: ['guard'] },
      // What the older volume has is another camera's.
      { key: 'yard~new', source: 'b', removedAt: 100 },
    ])
    const rows = await store.db.selectFrom('camera').select('volume').distinct().execute()
    expect(rows).toEqual([{ volume: '' }])
  })

  test('is that of the own volume; what another has of another camera under the same key gets its own key', async () => {
    await camera('own', { key: 'yard', source: 'b', added: 9 })
    await camera('own', { key: 'door', source: 'd', added: 9 })
    await camera('lost', { key: 'yard', source: 'a', added: 1, removed: 5 })
    await camera('lost', { key: 'yard~1', source: 'b', added: 5 })
    await camera('lost', { key: 'door', source: 'd', added: 1 })
    for (const key of ['yard', 'door']) await recorded('own', key)
    for (const key of ['yard', 'yard~1', 'door']) await recorded('lost', key)
    const made = `yard~new${keys + 1}`
    expect(await read()).toEqual([
      ['door', 'd', null],
      ['yard', 'b', null],
      [made, 'a', 5],
      ['yard~1', 'b', 100],
    ])
    expect([await keysOf('own'), await keysOf('lost')]).toEqual([
      ['door', 'yard'],
      ['door', 'yard~1', made],
    ])
    expect(await read()).toHaveLength(4)
  })
})

const configured = {
  cameras: new Map([['yard', { source: 'a', inherit: false }]]),
  roles: new Map([['guard', ['yard']]]),
}

/** The yard's roles without a confirmation, after the own volume's registry and that of a lost disk became one. */
const withheldFrom = async (roles: Readonly<Record<string, readonly string[]>> = {}) => {
  const kept = await registryStore(store, 'own').read({ now: 100, newKey: (name) => cameraKey(`${name}~new`) })
  const next = { ...configured, roles: new Map([...configured.roles, ...Object.entries(roles)]) }
  const facts = { now: 101, isStored: () => false, newKey: (name: string) => cameraKey(`${name}~2`) }
  return liveIn(nextRegistry(kept ?? emptyRegistry, next, facts), 'yard')?.withheld
}

describe('[CAM-4] a lost disk confirms no camera', () => {
  test('that was removed while it was withheld, and is added again', async () => {
    await camera('own', { key: 'door', source: 'd' })
    await camera('lost', { key: 'yard', source: 'a', removed: 5, withheld: ['guard'] })
    expect(await withheldFrom()).toEqual(['guard'])
  })

  test.each([
    ['under the same key', { key: 'yard', source: 'a' }],
    ['under another key', { key: 'yard~1', source: 'a' }],
    ['with another source', { key: 'yard~1', source: 'b' }],
  ])('that is withheld there, %s', async (_what, other) => {
    await camera('own', { key: 'yard', source: 'a', added: 9, withheld: ['porter'] })
    await camera('lost', { ...other, withheld: ['guard', 'porter'] })
    expect(await withheldFrom()).toEqual(['porter', 'guard'])
  })

  // The own volume is read before or after the other.
  test.each(['lost', 'removed'])('that the other volume had, and that this one withheld: %s', async (volume) => {
    await camera('own', { key: 'yard', source: 'a', removed: 9, withheld: ['guard'] })
    await camera(volume, { key: 'yard~1', source: 'a' })
    expect(await withheldFrom()).toEqual(['guard'])
  })

  test.each(['lost', 'removed'])('that the other volume had, and whose name is listed here: %s', async (volume) => {
    await camera(volume, { key: 'yard', source: 'a' })
    await camera('own', { key: 'door', source: 'd' })
    await listing('own', 'yard', 'guard')
    expect(await withheldFrom()).toEqual(['guard'])
  })

  test.each([
    ['has', undefined],
    ['had', 8],
  ])('whose name was listed there, and that only the own volume %s', async (_what, removed) => {
    await camera('own', { key: 'yard', source: 'a', added: 7, ...(removed !== undefined && { removed }) })
    await camera('lost', { key: 'door', source: 'd' })
    await listing('lost', 'yard', 'guard')
    expect(await withheldFrom()).toEqual(['guard'])
  })

  test('whose name roles list there and here, and that is added later', async () => {
    await camera('own', { key: 'door', source: 'd' })
    await listing('own', 'yard', 'porter')
    await camera('lost', { key: 'door', source: 'd' })
    await listing('lost', 'yard', 'guard')
    expect(await withheldFrom({ porter: ['yard'], other: ['yard'] })).toEqual(['guard', 'porter'])
  })

  test.each([
    ['nor here', false],
    ['but one here', true],
  ])('whose name was listed there, without any camera there, %s', async (_what, isHere) => {
    if (isHere) await camera('own', { key: 'door', source: 'd' })
    await listing('lost', 'yard', 'guard')
    expect(await withheldFrom()).toEqual(['guard'])
    expect(await withheldFrom()).toEqual(['guard'])
    const rows = await store.db.selectFrom('camera_listing').selectAll().execute()
    expect(rows).toEqual([{ volume: '', name: 'yard', role: 'guard' }])
  })

  test('whose name was listed there, without any camera, for instances that get a shared configuration', async () => {
    await listing('lost', 'yard', 'guard')
    await store.transaction((within) => followWithin(within, configured, { now: 1, newKey: cameraKey }))
    expect((await registryStore(store, 'own').read({ now: 1, newKey: cameraKey }))?.cameras).toMatchObject([
      { key: 'yard', withheld: ['guard'] },
    ])
  })

  test('no camera that it had granted is withheld', async () => {
    await camera('own', { key: 'yard', source: 'a', added: 9 })
    await camera('lost', { key: 'yard', source: 'a', removed: 5 })
    await listing('lost', 'yard', 'guard')
    expect(await withheldFrom()).toEqual([])
  })
})

test('[CAM-4] an instance that joins withholds what it withheld, and not what its roles list and it didn’t have', async () => {
  const cameras = new Map(['yard', 'door'].map((name) => [name, { source: name, inherit: false }]))
  const shared = { cameras, roles: new Map([['guard', ['yard', 'door']]]) }
  const facts = { now: 1, newKey: (name: string) => cameraKey(`${name}~1`) }
  await store.transaction((within) => followWithin(within, shared, facts))
  await camera('joining', { key: 'door', source: 'door', withheld: ['guard'] })
  await listing('joining', 'yard', 'guard')
  await store.transaction((within) => adoptVolume(within, 'joining', shared, facts))
  const registry = await registryStore(store, 'own').read(facts)
  expect(registry?.cameras.map(({ key, withheld }) => [key, withheld]).sort()).toEqual([
    ['door', ['guard']],
    ['yard', []],
  ])
})

test('[CAM-4] what is stored under a key is that of every volume', async () => {
  const { storedKeys, storedUnder } = registryStore(store, 'own')
  expect([await storedKeys(), (await storedUnder(yard)).recordings]).toEqual([[], null])
  for (const volume of ['own', 'lost']) await recorded(volume, 'yard')
  await recorded('lost', 'door')
  expect((await storedKeys()).toSorted()).toEqual(['door', 'yard'])
  expect(await storedUnder(yard)).toEqual({
    recordings: { bytes: 2, oldest: 0, newest: 0.01 },
    reviewItems: 0,
    exports: 0,
  })
})
