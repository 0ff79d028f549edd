import { afterAll, describe, expect, test } from 'vitest'
import { auditStore } from '../src/audit/audit-store.ts'
import type { AuditPage } from '../src/audit/audit.routes.ts'
import { summaryOf } from '../src/audit/summary.ts'
import type { AuditSummary } from '../src/audit/summary.routes.ts'
import type { AuditEntry } from '../src/shared/audit/audit.ts'
import { stopAll } from './support/cleanups.ts'
import { emptied, engines } from './support/engines.ts'
import { changeDatabase } from './support/service-database.ts'
import type { Service } from './support/service.ts'
import { signIn } from './support/sign-in.ts'
import { startService } from './support/start-service.ts'
import { statusOf } from './support/test-client.ts'

const password = 'a long password of a test'
const soon = { timeout: 120_000 }

afterAll(() => stopAll())

const sumsOf = async ({ internal }: Service, query: string): Promise<AuditSummary> => {
  const { status, json } = await internal.get(`/api/audit/summary?${query}`)
  expect(status).toBe(200)
  return json as AuditSummary
}

const none = { watched: 0, watched_duration: 0, played: 0, played_duration: 0, downloads: 0, exports: 0, shares: 0 }

/** A row of watching a camera, by an SQL expression of its key. */
const watch = (key: string) =>
  `insert into audit (at, action, result, target, camera, duration) select 1, 'watch', 'success', 'yard', ${key}, 2500 from camera`

const entry = (more: Partial<AuditEntry>) => ({
  ...({
    action: 'playback',
    result: 'success',
    user: 'Ann',
    auth_method: 'password',
    address: null,
    target: 'yard',
  } as const),
  at: 1_000,
  id: undefined,
  complete: true,
  duration: 1_500,
  ...more,
})

test('[AUD-8] an admin sees the sums by user and by camera, over a time range', async () => {
  const service = await startService({
    config: { tls: { enabled: false }, audit: { reads: true }, cameras: { yard: { source: 'demo:yard' } } },
  })
  expect((await service.internal.post('/api/users', { username: 'Ann', password, role: 'viewer' })).status).toBe(201)
  const ann = await signIn(service.gate, 'Ann', password)
  await expect.poll(() => statusOf(ann, '/api/cameras/yard/latest.jpg')).toBe(200)
  const admin = await service.admin()
  expect((await admin.post('/api/links', { kind: 'live', camera: 'yard' })).status).toBe(201)

  await expect.poll(async () => (await sumsOf(service, 'by=user')).rows.length, soon).toBe(2)
  expect((await sumsOf(service, 'by=user')).rows).toEqual(
    expect.arrayContaining([
      { ...none, name: 'Ann', snapshots: 1 },
      { ...none, name: 'admin', snapshots: 0, shares: 1 },
    ]),
  )
  expect(await sumsOf(service, 'by=camera')).toEqual({
    recorded: true,
    rows: [{ ...none, name: 'yard', snapshots: 1, shares: 1 }],
  })
  // The list has the same entries.
  const listed = (await service.internal.get('/api/audit?camera=yard&action=snapshot,link.create')).json as AuditPage
  expect(listed.entries.map(({ action }) => action).sort()).toEqual(['link.create', 'snapshot'])
  const later = Math.ceil(Date.now() / 1000) + 60
  expect((await sumsOf(service, `by=camera&after=${later}`)).rows).toEqual([])
  expect((await sumsOf(service, 'by=user&before=1')).rows).toEqual([])

  expect((await ann.get('/api/audit/summary?by=user')).status).toBe(403)
  expect((await service.gate.get('/api/audit/summary?by=user')).status).toBe(401)
  for (const query of ['', 'by=address', 'by=user&after=x']) {
    expect((await service.internal.get(`/api/audit/summary?${query}`)).status).toBe(400)
  }
})

test('[AUD-8] [CAM-4] an earlier camera with the same name is another row', async () => {
  const service = await startService({
    config: { tls: { enabled: false }, cameras: { yard: { source: 'demo:yard' } } },
  })
  await changeDatabase(service, (database) => {
    for (const key of ['key', 'key', "'yard~gone'"]) database.exec(watch(key))
  })
  expect((await sumsOf(service, 'by=camera')).rows).toEqual(
    expect.arrayContaining([
      { ...none, name: 'yard', watched: 2, watched_duration: 5, snapshots: 0 },
      { ...none, name: 'yard', removed: true, watched: 1, watched_duration: 2.5, snapshots: 0 },
    ]),
  )
})

describe.each(engines)('sums on $name', ({ create }) => {
  test('[AUD-8] add up successful entries, whatever the case of the name', async () => {
    const database = await create()
    const store = await database.open()
    await emptied(store)
    await auditStore(store).write([
      entry({}),
      entry({ user: 'ann' }),
      entry({ result: 'denied' }),
      entry({ action: 'login' }),
      entry({ user: null, action: 'watch' }),
    ])
    const sums = await summaryOf(store, { by: 'user', after: 1_000, before: 1_001 })
    expect(new Map(sums.map(({ name, of }) => [name, [...of]]))).toEqual(
      new Map([
        ['ann', [['playback', { count: 2, duration: 3_000 }]]],
        [null, [['watch', { count: 1, duration: 1_500 }]]],
      ]),
    )
    expect(await summaryOf(store, { by: 'user', before: 1_000 })).toEqual([])
    await database.remove()
  })
})
