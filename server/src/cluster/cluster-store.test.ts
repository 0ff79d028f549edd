import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptied, postgresEngines, type TestDatabase } from '../../test/support/engines.ts'
import { recordingStore } from '../recordings/index/recording-store.sql.ts'
import type { NewSegment } from '../recordings/index/recording-store.ts'
import { reviewStore } from '../review/review-store.sql.ts'
import type { ReviewItem } from '../review/review-store.ts'
import type { AuditEntry } from '../shared/audit/audit.ts'
import type { Store } from '../store/store.ts'
import { clusterStore, isClusterNews, type ClusterStore, type HeldLease } from './cluster-store.sql.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'

const [yard, door] = [cameraKey('yard'), cameraKey('door')]

const entry: AuditEntry = {
  action: 'camera.move',
  result: 'success',
  user: 'ann',
  auth_method: 'password',
  address: '192.0.2.1',
  target: 'yard',
}

const instanceNamed = (id: string, run = `run of ${id}`) => ({
  id,
  run,
  name: `the ${id}`,
  address: `https://${id}:7443`,
  jobs: ['recorder' as const],
  labels: ['house'],
  capacity: 4,
  version: '1.2.3',
  volume: `volume of ${id}`,
  load: {
    cpu_percent: 3,
    memory_bytes: 5,
    disk_free_bytes: null,
    disk_total_bytes: 9,
    disk_id: 'a disk',
    recordings_bytes: 4,
    objects_bytes: 0,
    clock_ahead_seconds: -12,
    protocol: 1,
    config_outdated: false,
  },
})

const segment = (start: number, epoch: number | undefined): NewSegment => ({
  camera: yard,
  start,
  end: start + 10_000,
  bytes: 1,
  initBytes: 1,
  motion: 0,
  streamId: start,
  file: `${start}-${epoch}.mp4`,
  ...(epoch !== undefined && { epoch }),
})

