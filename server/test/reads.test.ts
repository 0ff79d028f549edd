import { afterAll, expect, test } from 'vitest'
import type { AuditPage, OwnReads } from '../src/audit/audit.routes.ts'
import type { OwnSummary } from '../src/audit/summary.routes.ts'
import { stopAll } from './support/cleanups.ts'
import { bearer, createToken } from './support/create-token.ts'
import { makeLink, openLink } from './support/make-link.ts'
import { pairScreen } from './support/pair-screen.ts'
import type { Service } from './support/service.ts'
import { signIn } from './support/sign-in.ts'
import { startService } from './support/start-service.ts'
import { statusOf, type TestClient } from './support/test-client.ts'

const password = 'a long password of a test'

const config = {
  tls: { enabled: false },
  audit: { reads: true, reads_days: 30 },
  cameras: { yard: { source: 'demo:yard' }, door: { source: 'demo:door' } },
}

afterAll(stopAll)

const readsOf = async (client: TestClient, query = ''): Promise<OwnReads> => {
  const { status, json } = await client.get(`/api/account/reads${query}`)
  expect(status).toBe(200)
  return json as OwnReads
}

const sumsOf = async (client: TestClient, query = ''): Promise<OwnSummary['rows']> => {
  const { status, json } = await client.get(`/api/account/reads/summary${query}`)
  expect(status).toBe(200)
  return (json as OwnSummary).rows
}

/** Snapshots of a camera, and nothing else. */
const snapshots = (name: string, count: number) => ({
  name,
  watched: 0,
  watched_duration: 0,
  played: 0,
  played_duration: 0,
  downloads: 0,
  snapshots: count,
})

const targetsOf = async (client: TestClient) => (await readsOf(client)).reads.map(({ target }) => target)

const auditOf = async ({ internal }: Service, query: string): Promise<AuditPage['entries']> =>
  ((await internal.get(`/api/audit?action=snapshot&${query}`)).json as AuditPage).entries

/** Loads a camera's latest snapshot, once there is one. */
const see = (client: TestClient, camera: string) =>
  expect.poll(() => statusOf(client, `/api/cameras/${camera}/latest.jpg`)).toBe(200)

async function userOf({ internal, gate }: Service, username: string): Promise<TestClient> {
  expect((await internal.post('/api/users', { username, password, role: 'viewer' })).status).toBe(201)
  return signIn(gate, username, password)
}

/** Entries of reads are written soon after. */
const soon = { timeout: 120_000 }

test('[AUD-6] users see what they watched, and nothing of other users, in pages', async () => {
  const service = await startService({ config })
  const ann = await userOf(service, 'Ann')
  const bob = await userOf(service, 'Bob')
  await see(ann, 'yard')
  await see(bob, 'door')
  await see(ann, 'door')
  await expect.poll(() => targetsOf(ann), soon).toEqual(['door', 'yard'])
  await expect.poll(() => targetsOf(bob), soon).toEqual(['door'])
  expect(await readsOf(ann)).toMatchObject({ recorded: true, kept_days: 30, cursor: null })

  const first = await readsOf(ann, '?limit=1')
  expect(first.reads).toMatchObject([{ action: 'snapshot', target: 'door', user: 'Ann', auth_method: 'password' }])
  const rest = await readsOf(ann, `?limit=1&cursor=${first.cursor}`)
  expect(rest.reads).toMatchObject([{ target: 'yard' }])
  expect(rest.cursor).toBeNull()
  expect((await readsOf(ann, '?camera=yard')).reads).toMatchObject([{ target: 'yard', user: 'Ann' }])
  expect((await readsOf(bob, '?camera=yard')).reads).toEqual([])
  expect((await readsOf(ann, '?camera=nothing')).reads).toEqual([])
  for (const query of ['user=Bob', 'owner=Bob', 'action=login', 'camera=door']) {
    for (const { user } of (await readsOf(ann, `?${query}`)).reads) expect(user).toBe('Ann')
  }
  expect((await service.gate.get('/api/account/reads')).status).toBe(401)

  // A new user with an old name is another person.
  expect((await service.internal.delete('/api/users/Ann')).status).toBe(204)
  const newAnn = await userOf(service, 'ann')
  expect(await targetsOf(newAnn)).toEqual([])
  await see(newAnn, 'yard')
  await expect.poll(() => targetsOf(newAnn), soon).toEqual(['yard'])
  expect((await auditOf(service, 'user=ann')).map(({ target }) => target)).toEqual(['yard', 'door', 'yard'])
  // What the index compares is not shown.
  const [shown = {}] = await auditOf(service, 'user=ann')
  expect(shown).not.toHaveProperty('owner')
  expect(shown).not.toHaveProperty('camera')
})

