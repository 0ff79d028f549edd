/** Share links: more than was shared, by other paths, ids and credentials, and their cookie where it does not belong. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { basic, bearer, createToken } from '../server/test/support/create-token.ts'
import { linkPath, makeLink, openLink, type CreatedShareLink } from '../server/test/support/make-link.ts'
import { rawRequest } from '../server/test/support/raw-request.ts'
import { first, last, makeExport, sharingRoles as roles, startWithVideo } from '../server/test/support/shared-video.ts'
import { socketStatus } from '../server/test/support/socket-status.ts'
import type { InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

const live = { kind: 'live', camera: 'yard' }
/** Two of the recorded segments. */
const range = { kind: 'history', camera: 'yard', start: first + 15, end: first + 25 }
const inside = (first + 10) * 1000

let service: InProcessService
let admin: TestClient
let sharer: TestClient
/** Finished exports of the two cameras. */
let exported: { yard: string; door: string }
beforeAll(async () => {
  service = await startWithVideo({ auth: { roles, failed_login_rate_limit: null } })
  ;[admin, sharer] = [await service.user('boss', 'admin'), await service.user('ann', 'sharer')]
  exported = { yard: await makeExport(admin), door: await makeExport(admin, 'door') }
})
afterAll(stopAll)

describe('[LINK-2] the cookie of a link', () => {
  let viewer: TestClient
  let link: CreatedShareLink
  beforeAll(async () => {
    link = await makeLink(admin, { ...live, audio: true })
    viewer = await openLink(service, link)
  })

  test.each<[source: string, method: string, path: string, body?: object]>([
    ['ASVS 8.2.1', 'GET', '/api/profile'],
    ['ASVS 8.2.1', 'GET', '/api/users'],
    ['ASVS 8.2.1', 'GET', '/api/config'],
    ['ASVS 8.2.1', 'GET', '/api/links'],
    ['ASVS 8.2.1', 'GET', '/api/links/all'],
    ['ASVS 8.2.1', 'GET', '/api/cameras'],
    ['ASVS 8.2.1', 'GET', '/api/openapi.json'],
    ['ASVS 8.2.2', 'GET', '/api/cameras/yard/latest.jpg'],
    ['ASVS 8.2.2', 'GET', '/api/cameras/yard/live/index.m3u8'],
    ['ASVS 8.2.2', 'GET', '/api/cameras/yard/mjpeg'],
    ['ASVS 8.2.2', 'GET', `/api/cameras/yard/segments/${inside}/init.mp4`],
    ['ASVS 8.2.2', 'GET', '/api/events'],
    ['CWE-441', 'GET', '/api/auth'],
    ['ASVS 8.2.1', 'POST', '/api/links', live],
    ['ASVS 8.2.1', 'POST', '/api/tokens', { name: 'x' }],
    ['ASVS 8.2.1', 'POST', '/api/exports', { camera: 'yard', start: first, end: last }],
    ['ASVS 8.2.1', 'DELETE', '/api/links/ID'],
  ])('%s: %s %s is 401 with it', async (_source, method, path, body) => {
    const { status } = await viewer.request(method, path.replace('ID', link.id), { ...(body && { body }) })
    expect(status).toBe(401)
  })

  test.each(['/api/events', '/api/cameras/yard/live'])('CWE-1385: the WebSocket %s is 401 with it', async (path) => {
    expect(await socketStatus(viewer.socket(path))).toBe(401)
  })

  test('CWE-441: with it, /api/auth names no user to an outer proxy, also for the paths of the link', async () => {
    for (const path of ['/', linkPath(link, 'latest.jpg'), '/api/profile']) {
      const url = `http://127.0.0.1:${service.gatePort}${path}`
      const reply = await viewer.get('/api/auth', { 'x-original-url': url })
      expect([reply.status, reply.headers['remote-user']]).toEqual([401, undefined])
    }
  })
})

