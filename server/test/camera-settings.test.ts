import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { ServiceAction } from '../src/access/action.ts'
import { internalAdmin } from '../src/access/identity.ts'
import { fakeRoles } from './support/fake-roles.ts'
import type { Authentication } from '../src/http/authentication.ts'
import { cameraSettingsRoutes } from '../src/cameras/settings/camera-settings.routes.ts'
import { bareServer } from './support/bare-server.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'
import { unaudited } from './support/unaudited.ts'

const file = (gatehouse: Pick<InProcessService, 'gatePort' | 'internalPort'>) => `# My house
networking:
  gate: { host: 127.0.0.1, port: ${gatehouse.gatePort} }
  internal: { host: 127.0.0.1, port: ${gatehouse.internalPort} }
auth:
  roles:
    guard: [yard, lane] # by day
    neighbor: [lane]
cameras:
  # faces the street
  yard: { source: "demo:yard", enabled: false }
  # the new one
  lane:
    source: rtsp://cam:hunter2@127.0.0.1:9/hunter2-path?k=hunter2-query # upstairs
    enabled: false
`

interface Settings {
  readonly cameras: readonly { readonly name: string; readonly source: string; readonly source_masked: boolean }[]
  readonly demo: boolean
  readonly editable: boolean
}

async function start(): Promise<{ service: InProcessService; admin: TestClient; onDisk: () => string }> {
  const service = await startService()
  await service.internal.put('/api/config/raw', file(service), { 'content-type': 'text/yaml', 'if-match': '*' })
  return { service, admin: await service.admin(), onDisk: () => readFileSync(service.configFile, 'utf8') }
}

const read = async (client: TestClient) => {
  const { status, json, headers } = await client.get('/api/config/cameras')
  expect(status).toBe(200)
  return { settings: json as Settings, etag: headers.etag ?? '' }
}

const shed = { name: 'shed', source: 'demo:office', title: 'Shed', enabled: false }