test('[AUD-6] users see the sums of what they watched, and nothing of others', async () => {
  const service = await startService({ config })
  const ann = await userOf(service, 'Ann')
  const bob = await userOf(service, 'Bob')
  await see(ann, 'yard')
  await see(bob, 'door')
  await see(bob, 'yard')
  await expect.poll(() => sumsOf(ann), soon).toEqual([snapshots('yard', 1)])
  const both = [snapshots('yard', 1), snapshots('door', 1)]
  await expect.poll(async () => (await sumsOf(bob)).length, soon).toBe(2)
  expect(await sumsOf(bob)).toEqual(expect.arrayContaining(both))
  for (const query of ['user=Bob', 'owner=Bob', 'by=user', 'camera=door']) {
    expect(await sumsOf(ann, `?${query}`)).toEqual([snapshots('yard', 1)])
  }
  expect(await sumsOf(ann, `?after=${Math.ceil(Date.now() / 1000) + 60}`)).toEqual([])
  expect(await sumsOf(ann, '?before=1')).toEqual([])
  expect((await ann.get('/api/account/reads/summary?after=x')).status).toBe(400)

  // A new user with an old name is another person.
  expect((await service.internal.delete('/api/users/Ann')).status).toBe(204)
  expect(await sumsOf(await userOf(service, 'ann'))).toEqual([])
})

test('[AUD-6] tokens, screens, links and callers without a session get no sums', async () => {
  const service = await startService({ config })
  const boss = await service.user('boss', 'admin')
  const token = service.gate.with(bearer((await createToken(boss, { actions: ['live'] })).token))
  const link = await openLink(service, await makeLink(boss, { kind: 'live', camera: 'yard' }))
  const { client: screen } = await pairScreen(service, { name: 'Hall', cameras: ['yard'] })
  const statuses = await Promise.all(
    [token, screen, link, service.gate].map((client) => statusOf(client, '/api/account/reads/summary')),
  )
  expect(statuses).toEqual([403, 403, 401, 401])
  // What a token watched is its user's.
  await see(token, 'yard')
  await expect.poll(() => sumsOf(boss), soon).toEqual([snapshots('yard', 1)])
})

test('[AUD-5] [AUD-6] entries name the screen that watched, which sees no reads itself', async () => {
  const service = await startService({ config })
  const hall = await pairScreen(service, { name: 'Hall', cameras: ['yard'] })
  const porch = await pairScreen(service, { name: 'Hall', cameras: ['yard', 'door'] })
  await see(hall.client, 'yard')
  await see(porch.client, 'yard')
  await expect
    .poll(async () => (await auditOf(service, 'camera=yard')).map(({ credential }) => credential), soon)
    .toEqual([
      { id: porch.id, name: 'Hall' },
      { id: hall.id, name: 'Hall' },
    ])
  expect((await hall.client.get('/api/account/reads')).status).toBe(403)

  // Filters by camera.
  await see(porch.client, 'door')
  await expect.poll(async () => (await auditOf(service, 'camera=door')).length, soon).toBe(1)
  expect(await auditOf(service, 'camera=yard')).toHaveLength(2)
  expect(await auditOf(service, 'camera=nothing')).toEqual([])
})

test('[CAM-4] [AUD-6] reads of a removed camera are not those of a new one with its name', async () => {
  const service = await startService({ config })
  const ann = await userOf(service, 'Ann')
  await see(ann, 'yard')
  await expect.poll(async () => (await auditOf(service, 'camera=yard')).length, soon).toBe(1)
  const ifMatch = { 'if-match': '*' }
  const removed = await service.internal.request('DELETE', '/api/cameras/yard', { headers: ifMatch })
  expect(removed.status).toBeLessThan(300)
  const added = await service.internal.post('/api/cameras', { name: 'yard', source: 'demo:office' }, ifMatch)
  expect(added.status).toBeLessThan(300)
  expect(await auditOf(service, 'camera=yard')).toEqual([])
  expect(await targetsOf(ann)).toEqual(['yard'])
  expect(await sumsOf(ann)).toEqual([{ ...snapshots('yard', 1), removed: true }])
})

test('[AUD-6] without `audit.reads`, the list says that nothing is recorded', async () => {
  const service = await startService({ config: { ...config, audit: {} } })
  const ann = await userOf(service, 'Ann')
  expect(await readsOf(ann)).toEqual({ recorded: false, kept_days: 90, reads: [], cursor: null })
})