describe.each(postgresEngines)('on $name', ({ create }) => {
  let database: TestDatabase
  let store: Store
  let cluster: ClusterStore
  beforeAll(async () => {
    database = await create()
    store = await database.open()
    cluster = clusterStore(store)
  }, 60_000)
  afterAll(() => database.remove())

  const heartbeat = (id: string, held: readonly HeldLease[] = []) =>
    cluster.heartbeat(instanceNamed(id), undefined, held)
  /** Lets the leases of an instance expire. */
  const expire = (id: string) =>
    store.db.updateTable('camera_lease').set({ valid_until: 1 }).where('instance', '=', id).execute()

  test('[NODE-2] a heartbeat reports the instance, and reads all instances and leases', async () => {
    await emptied(store)
    await heartbeat('a')
    await cluster.take('a', [yard])
    const { view, loads } = await heartbeat('b')
    const { load, run: _run, ...reported } = instanceNamed('a')
    expect(view.instances).toMatchObject([
      { ...reported, state: 'running', drainedAt: null },
      { id: 'b', state: 'running', startedAt: view.now, seenAt: view.now },
    ])
    expect(loads.get('a')).toEqual(load)
    expect(view.leases.get(yard)).toMatchObject({ instance: 'a', epoch: 1, requested: null })
    expect(view.leases.get(yard)!.validUntil - view.now).toBeGreaterThan(3000)
  })

  test('[NODE-2] a valid lease is taken by no other instance; an expired one is, with the next epoch', async () => {
    await emptied(store)
    expect(await cluster.take('a', [door, yard])).toEqual(
      new Map([
        [door, 1],
        [yard, 1],
      ]),
    )
    expect(await cluster.take('b', [door, yard])).toEqual(new Map())
    await expire('a')
    // No one took it: it is still the instance's own.
    expect((await heartbeat('a', [[yard, 1]])).renewed).toEqual([yard])
    expect(await cluster.take('b', [door, yard])).toEqual(new Map([[door, 2]]))
    const { renewed, view } = await heartbeat('a', [
      [door, 1],
      [yard, 1],
    ])
    expect(renewed).toEqual([yard])
    expect(view.leases.get(door)).toMatchObject({ instance: 'b', epoch: 2 })
    // After a restart it doesn't know the epoch: it is another owner.
    expect(await cluster.take('a', [yard])).toEqual(new Map([[yard, 2]]))
    expect((await heartbeat('a', [[yard, 1]])).renewed).toEqual([])
  })

  test('[NODE-2] a lease that no one renews is taken before its end only as long as it is the same', async () => {
    await emptied(store)
    await cluster.take('a', [door, yard])
    const seen = [...(await heartbeat('b')).view.leases.values()]
    const others = seen.map(({ validUntil, ...lease }) => ({ ...lease, validUntil: validUntil - 1 }))
    expect(await cluster.take('b', [door, yard], others)).toEqual(new Map())
    const later = seen.map(({ epoch, ...lease }) => ({ ...lease, epoch: epoch + 1 }))
    expect(await cluster.take('b', [door, yard], later)).toEqual(new Map())
    expect(await cluster.take('b', [yard], seen)).toEqual(new Map([[yard, 2]]))
    expect(await cluster.take('a', [yard], seen)).toEqual(new Map())
  })

  test('[NODE-2] what is handed over, also by a stop, is free at once', async () => {
    await emptied(store)
    await heartbeat('a')
    await cluster.take('a', [door, yard])
    await cluster.release('a', [
      [door, 1],
      [yard, 9],
    ])
    expect(await cluster.take('b', [door, yard])).toEqual(new Map([[door, 2]]))
    await cluster.stop(instanceNamed('a'))
    expect(await cluster.take('b', [yard])).toEqual(new Map([[yard, 2]]))
    expect((await heartbeat('b')).view.instances).toMatchObject([{ id: 'a', state: 'away' }, { id: 'b' }])
    expect((await heartbeat('a')).view.instances).toMatchObject([{ id: 'a', state: 'running' }, { id: 'b' }])
  })

  test('[NODE-2] of two runs with one id, only the one that reports first has cameras, until it has ended', async () => {
    await emptied(store)
    const beat = (run: string, first?: { replaces: string | null }) =>
      cluster.heartbeat(instanceNamed('a', run), first, [[yard, 1]])
    expect(await beat('original', { replaces: null })).toMatchObject({ isReplaced: false })
    await cluster.take('a', [yard])
    for (const first of [{ replaces: null }, { replaces: 'an earlier one' }, undefined]) {
      const { isReplaced, renewed, view } = await beat('clone', first)
      expect([isReplaced, renewed, view.instances]).toEqual([true, [], []])
    }
    expect((await beat('original')).renewed).toEqual([yard])
    await cluster.stop(instanceNamed('a', 'clone'))
    expect((await heartbeat('b')).view.leases.get(yard)).toMatchObject({ instance: 'a' })
    // A run that found that it has ended replaces it.
    const { isReplaced, view } = await beat('restarted', { replaces: 'original' })
    expect([isReplaced, view.instances.find(({ id }) => id === 'a')?.startedAt]).toEqual([false, view.now])
    expect(await beat('original')).toMatchObject({ isReplaced: true, renewed: [] })
    await cluster.stop(instanceNamed('a', 'restarted'))
    expect(await beat('original')).toMatchObject({ isReplaced: false })
    await store.db.updateTable('instance').set({ seen_at: 1 }).where('id', '=', 'a').execute()
    expect(await beat('after a restore')).toMatchObject({ isReplaced: false })
  })

  test('[NODE-2] the runs of an instance and of its volume are found, those of others are not', async () => {
    await emptied(store)
    await heartbeat('a')
    await heartbeat('b')
    await heartbeat('c')
    await cluster.stop(instanceNamed('b'))
    const runs = await cluster.runsOf('a', 'volume of b')
    expect(runs.toSorted((one, other) => (one.id < other.id ? -1 : 1))).toMatchObject([
      { id: 'a', name: 'the a', run: 'run of a', isStopped: false },
      { id: 'b', name: 'the b', run: 'run of b', isStopped: true },
    ])
    expect(runs[0]!.now - runs[0]!.seenAt).toBeLessThan(60_000)
  })

  test('[AUD-7] an instance that was unavailable for 30 days is forgotten, its audit outputs once none of its entries waits', async () => {
    await emptied(store)
    const { view } = await heartbeat('here')
    for (const [id, daysAway] of [
      ['away', 29],
      ['gone', 31],
      ['waiting', 31],
    ] as const) {
      await heartbeat(id)
      await store.db
        .updateTable('instance')
        .set({ seen_at: view.now - daysAway * 86_400_000 })
        .where('id', '=', id)
        .execute()
    }
    for (const instance of ['here', 'away', 'gone', 'waiting', 'unknown'])
      await store.db.insertInto('audit_output').values({ instance, name: 'archive', position: 5, missed: 0 }).execute()
    const written = { at: 1, action: 'live', result: 'success' }
    await store.db
      .insertInto('audit')
      .values([
        { ...written, instance: 'gone', sequence: 5 },
        { ...written, instance: 'waiting', sequence: 6 },
      ])
      .execute()
    const left = async (table: 'instance' | 'audit_output', column: 'id' | 'instance') =>
      (
        await store.db
          .selectFrom(table)
          .select(sql<string>`${sql.ref(column)}`.as('of'))
          .execute()
      )
        .map(({ of }) => of)
        .sort()

    await cluster.forget()
    expect(await left('instance', 'id')).toEqual(['away', 'here'])
    expect(await left('audit_output', 'instance')).toEqual(['away', 'here', 'waiting'])
    await store.db.deleteFrom('audit').execute()
    await cluster.forget()
    expect(await left('audit_output', 'instance')).toEqual(['away', 'here'])
  })

  test('[NODE-2] a move and draining are stored with their entries and announced', async () => {
    await emptied(store)
    const news: unknown[] = []
    const other = await database.open()
    other.changes.subscribe((change) => news.push(change === 'resync' ? change : isClusterNews(change.message)))
    await heartbeat('a')
    await cluster.request(yard, 'a', entry)
    expect(await cluster.drain('a', true, { ...entry, action: 'instance.drain' })).toBe(true)
    expect(await cluster.drain('x', true, entry)).toBe(false)
    const { view } = await heartbeat('a')
    expect(view.leases.get(yard)).toMatchObject({ instance: null, epoch: 0, requested: 'a' })
    expect(view.instances).toMatchObject([{ id: 'a', state: 'drained' }])
    await cluster.take('a', [yard])
    expect((await heartbeat('a', [[yard, 1]])).view.instances).toMatchObject([{ state: 'draining' }])
    await cluster.drain('a', false, entry)
    expect((await heartbeat('a')).view.instances).toMatchObject([{ state: 'running', drainedAt: null }])
    const entries = await store.db.selectFrom('audit').select('action').orderBy('id').execute()
    expect(entries.map(({ action }) => action)).toEqual(['camera.move', 'instance.drain', 'camera.move'])
    await expect.poll(() => news).toEqual(news.map(() => true))
    await expect.poll(() => news.length).toBeGreaterThan(3)
  })

  test('[NODE-2] the index takes no segment of an earlier owner, but for older ones that overlap no later owner', async () => {
    await emptied(store)
    const outdated: NewSegment[] = []
    const volume = (id: string) => recordingStore(store, id, (found) => outdated.push(...found))
    const [ours, theirs] = [volume('ours'), volume('theirs')]
    const now = Date.now()
    const past = now - 600_000
    await cluster.take('a', [yard])
    await ours.add([segment(now, 1), segment(past, 1)])
    expect(outdated).toEqual([])
    await expire('a')
    await cluster.take('b', [yard])
    await theirs.add([segment(now + 10_000, 2), segment(past + 20_000, 2)])
    expect(outdated).toEqual([])
    const late = [
      segment(now + 1, 1),
      segment(now + 2, undefined),
      segment(past + 15_000, 1),
      segment(past + 29_000, undefined),
    ]
    await ours.add([...late, segment(past + 10_000, 1), segment(past + 40_000, undefined)])
    expect(outdated).toEqual(late)
    const rows = await store.db.selectFrom('recording').select(['start', 'epoch']).orderBy('start').execute()
    expect(rows.map(({ start, epoch }) => [start, epoch])).toEqual([
      [past, 1],
      [past + 10_000, 1],
      [past + 20_000, 2],
      [past + 40_000, 0],
      [now, 1],
      [now + 10_000, 2],
    ])
  })

  test('[NODE-2] segments with the same start get the next free one, and those that are known stay as they are', async () => {
    await emptied(store)
    const outdated: NewSegment[] = []
    const ours = recordingStore(store, 'ours', (found) => outdated.push(...found))
    const now = Date.now()
    await cluster.take('a', [yard])
    const same = (file: string): NewSegment => ({ ...segment(now, 1), file })
    await ours.add([segment(now, 1), segment(now + 1, 1)])
    await ours.add([{ ...segment(now, 1), motion: 99 }, same('1'), same('2'), segment(now + 50_000, 1)])
    expect(outdated).toEqual([])
    const rows = await store.db.selectFrom('recording').select(['start', 'motion']).orderBy('start').execute()
    expect(rows.map(({ start, motion }) => [start - now, motion])).toEqual(
      [0, 1, 2, 3, 50_000].map((start) => [start, segment(now, 1).motion]),
    )
  })

  test('[NODE-2] an item of an earlier owner is only closed', async () => {
    await emptied(store)
    const items = reviewStore(store, 'ours')
    const item: ReviewItem = {
      id: '1',
      camera: yard,
      severity: 'detection',
      start: 1000,
      end: 2000,
      open: true,
      motion: 1,
      box: null,
      thumbnailAt: null,
      epoch: 1,
    }
    await cluster.take('a', [yard])
    expect(await items.save(item)).toBe(true)
    await expire('a')
    await cluster.take('b', [yard])
    expect(await items.save({ ...item, end: 9000 })).toBe(false)
    expect(await items.save({ ...item, id: '2' })).toBe(false)
    const rows = await store.db.selectFrom('review_item').select(['id', 'end', 'open', 'epoch']).execute()
    expect(rows).toEqual([{ id: '1', end: 2000, open: 0, epoch: 1 }])
  })
})
