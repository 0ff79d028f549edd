/** Ways to name a camera of another role, or something that belongs to it, so that a list, an image or a change includes it. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { segmentFile } from '../server/src/recordings/segments/segment-name.ts'
import { cameraKey } from '../server/src/shared/camera/camera-keys.ts'
import { accessRows } from '../server/test/support/access-oracle.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { seedExports } from '../server/test/support/export-seed.ts'
import { quietCameras } from '../server/test/support/quiet-cameras.ts'
import { rawRequest } from '../server/test/support/raw-request.ts'
import { grayJpeg, seedReview } from '../server/test/support/review-seed.ts'
import { changeDatabase } from '../server/test/support/service-database.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { Reply, TestClient } from '../server/test/support/test-client.ts'

let service: InProcessService
let guard: TestClient
let viewer: TestClient
/** What belongs to the office, which the guard can't see. */
let office: { readonly item: string; readonly file: string }
let yard: { readonly item: string; readonly file: string }
beforeAll(async () => {
  // Enabled, but without a camera at the other end: a snapshot fails for another reason than one of the office.
  const yardCamera = { source: 'rtsp://127.0.0.1:9/yard', record: { enabled: false }, motion: { enabled: false } }
  service = await startService({
    config: {
      tls: { enabled: false },
      cameras: { ...quietCameras, yard: yardCamera },
      auth: { roles: { guard: ['yard'] } },
    },
  })
  ;[guard, viewer] = [await service.user('gill', 'guard'), await service.user('vera')]
  const now = Date.now()
  const [ofYard, ofOffice] = await seedReview(service, [
    { camera: 'yard', start: now - 3_000_000, jpeg: grayJpeg },
    { camera: 'office', start: now - 1_000_000, jpeg: grayJpeg, severity: 'alert' },
  ])
  const files = { yard: randomBytes(16).toString('hex'), office: randomBytes(16).toString('hex') }
  await seedExports(service, files)
  yard = { item: ofYard!.id, file: files.yard }
  office = { item: ofOffice!.id, file: files.office }
})
afterAll(stopAll)

/** Anything of the office. */
const traces = (): RegExp => new RegExp(`office|${office.item}|${office.file}|"alert"`)

test('[ROLE-5] the tables are about the role: a viewer sees all of it', async () => {
  for (const path of ['/api/cameras', '/api/review', '/api/exports'])
    expect((await viewer.get(path)).text).toMatch(traces())
  expect((await viewer.get(`/api/review/${office.item}/thumbnail.jpg`)).status).toBe(200)
  expect((await guard.get(`/api/review/${yard.item}/thumbnail.jpg`)).status).toBe(200)
})

describe('[ROLE-4] the camera in a filter', () => {
  test.each<[source: string, query: string, status: number]>([
    ['CVE-2026-33470', 'cameras=office', 403],
    ['CVE-2026-33470', 'cameras=yard,office', 403],
    ['CVE-2026-33470', 'cameras=office,yard', 403],
    ['ASVS 15.3.7', 'cameras=yard&cameras=office', 403],
    ['ASVS 15.3.7', 'cameras=office&cameras=yard', 403],
    ['ASVS 15.3.7', 'cameras=yard&%63ameras=office', 403],
    ['ASVS 1.1.1', 'cameras=yard%2coffice', 403],
    ['ASVS 1.1.1', 'cameras=yard%252coffice', 403],
    ['ASVS 1.1.1', 'cameras=%6fffice', 403],
    ['CVE-2026-33470', 'cameras=all', 403],
    ['CVE-2026-33470', 'cameras=*', 403],
    ['CVE-2026-33470', 'cameras=', 403],
    ['CVE-2026-33470', 'cameras=yard,', 403],
    ['CVE-2026-48794', 'cameras=Yard', 403],
    ['CVE-2026-48794', 'cameras=%20yard', 403],
    ['sqlmap', "cameras=yard' or '1'='1", 403],
    ['sqlmap', 'cameras=yard%27)%20or%201=1--', 403],
    ['ASVS 15.3.6', 'cameras=__proto__', 403],
    ['ASVS 15.3.6', 'cameras=constructor', 403],
    // Not the parameter, so it filters nothing, and the role still does.
    ['ASVS 15.3.7', 'camera=office', 200],
    ['ASVS 15.3.7', 'Cameras=office', 200],
    ['ASVS 15.3.7', 'cameras[]=office', 200],
    ['ASVS 15.3.7', 'cameras%00=office', 200],
    ['ASVS 15.3.7', 'x=1;cameras=office', 200],
    ['ASVS 15.3.7', 'role=viewer&user=vera&scope=all', 200],
  ])('%s: ?%s', async (_source, query, status) => {
    for (const path of ['/api/review', '/api/review/summary', '/api/exports']) {
      const target = `${path}?${encodeURI(query).replaceAll('%25', '%')}`
      const response = await rawRequest(guard, { target })
      expect([target, response.status]).toEqual([target, status])
      if (status === 200) expect(response.body).not.toMatch(traces())
    }
    const events = `/api/events?${encodeURI(query).replaceAll('%25', '%')}`
    expect((await rawRequest(guard, { target: events, headOnly: true })).status).toBe(status)
  })

  test('CVE-2026-33470: the place at which another user’s list continues shows nothing of that list', async () => {
    for (const path of ['/api/review', '/api/exports']) {
      const first = (await viewer.get(`${path}?limit=1`)).json as { cursor: string }
      expect(first.cursor).not.toBeNull()
      const hers = await guard.get(`${path}?cursor=${first.cursor}`)
      expect([hers.status, hers.text]).toEqual([200, expect.not.stringMatching(traces())])
      const all = ((await guard.get(path)).json as { items: unknown[] }).items
      expect(all).toHaveLength(1)
    }
  })
})