describe('[LINK-2] below the path of a link nothing else counts', () => {
  let link: CreatedShareLink
  beforeAll(async () => void (link = await makeLink(admin, live)))

  test.each<[source: string, what: string, headers: () => Promise<Record<string, string>>]>([
    ['CWE-441', 'the session of an admin', () => Promise.resolve(admin.headers as Record<string, string>)],
    ['CWE-441', 'the session of its creator', () => Promise.resolve(sharer.headers as Record<string, string>)],
    ['CWE-441', 'an API token', async () => bearer((await createToken(admin)).token)],
    ['CWE-441', 'an API token as Basic', async () => basic('x', (await createToken(admin)).token)],
    [
      'CVE-2022-35957',
      'headers of a proxy',
      () => Promise.resolve({ 'remote-user': 'boss', 'x-forwarded-user': 'boss' }),
    ],
  ])('%s: %s is 401', async (_source, _what, headers) => {
    const client = service.gate.with(await headers())
    for (const path of ['latest.jpg', 'live/index.m3u8', 'video.mp4', 'playback/index.m3u8'])
      expect((await client.get(linkPath(link, path))).status).toBe(401)
    expect(await socketStatus(client.socket(linkPath(link, 'live')))).toBe(401)
  })

  test('CWE-441: on the internal port, which authenticates no one, it is 401, too', async () => {
    expect((await service.internal.get(linkPath(link, 'latest.jpg'))).status).toBe(401)
  })
})

const segment = (start: number, rest = 'video.m4s?at=0') => `segments/${start * 1000}/${rest}`

async function opened(body: object) {
  const link = await makeLink(admin, body)
  return { link, viewer: await openLink(service, link) }
}