describe('cameras in the configuration', () => {
  test('[CONF-4] are added, changed and removed by version; comments stay, and the previous version is kept', async () => {
    const { service, admin, onDisk } = await start()
    const before = onDisk()
    const { etag } = await read(admin)

    expect((await admin.post('/api/cameras', shed)).status).toBe(428)
    expect((await admin.post('/api/cameras', shed, { 'if-match': '"other"' })).status).toBe(412)
    expect((await admin.delete('/api/cameras/yard')).status).toBe(428)
    expect(onDisk()).toBe(before)

    const added = await admin.post('/api/cameras', shed, { 'if-match': etag })
    expect([added.status, added.json]).toMatchObject([201, { ...shed, motion: { masks: [] }, record: { mode: 'all' } }])
    expect(onDisk()).toBe(`${before}  shed:\n    source: demo:office\n    title: Shed\n    enabled: false\n`)
    expect((await admin.get('/api/cameras/shed')).json).toMatchObject({ title: 'Shed', state: 'disabled' })
    expect((await admin.get('/api/config/raw')).headers.etag).toBe(added.headers.etag)

    expect((await admin.put('/api/cameras/shed', { title: 'Old' }, { 'if-match': etag })).status).toBe(412)
    const change = { title: null, name: 'barn' }
    const changed = await admin.put('/api/cameras/shed', change, { 'if-match': added.headers.etag ?? '' })
    expect([changed.status, changed.json]).toMatchObject([200, { name: 'barn', title: null, source: 'demo:office' }])

    const removed = await admin.delete('/api/cameras/barn', { 'if-match': changed.headers.etag ?? '' })
    expect([removed.status, removed.text]).toEqual([204, ''])
    expect(onDisk()).toBe(before)
    expect(readFileSync(`${service.configFile}.previous`, 'utf8')).toContain('barn:')
  })

  test('[CONF-4] a title in config.yml that no one could type is shown in one line, also where it is edited', async () => {
    const { service, admin, onDisk } = await start()
    const text = onDisk()
      .replace('"demo:yard",', '"demo:yard", title: "Side\\nyard \\u202e",')
      .replace('# upstairs', '\n    title: "\\u200b"')
    const saved = await admin.put('/api/config/raw', text, { 'content-type': 'text/yaml', 'if-match': '*' })
    expect(saved.status).toBe(200)
    expect((await service.internal.get('/api/cameras/yard')).json).toMatchObject({ title: 'Side yard' })
    expect((await service.internal.get('/api/cameras/lane')).json).toMatchObject({ title: 'lane' })
    const { cameras } = (await read(admin)).settings
    expect(cameras).toMatchObject([{ title: 'Side yard' }, { title: null }])
    const [{ title }] = cameras as unknown as [{ readonly title: string }]
    expect((await admin.put('/api/cameras/yard', { title }, { 'if-match': '*' })).status).toBe(200)
    expect(onDisk()).toMatch(/title: "?Side yard"?/)
  })

  test('[CONF-4] of two concurrent changes by admins, one is saved and the other gets a conflict', async () => {
    const { admin } = await start()
    const { etag } = await read(admin)
    const both = await Promise.all(
      ['shed', 'barn'].map((name) => admin.post('/api/cameras', { ...shed, name }, { 'if-match': etag })),
    )
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 412]))
    const refused = both.find(({ status }) => status === 412)
    expect(refused?.json).toMatchObject({ code: 'precondition-failed', reason: { code: 'config-changed' } })
  })

  test('[CONF-2] a change to an invalid configuration is rejected with its problems, and nothing is written', async () => {
    const { admin, onDisk } = await start()
    const before = onDisk()
    const headers = { 'if-match': '*' }
    const taken = await admin.post('/api/cameras', { ...shed, name: 'yard' }, headers)
    expect([taken.status, taken.json]).toMatchObject([409, { reason: { code: 'camera-name-taken' } }])
    expect((await admin.put('/api/cameras/lane', { name: 'yard' }, headers)).status).toBe(409)
    for (const [body, field] of [
      [{ ...shed, name: 'a/b' }, 'name'],
      [{ ...shed, source: 'exec:/bin/sh' }, 'cameras.shed.source'],
      [{ ...shed, source: 'rtsp://u:{SERVICE_NOWHERE}@127.0.0.1/s' }, 'cameras.shed.source'],
      [{ ...shed, source: '' }, 'source'],
      [{ ...shed, color: 'red' }, 'color'],
      [{ name: 'shed' }, 'source'],
    ] as const) {
      const { status, json } = await admin.post('/api/cameras', body, headers)
      expect([status, json]).toMatchObject([400, { code: 'invalid-request', problems: [{ field }] }])
    }
    for (const [title, code] of [
      ['Side\nyard', 'control-character'],
      ['Yard\u2028door', 'control-character'],
      ['Yard \u202e', 'control-character'],
      ['Yard\u200fdoor', 'control-character'],
      ['\u200b', 'missing'],
    ] as const) {
      for (const refused of [
        await admin.post('/api/cameras', { ...shed, title }, headers),
        await admin.put('/api/cameras/yard', { title }, headers),
      ])
        expect([refused.status, refused.json]).toMatchObject([400, { problems: [{ field: 'title', code }] }])
    }
    expect((await admin.put('/api/cameras/nowhere', { title: 'x' }, headers)).status).toBe(404)
    expect((await admin.delete('/api/cameras/nowhere', headers)).status).toBe(404)
    const mask = { enabled: true, sensitivity: 'low', masks: [[[0, 0]]] }
    const bad = await admin.put('/api/cameras/yard/motion-settings', mask, headers)
    expect([bad.status, bad.json]).toMatchObject([400, { problems: [{ field: 'cameras.yard.motion.masks[0]' }] }])
    expect(onDisk()).toBe(before)
  })

  test('[CONF-3] a source is always returned masked, and a masked source in a request keeps the stored one', async () => {
    const { admin, service, onDisk } = await start()
    const before = onDisk()
    const { settings } = await read(admin)
    const lane = settings.cameras.find(({ name }) => name === 'lane')
    expect(lane).toMatchObject({ source: 'rtsp://***@127.0.0.1:9/***', source_masked: true })
    expect(settings.cameras[0]).toMatchObject({ source: 'demo:yard', source_masked: false })

    const headers = { 'if-match': '*' }
    const kept = await admin.put('/api/cameras/lane', { source: lane?.source, enabled: false }, headers)
    expect([kept.status, onDisk()]).toEqual([200, before])
    for (const source of ['rtsp://***@127.0.0.1:10/***', 'rtsp://cam:***@127.0.0.1:9/live']) {
      const { status, json } = await admin.put('/api/cameras/lane', { source }, headers)
      expect([status, json]).toMatchObject([400, { problems: [{ field: 'source', code: 'masked-source' }] }])
    }
    expect((await admin.post('/api/cameras', { ...shed, source: lane?.source }, headers)).status).toBe(400)
    expect(onDisk()).toBe(before)
    const tested = await admin.post('/api/cameras/lane/test')
    expect([tested.status, tested.json]).toMatchObject([200, { ok: false, reason: { code: 'connection-refused' } }])
    const responses = [kept, tested, await admin.get('/api/config/cameras'), await admin.get('/api/audit')]
    for (const { text } of responses) expect(text).not.toContain('hunter2')
    expect(service.output()).not.toContain('hunter2')
  })

  test('[CONF-4] motion settings and limits are changed the same way', async () => {
    const { admin, onDisk } = await start()
    const headers = { 'if-match': '*' }
    const corner = [0, 0]
    const masks = [[corner, [0.3, 0], [0.3, 0.1]]]
    const motion = { enabled: true, sensitivity: 'high', masks }
    expect((await admin.put('/api/cameras/lane/motion-settings', motion)).status).toBe(428)
    const moved = await admin.put('/api/cameras/lane/motion-settings', motion, headers)
    expect([moved.status, moved.json]).toMatchObject([200, { name: 'lane', motion }])
    expect(onDisk()).toContain(
      '    motion:\n      sensitivity: high\n      masks:\n        - [[0, 0], [0.3, 0], [0.3, 0.1]]\n',
    )

    const record = { enabled: true, mode: 'motion', retain_days: 30, max_gb: null }
    const limited = await admin.put('/api/cameras/lane/recording-limits', record, headers)
    expect([limited.status, limited.json]).toMatchObject([200, { record }])
    const whole = { enabled: true, retain_days: 3, max_gb: 20 }
    const all = await admin.put('/api/recordings/limits', whole, headers)
    expect([all.status, all.json]).toEqual([200, whole])
    expect((await admin.put('/api/recordings/limits', { ...whole, max_gb: 0 }, headers)).status).toBe(400)
    expect((await admin.get('/api/config')).json).toMatchObject({ recording: whole, cameras: { lane: { record } } })
    expect(onDisk()).toContain('# upstairs')
  })

  test('[AUD-1] each change is audited, failed ones too', async () => {
    const { admin } = await start()
    const headers = { 'if-match': '*' }
    await admin.post('/api/cameras', shed, headers)
    await admin.put('/api/cameras/shed', { name: 'barn' }, headers)
    await admin.delete('/api/cameras/barn', headers)
    await admin.delete('/api/cameras/barn', headers)
    const entries = async () => {
      const { json } = await admin.get('/api/audit')
      const all = (json as { entries: readonly { action: string }[] }).entries
      return all.filter(({ action }) => action.startsWith('camera.'))
    }
    await expect.poll(entries).toMatchObject([
      { action: 'camera.delete', result: 'failure', target: 'barn', user: 'admin' },
      { action: 'camera.delete', result: 'success', target: 'barn' },
      { action: 'camera.change', result: 'success', target: 'shed' },
      { action: 'camera.create', result: 'success', target: 'shed' },
    ])
  })

  test('[CONF-4] a file that only a person can edit stays unchanged, and so does an invalid one', async () => {
    const { admin, service, onDisk } = await start()
    const anchored = `${file(service).replace(/^cameras:.*/ms, '')}x-cameras: 1\n`
    const aliased = file(service)
      .replace('yard: {', 'yard: &y {')
      .replace(/ {2}lane:\n.*$/s, '  lane: *y\n')
    await service.internal.put('/api/config/raw', aliased, { 'content-type': 'text/yaml', 'if-match': '*' })
    const refused = await admin.put('/api/cameras/lane', { title: 'Lane' }, { 'if-match': '*' })
    expect([refused.status, refused.json]).toMatchObject([409, { reason: { code: 'config-not-editable' } }])
    expect(onDisk()).toBe(aliased)
    writeFileSync(service.configFile, anchored)
    const broken = await admin.post('/api/cameras', shed, { 'if-match': '*' })
    expect([broken.status, broken.json]).toMatchObject([409, { reason: { code: 'config-not-active' } }])
    expect(onDisk()).toBe(anchored)
  })

  test('[CONF-4] lines that end in CR LF keep their line endings', async () => {
    const { admin, service, onDisk } = await start()
    const crlf = file(service).replaceAll('\n', '\r\n')
    await service.internal.put('/api/config/raw', crlf, { 'content-type': 'text/yaml', 'if-match': '*' })
    expect((await admin.post('/api/cameras', shed, { 'if-match': '*' })).status).toBe(201)
    expect((await admin.put('/api/roles/cook', { cameras: ['shed'] })).status).toBe(201)
    expect(onDisk()).toContain('shed:\r\n    source: demo:office\r\n')
    expect(onDisk().replaceAll('\r\n', '')).not.toContain('\n')
  })

  test('[ROLE-2] only an admin reads or changes them', async () => {
    const { service, onDisk } = await start()
    const before = onDisk()
    const headers = { 'if-match': '*' }
    for (const client of [await service.user('vera', 'viewer'), await service.user('gus', 'guard')]) {
      const responses = await Promise.all([
        client.get('/api/config/cameras'),
        client.post('/api/cameras', shed, headers),
        client.put('/api/cameras/yard', { title: 'Mine' }, headers),
        client.delete('/api/cameras/yard', headers),
        client.post('/api/cameras/yard/test'),
        client.put('/api/cameras/yard/motion-settings', { enabled: false, sensitivity: 'low', masks: [] }, headers),
        client.put(
          '/api/cameras/yard/recording-limits',
          { enabled: true, mode: 'all', retain_days: 1, max_gb: null },
          headers,
        ),
        client.put('/api/recordings/limits', { enabled: true, retain_days: 1, max_gb: 1 }, headers),
      ])
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 403))
    }
    expect(onDisk()).toBe(before)
  })
})