const ways = (item: string, file: string): (readonly [method: string, path: string, body?: object])[] => [
  ['GET', `/api/review/${item}`],
  ['GET', `/api/review/${item}/thumbnail.jpg`],
  ['PUT', `/api/review/${item}/seen`, { seen: true }],
  ['GET', `/api/exports/${file}`],
  ['GET', `/api/exports/${file}/video.mp4`],
  ['PATCH', `/api/exports/${file}`, { name: 'mine' }],
  ['POST', `/api/exports/${file}/cancel`],
]

describe('[ROLE-4] the id of a thing', () => {
  test.each<[source: string, spell: (id: string) => string]>([
    ['CVE-2026-54258', (id) => id],
    ['CVE-2026-54258', (id) => id.toUpperCase()],
    ['ASVS 1.1.1', (id) => id.replace(/./, (letter) => `%${letter.charCodeAt(0).toString(16)}`)],
    ['ASVS 1.1.1', (id) => `${id}%20`],
    ['CVE-2026-0976', (id) => `${id};camera=yard`],
    ['ASVS 15.3.7', (id) => `${yard.item},${id}`],
    ['sqlmap', (id) => `${id}'%20or%201=1--`],
  ])('%s: %#', async (_source, spell) => {
    for (const [method, path, body] of ways(spell(office.item), spell(office.file))) {
      for (const query of ['', '?camera=yard&cameras=yard']) {
        const response = await guard.request(method, path + query, { body, headers: { range: 'bytes=0-9' } })
        expect([method, path, response.status]).toEqual([method, path, 403])
        expect(response.body.length).toBeLessThan(300)
      }
    }
  })

  test('CVE-2026-33470: is worth nothing below a camera of the own role', async () => {
    for (const path of [
      `/api/cameras/yard/segments/${office.item}/video.m4s?at=0`,
      `/api/cameras/yard/live/${office.item}/init.mp4`,
      `/api/cameras/yard/${office.item}/thumbnail.jpg`,
    ]) {
      const { text } = await guard.get(path)
      expect([path, text]).toEqual([path, expect.not.stringMatching(traces())])
    }
  })

  test('CVE-2026-33470: a query with another camera shows the one in the path', async () => {
    await seedSegments({ yard: 300, office: 200 })
    const now = Math.floor(Date.now() / 1000)
    for (const below of ['/latest.jpg', '', `/timeline?after=${now - 600}&before=${now}`]) {
      const more = below.includes('?') ? '&' : '?'

      const [own, others] = [
        await guard.get(`/api/cameras/yard${below}${more}camera=office`),
        await viewer.get(`/api/cameras/office${below}`),
      ]
      expect([below, own.status]).not.toEqual([below, 403])
      // Of the office, each is another one.
      expect([below, own.text]).toEqual([below, expect.not.stringMatching(traces())])
      expect([below, own.text]).not.toEqual([below, others.text])
      if (below.startsWith('/timeline')) expect([own.status, others.status]).toEqual([200, 200])
    }
  })
})

/** Lists a segment of ten seconds for each camera, without a file. @param ago start, in seconds before now */
async function seedSegments(ago: Readonly<Record<string, number>>): Promise<void> {
  const volume = readFileSync(join(service.mediaDir, 'recordings/.library'), 'utf8').trim()
  await changeDatabase(service, (database) => {
    const insert =
      database.prepare(`insert into recording (volume, camera, start, "end", bytes, init_bytes, motion, stream_id, file)
      values (?, ?, ?, ?, 1000, 100, 0, ?, ?)`)
    for (const [camera, seconds] of Object.entries(ago)) {
      const start = Date.now() - seconds * 1000
      const key = cameraKey(camera)
      insert.run(volume, key, start, start + 10_000, start, segmentFile(key, start))
    }
  })
}

