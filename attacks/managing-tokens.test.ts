/** API tokens that an admin gave an action on the service and only some of the cameras: used on the others. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { bearer, createToken } from '../server/test/support/create-token.ts'
import { seedExports } from '../server/test/support/export-seed.ts'
import { makeLink } from '../server/test/support/make-link.ts'
import { pairScreen, startPairing } from '../server/test/support/pair-screen.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { Reply, TestClient } from '../server/test/support/test-client.ts'

const newId = (): string => randomBytes(16).toString('hex')
/** Of a camera in the token, and of one that isn't. */
const exported = { yard: newId(), office: newId() }
const any = { 'if-match': '*' }

let service: InProcessService
let admin: TestClient
/** With every action that has to do with cameras, but only for one of them. */
let limited: TestClient
let screens: { readonly yard: string; readonly office: string }
beforeAll(async () => {
  service = await startService({
    config: {
      tls: { enabled: false },
      camera_groups: { front: ['yard'], back: ['office'], both: ['yard', 'office'] },
      auth: { roles: { guard: { cameras: ['group:front'] }, clerk: { cameras: ['office'] } } },
    },
  })
  admin = await service.user('boss', 'admin')
  const actions = ['live', 'screens.manage', 'cameras.manage', 'exports.manage', 'links.manage']
  limited = service.gate.with(bearer((await createToken(admin, { cameras: ['yard'], actions })).token))
  await seedExports(service, exported)
  const screenOf = async (camera: string) => (await pairScreen(service, { name: camera, cameras: [camera] })).id
  for (const camera of ['yard', 'office']) await makeLink(admin, { kind: 'live', camera })
  screens = { yard: await screenOf('yard'), office: await screenOf('office') }
})
afterAll(stopAll)

type Use = (by: TestClient) => Promise<Reply>

const confirm = async (by: TestClient, screen: object) =>
  by.post('/api/pairings/confirm', { code: (await startPairing(service)).code, name: 'hall', ...screen })

const patch = (by: TestClient, screen: string, body: object) => by.request('PATCH', `/api/screens/${screen}`, { body })

/** What others see of it: a refused request changes nothing. */
const state = async () =>
  Promise.all(
    ['/api/screens', '/api/exports', '/api/camera-groups', '/api/config/raw'].map(
      async (path) => (await admin.get(path)).text,
    ),
  )

describe('[KEY-2] a token that manages, for one camera', () => {
  test.each<[source: string, what: string, use: Use]>([
    ['ASVS 8.2.2', 'pairs a screen with another camera', (by) => confirm(by, { cameras: ['office'] })],
    ['ASVS 8.2.2', 'pairs a screen with its camera and another', (by) => confirm(by, { cameras: ['yard', 'office'] })],
    ['CWE-203', 'pairs a screen with one that does not exist', (by) => confirm(by, { cameras: ['cellar'] })],
    [
      'CWE-269',
      'pairs a screen with audio, which it does not hear',
      (by) => confirm(by, { cameras: ['yard'], audio: true }),
    ],
    ['ASVS 8.2.2', 'adds a camera to a screen', (by) => patch(by, screens.yard, { cameras: ['office'] })],
    ['CWE-269', 'adds audio to a screen', (by) => patch(by, screens.yard, { audio: true })],
    ['CWE-639', 'changes a screen of another camera', (by) => patch(by, screens.office, { name: 'x' })],
    ['CWE-639', 'takes a screen of another camera', (by) => patch(by, screens.office, { cameras: ['yard'] })],
    ['CWE-639', 'removes a screen of another camera', (by) => by.delete(`/api/screens/${screens.office}`)],
    ['CWE-639', 'deletes an export of another camera', (by) => by.delete(`/api/exports/${exported.office}`)],
    ['CWE-203', 'deletes an export that does not exist', (by) => by.delete(`/api/exports/${newId()}`)],
    ['CWE-639', 'changes another camera', (by) => by.put('/api/cameras/office', { enabled: false }, any)],
    ['CWE-639', 'removes another camera', (by) => by.delete('/api/cameras/office', any)],
    ['CWE-203', 'removes a camera that does not exist', (by) => by.delete('/api/cameras/cellar', any)],
    [
      'CWE-639',
      'masks what another camera sees',
      (by) => by.put('/api/cameras/office/motion-settings', { enabled: false, sensitivity: 'low', masks: [] }, any),
    ],
    [
      'CWE-639',
      'shortens the recordings of another camera',
      (by) =>
        by.put(
          '/api/cameras/office/recording-limits',
          { enabled: false, mode: 'all', retain_days: 0, max_gb: null },
          any,
        ),
    ],
    ['CWE-639', 'opens the source of another camera', (by) => by.post('/api/cameras/office/test')],
    ['CWE-639', 'moves another camera', (by) => by.put('/api/cameras/office/instance', { instance: null })],
    [
      'CWE-269',
      'adds a camera to a group',
      (by) => by.put('/api/camera-groups/front', { cameras: ['yard', 'office'] }),
    ],
    ['CWE-639', 'empties a group of other cameras', (by) => by.put('/api/camera-groups/back', { cameras: [] })],
    ['CWE-639', 'deletes a group of other cameras', (by) => by.delete('/api/camera-groups/back')],
  ])('%s: %s: 403', async (_source, _what, use) => {
    const before = await state()
    expect((await use(limited)).status).toBe(403)
    expect(await state()).toEqual(before)
    await service.clock.advance(60_000)
  })

  test.each<[source: string, path: string]>([
    ['CWE-200', '/api/screens'],
    ['CWE-200', '/api/config/cameras'],
    ['CWE-200', '/api/camera-groups'],
    ['CWE-200', '/api/links/all'],
  ])('%s: lists no other camera at %s', async (_source, path) => {
    const { status, text } = await limited.get(path)
    expect([status, text]).toEqual([200, expect.stringContaining('yard')])
    expect(text).not.toContain('office')
    expect((await admin.get(path)).text).toContain('office')
  })

  test.each<[what: string, use: Use, status: number]>([
    ['pairs a screen with its camera', (by) => confirm(by, { cameras: ['yard'] }), 201],
    ['renames a screen of its camera', (by) => patch(by, screens.yard, { name: 'porch' }), 200],
    ['removes a screen of its camera', (by) => by.delete(`/api/screens/${screens.yard}`), 204],
    ['deletes an export of its camera', (by) => by.delete(`/api/exports/${exported.yard}`), 204],
    ['changes its camera', (by) => by.put('/api/cameras/yard', { title: 'Porch' }, any), 200],
    ['sets a group of its camera', (by) => by.put('/api/camera-groups/front', { cameras: ['yard'] }), 200],
  ])('%s', async (_what, use, status) => {
    expect((await use(limited)).status).toBe(status)
  })
})
