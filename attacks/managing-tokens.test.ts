/** API tokens that an admin gave an action on the service and only some of the cameras: used on the others. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { bearer, createToken } from '../server/test/support/create-token.ts'
import { seedExports } from '../server/test/support/export-seed.ts'
import { makeLink } from '../server/test/support/make-link.ts'
import { pairScreen, startPairing } from '../server/test/support/pair-screen.ts'
import { quietCameras } from '../server/test/support/quiet-cameras.ts'
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
/** The same without live video, and for two cameras without audio. */
let blind: TestClient
let deaf: TestClient
/** Of all cameras, but without any action on them. */
let manager: TestClient
let screens: Record<'yard' | 'office' | 'shed' | 'loud', string>
beforeAll(async () => {
  service = await startService({
    config: {
      tls: { enabled: false },
      cameras: { ...quietCameras, shed: { source: 'demo:office' } },
      camera_groups: { front: ['yard'], back: ['office'], both: ['yard', 'office'], none: [] },
      auth: { roles: { guard: { cameras: ['group:front'] }, clerk: { cameras: ['office'] } } },
    },
  })
  admin = await service.user('boss', 'admin')
  const tokenOf = async (limits: object) => service.gate.with(bearer((await createToken(admin, limits)).token))
  const actions = ['live', 'screens.manage', 'cameras.manage', 'exports.manage', 'links.manage']
  limited = await tokenOf({ cameras: ['yard'], actions })
  blind = await tokenOf({ cameras: ['yard'], actions: ['screens.manage'] })
  deaf = await tokenOf({ cameras: ['yard', 'office'], actions: ['live', 'screens.manage'] })
  manager = await tokenOf({ actions: ['screens.manage'] })
  await seedExports(service, exported)
  for (const camera of ['yard', 'office']) await makeLink(admin, { kind: 'live', camera })
  const screenOf = async (camera: string, audio = false) =>
    (await pairScreen(service, { name: camera, cameras: [camera], audio })).id
  screens = {
    yard: await screenOf('yard'),
    office: await screenOf('office'),
    shed: await screenOf('shed'),
    loud: await screenOf('yard', true),
  }
  expect((await admin.delete('/api/cameras/shed', any)).status).toBe(204)
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
    ['CWE-639', 'fills a group without cameras', (by) => by.put('/api/camera-groups/none', { cameras: ['yard'] })],
    ['CWE-639', 'changes a group without cameras', (by) => by.put('/api/camera-groups/none', { cameras: [] })],
    ['CWE-639', 'takes a screen of a removed camera', (by) => patch(by, screens.shed, { cameras: ['yard'] })],
    ['CWE-639', 'deletes a group without cameras', (by) => by.delete('/api/camera-groups/none')],
    ['CWE-639', 'renames a screen of a removed camera', (by) => patch(by, screens.shed, { name: 'x' })],
    ['CWE-639', 'removes a screen of a removed camera', (by) => by.delete(`/api/screens/${screens.shed}`)],
    [
      'CWE-639',
      'takes over what a removed camera left',
      (by) => by.put('/api/cameras/yard', { name: 'shed', inherit: true }, any),
    ],
    ['CWE-639', 'takes the name of a removed camera', (by) => by.put('/api/cameras/yard', { name: 'shed' }, any)],
    [
      'CWE-639',
      'gives its camera the source of another',
      (by) => by.put('/api/cameras/yard', { source: 'demo:office' }, any),
    ],
    [
      'CWE-639',
      'inherits under the same name',
      (by) => by.put('/api/cameras/yard', { title: 'x', inherit: true }, any),
    ],
    ['CWE-269', 'adds a camera', (by) => by.post('/api/cameras', { name: 'lane', source: 'demo:office' }, any)],
    ['CWE-639', 'opens any source', (by) => by.post('/api/cameras/test', { source: 'demo:office' })],
    ['CWE-639', 'reads what a removed camera left', (by) => by.get('/api/removed-cameras/shed')],
    ['CWE-639', 'deletes recordings of a removed camera', (by) => by.delete('/api/recordings/storage/shed~1')],
    [
      'CWE-639',
      'limits the recordings of all cameras',
      (by) => by.put('/api/recordings/limits', { enabled: false, retain_days: 1, max_gb: 1 }, any),
    ],
    ['CWE-639', 'drains an instance', (by) => by.post('/api/instances/any/drain')],
    ['CWE-639', 'ends the draining of an instance', (by) => by.delete('/api/instances/any/drain')],
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
    expect(text).not.toMatch(/office|shed/)
    expect((await admin.get(path)).text).toContain('office')
  })

  test.each<[what: string, by: () => TestClient, use: Use]>([
    ['pairs a screen with what it does not see', () => blind, (by) => confirm(by, { cameras: ['yard'] })],
    ['sets what a screen shows', () => blind, (by) => patch(by, screens.yard, { cameras: ['yard'] })],
    ['lets a screen play what it does not hear', () => deaf, (by) => patch(by, screens.yard, { audio: true })],
    ['moves a screen that plays audio', () => deaf, (by) => patch(by, screens.loud, { cameras: ['office'] })],
    ['sets what a screen shows, of all', () => manager, (by) => patch(by, screens.yard, { cameras: ['yard'] })],
  ])('CWE-269: without the action on the camera: %s: 403', async (_what, by, use) => {
    const before = await state()
    expect((await use(by())).status).toBe(403)
    expect(await state()).toEqual(before)
    await service.clock.advance(60_000)
  })

  test.each<[what: string, by: () => TestClient, use: Use]>([
    ['renames a screen', () => blind, (by) => patch(by, screens.yard, { name: 'gate' })],
    ['arranges a screen', () => manager, (by) => patch(by, screens.loud, { layout: { columns: 2 } })],
    ['silences a screen', () => deaf, (by) => patch(by, screens.loud, { audio: false })],
    ['renames a screen of a removed camera', () => manager, (by) => patch(by, screens.shed, { name: 'old' })],
  ])('without the action on the camera: %s', async (_what, by, use) => {
    expect((await use(by())).status).toBe(200)
  })

  test.each<[what: string, use: Use, status: number]>([
    ['pairs a screen with its camera', (by) => confirm(by, { cameras: ['yard'] }), 201],
    ['renames a screen of its camera', (by) => patch(by, screens.yard, { name: 'porch' }), 200],
    ['removes a screen of its camera', (by) => by.delete(`/api/screens/${screens.yard}`), 204],
    ['deletes an export of its camera', (by) => by.delete(`/api/exports/${exported.yard}`), 204],
    ['changes its camera', (by) => by.put('/api/cameras/yard', { title: 'Porch', enabled: true }, any), 200],
    ['names its camera as before', (by) => by.put('/api/cameras/yard', { name: 'yard', title: 'Yard' }, any), 200],
    ['sets a group of its camera', (by) => by.put('/api/camera-groups/front', { cameras: ['yard'] }), 200],
  ])('%s', async (_what, use, status) => {
    expect((await use(limited)).status).toBe(status)
  })
})