describe('custom permissions for cameras', () => {
  const edited: string[] = []
  const record = { enabled: true, mode: 'all', retain_days: null, max_gb: null }
  const written = {
    cameras: new Map([
      ['shed', { ...shed, labels: ['garden'], motion: { enabled: true, sensitivity: 'low', masks: [] }, record }],
    ]),
  } as never
  const routes = cameraSettingsRoutes({
    customRoles: () => new Map(),
    configStore: {
      written: () => written,
      version: () => '"1"',
      raw: async () => ({ text: '', etag: '"1"' }),
      async edit(change) {
        edited.push(change('', written))
        return { written, etag: '"2"' }
      },
    },
    audit: unaudited,
  })
  const withAction = (action: ServiceAction) => {
    const identity = { ...internalAdmin, role: 'installer' }
    const authentication: Authentication = { identity, reauthenticate: () => authentication }
    const grant = { actions: new Set([action]), cameras: 'all' as const }
    return bareServer({ routes, authentication, roles: { ...fakeRoles(new Map()), grantOf: () => grant } })
  }
  const headers = { 'if-match': '"1"' }

  test('[ROLE-2] `cameras.manage` alone can read cameras and add one; `config.manage` alone cannot', async () => {
    const installer = await withAction('cameras.manage')
    const added = await installer.inject({ method: 'POST', url: '/api/cameras', payload: shed, headers })
    expect([added.statusCode, edited]).toEqual([201, [expect.stringContaining('shed:')]])
    const editor = await withAction('config.manage')
    for (const [method, url] of [
      ['POST', '/api/cameras'],
      ['DELETE', '/api/cameras/yard'],
      ['GET', '/api/config/cameras'],
    ] as const) {
      const { statusCode } = await editor.inject({ method, url, headers, ...(method === 'POST' && { payload: shed }) })
      expect(statusCode).toBe(403)
    }
    expect(edited).toHaveLength(1)
  })
})