const unseen = async (): Promise<unknown> => (await viewer.get('/api/review?seen=false')).json

describe('[ROLE-4] the camera in a body', () => {
  const span = '"start":1700000000,"end":1700000010'
  test.each<[source: string, body: string, status: number]>([
    ['CVE-2026-54258', `{"camera":"office",${span}}`, 403],
    ['ASVS 15.3.7', `{"camera":"yard","camera":"office",${span}}`, 403],
    ['ASVS 15.3.5', `{"camera":["yard","office"],${span}}`, 400],
    ['ASVS 15.3.5', `{"camera":["office"],${span}}`, 400],
    ['ASVS 15.3.5', `{"camera":{"toString":"yard"},${span}}`, 400],
    ['ASVS 8.2.3', `{"camera":"yard","owner":"vera",${span}}`, 400],
    ['ASVS 8.2.3', `{"camera":"yard","cameras":["office"],${span}}`, 400],
    ['ASVS 15.3.6', `{"__proto__":{"camera":"office"},${span}}`, 400],
    ['ASVS 1.1.1', `{"camera":"%6fffice",${span}}`, 403],
    ['ASVS 1.1.1', `{"camera":"\\u006fffice",${span}}`, 403],
    ['CVE-2025-62382', `{"camera":"../office",${span}}`, 403],
    ['CVE-2025-62382', `{"camera":"yard/../office",${span}}`, 403],
    ['CVE-2026-48794', `{"camera":"Yard",${span}}`, 403],
    // Nothing was recorded there.
    ['CVE-2026-54258', `{"camera":"yard",${span}}`, 404],
  ])('%s: of an export: %s', async (_source, body, status) => {
    const headers = ['Content-Type: application/json']
    const response = await rawRequest(guard, { method: 'POST', target: '/api/exports?camera=yard', headers, body })
    expect([response.status, response.body]).toEqual([status, expect.not.stringMatching(traces())])
  })

  test.each<[source: string, body: () => string, status: readonly number[]]>([
    ['CVE-2026-54258', () => `{"seen":true,"ids":["${office.item}"]}`, [403]],
    ['CVE-2026-54258', () => `{"seen":true,"ids":["${yard.item}","${office.item}"]}`, [403]],
    ['CVE-2026-54258', () => `{"seen":true,"filter":{"cameras":["office"]}}`, [403]],
    ['CVE-2026-54258', () => `{"seen":true,"filter":{"cameras":["yard","office"]}}`, [403]],
    ['ASVS 15.3.5', () => `{"seen":true,"filter":{"cameras":"office"}}`, [400, 403]],
    ['ASVS 15.3.5', () => `{"seen":true,"filter":["office"]}`, [400]],
    ['ASVS 15.3.5', () => `{"seen":true,"ids":"${office.item}"}`, [400, 403]],
    ['ASVS 15.3.5', () => `{"seen":true,"ids":{"0":"${office.item}"}}`, [400, 403]],
    ['ASVS 15.3.6', () => `{"seen":true,"filter":{"__proto__":{"cameras":["office"]}}}`, [400]],
    ['ASVS 15.3.7', () => `{"seen":true,"filter":{"cameras":["yard"]},"ids":["${office.item}"]}`, [400, 403]],
    ['ASVS 8.2.3', () => `{"seen":true,"filter":{},"user":"vera"}`, [400]],
  ])('%s: of a mark: %#', async (_source, body, status) => {
    const before = await unseen()
    const headers = { 'content-type': 'application/json' }
    expect((await guard.request('PUT', '/api/review/seen', { headers, body: body() })).status).toBeOneOf([...status])
    expect(await unseen()).toEqual(before)
  })
})

describe('[ROLE-5] no list, count, configuration or document has a trace of other cameras', () => {
  const paths = accessRows
    .filter(({ method, path }) => method === 'GET' && !path.includes(':') && !/events$|logout$|openapi/.test(path))
    .map(({ path }) => path)

  test.each(paths)('CVE-2026-33470: %s', async (path) => {
    const response: Reply = await guard.get(path)
    expect([response.status, response.text]).toEqual([response.status, expect.not.stringMatching(traces())])
    for (const [name, value] of Object.entries(response.headers))
      expect(`${name}: ${String(value)}`).not.toMatch(traces())
  })

  test('CVE-2026-33470: what belongs to the own camera has no trace of other cameras', async () => {
    for (const path of [`/api/review/${yard.item}`, `/api/exports/${yard.file}`, '/api/cameras/yard']) {
      const { status, text } = await guard.get(path)
      expect([status, text]).toEqual([200, expect.not.stringMatching(traces())])
    }
  })
})
