import { appendFileSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { profileOf } from './support/role-state.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'

let service: InProcessService
let gill: TestClient
let vera: TestClient
beforeAll(async () => {
  service = await startService({
    config: {
      camera_groups: { entrances: ['yard', 'door'], inside: ['office', 'gone'], empty: [] },
      auth: { roles: { guard: { cameras: ['group:entrances'] }, clerk: ['door'] } },
    },
  })
  gill = await service.user('gill', 'guard')
  vera = await service.user('vera')
})
afterAll(stopAll)

const groupsOf = async (client: TestClient) => (await client.get('/api/camera-groups')).json
const seenBy = async (client: TestClient) => (await profileOf(client)).allowed_cameras

test('[GRANT-1] [ROLE-5] each caller sees the groups with a camera of theirs, and only these cameras', async () => {
  const [entrances, inside] = [
    { name: 'entrances', cameras: ['yard', 'door'] },
    { name: 'inside', cameras: ['office'] },
  ]
  expect(await groupsOf(vera)).toEqual([entrances, inside])
  expect(await groupsOf(gill)).toEqual([entrances])
  expect(await groupsOf(await service.user('carl', 'clerk'))).toEqual([{ name: 'entrances', cameras: ['door'] }])
})

test('[ROLE-1] an admin sees every group as it is configured, also empty ones and cameras that do not exist', async () => {
  const configured = [
    { name: 'entrances', cameras: ['yard', 'door'] },
    { name: 'inside', cameras: ['office', 'gone'] },
    { name: 'empty', cameras: [] },
  ]
  const admin = await service.admin()
  for (const client of [admin, service.internal]) expect(await groupsOf(client)).toEqual(configured)
  for (const made of [
    { name: 'none', cameras: [] },
    { name: 'later', cameras: ['not_yet'] },
  ]) {
    const { status, json } = await admin.put(`/api/camera-groups/${made.name}`, { cameras: made.cameras })
    expect([status, json]).toEqual([201, made])
    expect(await groupsOf(admin)).toContainEqual(made)
    expect(JSON.stringify(await groupsOf(vera))).not.toContain(made.name)
    expect((await admin.delete(`/api/camera-groups/${made.name}`)).status).toBe(204)
  }
})

test('[ROLE-2] only admins change groups', async () => {
  for (const client of [gill, vera]) {
    expect((await client.put('/api/camera-groups/inside', { cameras: [] })).status).toBe(403)
    expect((await client.delete('/api/camera-groups/inside')).status).toBe(403)
  }
})

test('[GRANT-1] a changed group changes what its roles grant at once; comments stay, and it is audited', async () => {
  expect(await seenBy(gill)).toEqual(['yard', 'door'])
  const changed = await service.internal.put('/api/camera-groups/entrances', { cameras: ['door', 'office'] })
  expect([changed.status, changed.json]).toEqual([200, { name: 'entrances', cameras: ['door', 'office'] }])
  expect(await seenBy(gill)).toEqual(['door', 'office'])
  const made = await service.internal.put('/api/camera-groups/all_of_it', { cameras: ['yard', 'door', 'office'] })
  expect(made.status).toBe(201)
  expect(readFileSync(service.configFile, 'utf8')).toMatch(/all_of_it: ?\[ ?yard, door, office ?\]/)
  const { entries } = (await service.internal.get('/api/audit?action=camera-group.set')).json as {
    entries: { target: string; detail: string }[]
  }
  expect(entries.slice(0, 2).map(({ target, detail }) => [target, detail])).toEqual([
    ['all_of_it', 'yard, door, office'],
    ['entrances', 'door, office'],
  ])
})

test('a group that a role grants cannot be deleted; another can, once', async () => {
  const refused = await service.internal.delete('/api/camera-groups/entrances')
  expect([refused.status, refused.json]).toMatchObject([
    409,
    { reason: { code: 'camera-group-in-use', values: { roles: ['guard'] } } },
  ])
  expect((await service.internal.delete('/api/camera-groups/inside')).status).toBe(204)
  expect((await service.internal.delete('/api/camera-groups/inside')).status).toBe(404)
  expect(await seenBy(gill)).not.toEqual([])
})

test.each([
  ['a b', { cameras: [] }],
  ['x'.repeat(65), { cameras: [] }],
  ['new', { cameras: ['group:entrances'] }],
  ['new', { cameras: 'yard' }],
  ['new', {}],
])('%s %j is 400', async (name, body) => {
  expect((await service.internal.put(`/api/camera-groups/${encodeURIComponent(name)}`, body)).status).toBe(400)
})

test('[CONF-4] a camera that gets another name keeps its groups, and a removed one leaves them', async () => {
  const { etag } = (await service.internal.get('/api/config/cameras')).headers
  const renamed = await service.internal.put('/api/cameras/yard', { name: 'garden' }, { 'if-match': String(etag) })
  expect(renamed.status).toBe(200)
  expect(await groupsOf(service.internal)).toContainEqual({ name: 'all_of_it', cameras: ['garden', 'door', 'office'] })
  const removed = await service.internal.delete('/api/cameras/garden', { 'if-match': String(renamed.headers.etag) })
  expect(removed.status).toBeLessThan(300)
  expect(await groupsOf(service.internal)).toContainEqual({ name: 'all_of_it', cameras: ['door', 'office'] })
})

test('[AUD-2] a change of a role or a group that fails is in the audit log, with the reason', async () => {
  const failed = async (action: string) => {
    const { entries } = (await service.internal.get(`/api/audit?action=${action}&result=failure`)).json as {
      entries: { target: string; detail: string }[]
    }
    return entries.map(({ target, detail }) => [target, detail])
  }
  const only = { 'if-none-match': '*' }
  expect((await service.internal.put('/api/roles/guard', { cameras: ['door'] }, only)).status).toBe(412)
  await expect.poll(() => failed('role.set')).toEqual([['guard', 'precondition-failed']])
  appendFileSync(service.configFile, 'no: [valid\n')
  expect((await service.internal.put('/api/camera-groups/new', { cameras: ['door'] })).status).toBe(409)
  expect((await service.internal.delete('/api/camera-groups/all_of_it')).status).toBe(409)
  await expect.poll(() => failed('camera-group.set')).toEqual([['new', 'conflict']])
  await expect.poll(() => failed('camera-group.delete')).toEqual([['all_of_it', 'conflict']])
})