describe('[LINK-2] a link shows nothing but what was shared', () => {
  let viewers: Record<'live' | 'history' | 'export', { link: CreatedShareLink; viewer: TestClient }>
  beforeAll(async () => {
    viewers = {
      live: await opened(live),
      history: await opened(range),
      export: await opened({ kind: 'export', export: exported.yard }),
    }
  })

  test.each<[source: string, kind: 'live' | 'history' | 'export', path: string, statuses?: readonly number[]]>([
    ['CVE-2026-54258', 'history', segment(first)],
    ['CVE-2026-54258', 'history', segment(first, 'init.mp4')],
    ['CVE-2026-54258', 'history', segment(first + 30)],
    ['CVE-2026-54258', 'history', segment(first + 30, 'init.mp4')],
    ['CWE-190', 'history', `segments/${inside}.5/init.mp4`, [400, 403, 404]],
    ['CWE-190', 'history', `segments/-1/init.mp4`, [400, 403, 404]],
    ['CWE-190', 'history', `segments/${'9'.repeat(30)}/init.mp4`, [400, 403, 404]],
    ['CWE-20', 'history', `segments/0x10/init.mp4`, [400, 403, 404]],
    ['CWE-639', 'history', 'video.mp4'],
    ['CWE-639', 'history', 'latest.jpg'],
    ['CWE-639', 'history', 'live/index.m3u8'],
    ['CWE-639', 'history', 'live'],
    ['CWE-639', 'live', 'playback/index.m3u8'],
    ['CWE-639', 'live', segment(first + 10)],
    ['CWE-639', 'live', 'video.mp4'],
    ['CWE-639', 'live', 'mjpeg', [401]],
    ['CWE-639', 'live', 'clip.mp4?start=0&end=9999999999', [401]],
    ['CWE-639', 'live', 'recordings?after=0&before=9999999999', [401]],
    ['CWE-639', 'export', 'latest.jpg'],
    ['CWE-639', 'export', 'playback/index.m3u8'],
    ['CWE-639', 'export', segment(first + 10)],
  ])('%s: of %s, %s is refused', async (_source, kind, path, statuses = [403]) => {
    const { link, viewer } = viewers[kind]
    expect(statuses).toContain((await viewer.get(linkPath(link, path))).status)
    expect(statuses).toContain((await viewer.request('HEAD', linkPath(link, path))).status)
  })

  test.each<[source: string, query: string]>([
    ['CWE-235', 'camera=door'],
    ['CWE-235', `start=${first}&end=${last + 10}`],
    ['CWE-235', `after=${first}&before=${last + 10}`],
    ['CWE-235', `since=0&until=${last * 1000 + 10_000}`],
  ])('%s: the query %s makes the range no longer', async (_source, query) => {
    const { link, viewer } = viewers.history
    const playlist = await viewer.get(`${linkPath(link, 'playback/index.m3u8')}?${query}`)
    expect([200, 400]).toContain(playlist.status)
    const starts = [...playlist.text.matchAll(/^\.\.\/segments\/(\d+)\//gm)].map(([, start]) => Number(start))
    for (const start of starts) expect([inside, inside + 10_000]).toContain(start)
  })

  test('CWE-639: a query with another export shows the one that was shared', async () => {
    const { link, viewer } = viewers.export
    const path = linkPath(link, 'video.mp4')
    const etagOf = async (at: string) => (await viewer.request('HEAD', at)).headers.etag
    const own = await etagOf(path)
    expect(own).toContain(exported.yard)
    for (const query of [`export=${exported.door}`, `id=${exported.door}`, 'camera=door', `start=${first}`])
      expect([query, await etagOf(`${path}?${query}`)]).toEqual([query, own])
  })

  test.each<[source: string, target: (id: string) => string]>([
    ['CVE-2023-27482', (id) => `/api/links/${id}/../../cameras/yard/latest.jpg`],
    ['CVE-2023-27482', (id) => `/api/links/${id}/.%252e/.%252e/profile`],
    ['CVE-2026-15074', (id) => `/api/links/${id}/%2e%2e/%2e%2e/profile`],
    ['CVE-2026-27880', (id) => `//api//links//${id}//live`],
    ['CVE-2026-0976', (id) => `/api/links/${id};x=/../../profile`],
    ['CWE-22', (id) => `/api/links/..%2f..%2fapi%2flinks%2f${id}/latest.jpg`],
    ['CWE-22', (id) => `/api/links/${id}%2f..%2f..%2fcameras%2fdoor/latest.jpg`],
    ['CWE-22', (id) => `/api/links/${id}/segments/..%2f..%2f..%2fgatehouse.db/init.mp4`],
    ['CWE-158', (id) => `/api/links/${id}%00/latest.jpg`],
    ['CWE-178', (id) => `/api/links/${id.toUpperCase()}x/latest.jpg`],
    ['CWE-89', () => `/api/links/${encodeURIComponent("' or 1=1 --")}/latest.jpg`],
    ['CWE-1321', () => '/api/links/__proto__/latest.jpg'],
    ['CWE-1321', () => '/api/links/constructor/latest.jpg'],
  ])('%s: %s leads nowhere', async (_source, target) => {
    const { link, viewer } = viewers.live
    const { status } = await rawRequest(viewer, { target: target(link.id) })
    expect([400, 401, 404]).toContain(status)
  })

  test('ASVS 8.2.2: without audio, no path has any; without a download, the file of an export is not offered to be saved', async () => {
    const { link, viewer } = viewers.history
    const init = await viewer.get(linkPath(link, `segments/${inside}/init.mp4`))
    expect([init.status, init.body.includes('mp4a')]).toEqual([200, false])
    expect((await viewer.get(linkPath(link, 'playback/index.m3u8'))).text).not.toContain('mp4a')
    const file = await viewers.export.viewer.get(linkPath(viewers.export.link, 'video.mp4'))
    expect([file.body.includes('mp4a'), file.headers['content-disposition']]).toMatchObject([
      false,
      expect.stringMatching(/^inline/),
    ])
  })

  test('RFC 9110 9.3.2: HEAD, a range and a condition are decided like GET, before and after the end', async () => {
    const link = await makeLink(admin, { kind: 'export', export: exported.yard })
    const viewer = await openLink(service, link)
    const path = linkPath(link, 'video.mp4')
    const { etag, 'last-modified': modified } = (await viewer.request('HEAD', path)).headers
    const conditions = [{}, { range: 'bytes=0-9' }, { 'if-none-match': String(etag) }, { 'if-none-match': '*' }]
    const headers = [
      ...conditions,
      { 'if-modified-since': String(modified) },
      { 'if-range': String(etag), range: 'bytes=0-' },
    ]
    const statuses = () =>
      Promise.all(
        ['GET', 'HEAD'].flatMap((method) =>
          headers.map(async (more) => (await viewer.request(method, path, { headers: more })).status),
        ),
      )
    for (const status of await statuses()) expect([200, 206, 304]).toContain(status)
    expect((await viewer.request('OPTIONS', path)).headers['access-control-allow-origin']).toBeUndefined()
    await admin.delete(`/api/links/${link.id}`)
    expect(new Set(await statuses())).toEqual(new Set([410]))
  })

  test('ASVS 14.3.2: no cache keeps what it shows', async () => {
    for (const [kind, path] of [
      ['history', 'playback/index.m3u8'],
      ['history', `segments/${inside}/video.m4s?at=0`],
      ['export', 'video.mp4'],
    ] as const) {
      const { link, viewer } = viewers[kind]
      const { status, headers } = await viewer.get(linkPath(link, path))
      expect([status, headers['cache-control']]).toMatchObject([
        200,
        expect.stringMatching(/no-store|private, no-cache/),
      ])
    }
  })
})
