/** Share links: after their end, by more viewers than allowed, wider than an API token, or opened by another site's page. */
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { bearer, createToken } from '../server/test/support/create-token.ts'
import { linkCookieIn, linkPath, makeLink, openLink, type CreatedShareLink } from '../server/test/support/make-link.ts'
import { rawRequest } from '../server/test/support/raw-request.ts'
import { first, makeExport, sharingRoles as roles, startWithVideo } from '../server/test/support/shared-video.ts'
import { socketStatus } from '../server/test/support/socket-status.ts'
import type { InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

const minute = 60_000
const live = { kind: 'live', camera: 'yard' }
/** Two of the recorded segments. */
const range = { kind: 'history', camera: 'yard', start: first + 15, end: first + 25 }

let service: InProcessService
let admin: TestClient
/** Finished exports of the two cameras. */
let exported: { yard: string; door: string }
beforeAll(async () => {
  service = await startWithVideo({ auth: { roles, failed_login_rate_limit: null } })
  admin = await service.user('boss', 'admin')
  exported = { yard: await makeExport(admin), door: await makeExport(admin, 'door') }
})
afterAll(stopAll)

const open = ({ id, secret }: CreatedShareLink, headers: Record<string, string> = {}) =>
  service.gate.post(`/api/links/${id}/open`, { secret }, headers)

describe('[LINK-3] limits', () => {
  test('ASVS 15.4.2: of a hundred openings at the same time, as many succeed as are allowed', async () => {
    const link = await makeLink(admin, { ...live, max_opens: 3 })
    const opened = await Promise.all(Array.from({ length: 100 }, () => open(link)))
    expect(opened.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(opened.filter(({ status }) => status === 410)).toHaveLength(97)
  })

  test('ASVS 15.4.2: no more viewers than are allowed get a slot at the same time, or by leaving and coming back', async () => {
    const link = await makeLink(admin, { ...live, max_viewers: 2 })
    const opened = await Promise.all(Array.from({ length: 50 }, () => open(link)))
    const admitted = opened.filter(({ status }) => status === 200)
    expect(admitted).toHaveLength(2)
    expect(opened.filter(({ status }) => status === 503)).toHaveLength(48)
    for (const { cookies } of opened.filter(({ status }) => status === 503)) expect(cookies).toEqual([])
    // The same viewer again isn't another viewer.
    const cookie = linkCookieIn(admitted[0]!.cookies)
    expect((await open(link, { cookie })).status).toBe(200)
    expect((await open(link)).status).toBe(503)
  })

  test('Immich #10732: the end is checked by the service, by every path, also after the clock was set', async () => {
    const expires_at = new Date(service.clock.now() + 10 * minute).toISOString()
    const ending = await Promise.all(
      [live, range, { kind: 'export', export: exported.yard }].map((body) => makeLink(admin, { ...body, expires_at })),
    )
    const viewers = await Promise.all(ending.map((link) => openLink(service, link)))
    const before = service.clock.now()
    service.clock.setWallTime(before + 11 * minute)
    for (const [at, viewer] of viewers.entries()) {
      const link = ending[at]!
      for (const path of ['latest.jpg', 'live/index.m3u8', 'live', 'playback/index.m3u8', 'video.mp4'])
        expect((await viewer.get(linkPath(link, path))).status).toBe(410)
      expect((await open(link)).status).toBe(410)
      expect(await socketStatus(viewer.socket(linkPath(link, 'live')))).toBe(410)
    }
    service.clock.setWallTime(before)
  })

  test('CWE-613: the cookie lasts no longer than the link, and a new secret is needed for another one', async () => {
    const expires_at = new Date(service.clock.now() + 10 * minute).toISOString()
    const { cookies } = await open(await makeLink(admin, { ...live, expires_at }))
    const [, seconds] = /Max-Age=(\d+)/.exec(cookies[0] ?? '') ?? []
    expect(Number(seconds)).toBeLessThanOrEqual(600)
  })
})

const using = async (body: object) => service.gate.with(bearer((await createToken(admin, body)).token))

describe('[LINK-1] [KEY-2] a link that an API token creates', () => {
  test.each<[source: string, what: string, token: object, body: () => object]>([
    ['CWE-862', 'without `share`', { actions: ['live', 'history', 'download'] }, () => live],
    ['CWE-269', 'of another camera', { cameras: ['door'], actions: ['live', 'share'] }, () => live],
    [
      'CWE-269',
      'with audio that the token does not have',
      { actions: ['live', 'share'] },
      () => ({ ...live, audio: true }),
    ],
    ['CWE-269', 'of recordings', { actions: ['live', 'share'] }, () => range],
    ['CWE-269', 'to save', { actions: ['history', 'share'] }, () => ({ ...range, download: true })],
    ['CWE-269', 'of an export', { actions: ['live', 'share'] }, () => ({ kind: 'export', export: exported.yard })],
    [
      'CWE-269',
      'of an export of another camera',
      { cameras: ['yard'], actions: ['download', 'share'] },
      () => ({ kind: 'export', export: exported.door }),
    ],
  ])('%s: %s is 403', async (_source, _what, token, body) => {
    expect((await (await using(token)).post('/api/links', body())).status).toBe(403)
  })

  test('CWE-613: ends no later than the token', async () => {
    const expires_at = new Date(service.clock.now() + 10 * minute).toISOString()
    const program = await using({ actions: ['live', 'share'], expires_at })
    const made = (await program.post('/api/links', live)).json as { expires_at: string }
    expect(Date.parse(made.expires_at)).toBeLessThanOrEqual(Date.parse(expires_at))
  })
})

describe('[LINK-2] [TOK-13] pages of other sites', () => {
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }

  test('CWE-352: can open no link in a browser, nor read that it was opened', async () => {
    const link = await makeLink(admin, live)
    for (const headers of [foreign, { origin: 'null' }]) {
      const refused = await open(link, headers)
      expect([refused.status, refused.cookies]).toEqual([403, []])
      expect(refused.headers['access-control-allow-origin']).toBeUndefined()
    }
    const reply = await service.gate.request('OPTIONS', linkPath(link, 'open'), {
      headers: { ...foreign, 'access-control-request-method': 'POST' },
    })
    expect(reply.headers['access-control-allow-origin']).toBeUndefined()
    const form = { headers: { 'content-type': 'text/plain' }, body: JSON.stringify({ secret: link.secret }) }
    expect((await service.gate.request('POST', linkPath(link, 'open'), form)).status).toBe(415)
  })

  test('CWE-1385: can open no WebSocket with the cookie of a viewer', async () => {
    const link = await makeLink(admin, live)
    const viewer = await openLink(service, link)
    expect(await socketStatus(viewer.socket(linkPath(link, 'live'), { headers: foreign }))).toBe(403)
    const own = viewer.socket(linkPath(link, 'live'))
    await once(own, 'open')
    own.terminate()
  })

  test('CWE-1021: cannot frame the page, and it runs no script of theirs', async () => {
    for (const path of [
      `/s/${'0'.repeat(32)}`,
      '/s/%3Cscript%3Ealert(1)%3C%2Fscript%3E',
      '/s/x?next=https://evil.example',
    ]) {
      const { status, headers, text } = await service.gate.get(path)
      expect([200, 400]).toContain(status)
      expect(headers['location']).toBeUndefined()
      expect(headers['content-security-policy']).toMatch(/script-src 'self';.*frame-ancestors 'self'/)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(text).not.toMatch(/alert\(1\)|evil\.example/)
    }
  })

  test.each<[source: string, target: string]>([
    ['CWE-601', '/s//evil.example'],
    ['CWE-601', '/s/%2f%2fevil.example'],
    ['GHSA-5m6c-jp6f-2vcv', '/s/..//evil.example/%2e%2e'],
    ['CWE-601', '//evil.example/s/x'],
  ])('%s: %s redirects nowhere', async (_source, target) => {
    const { status, head } = await rawRequest(service.gate, { target })
    expect([200, 400, 404]).toContain(status)
    expect(head).not.toMatch(/^location:/im)
  })

  test('CWE-79: a note is JSON for its creator, and no viewer sees it', async () => {
    const note = '<img src=x onerror=alert(1)>"\'</script>'
    const link = await makeLink(admin, { ...live, note })
    const opened = await open(link)
    expect(opened.text).not.toContain('onerror')
    const { headers, json } = await admin.get('/api/links')
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect((json as { id: string; note: string }[]).find(({ id }) => id === link.id)?.note).toBe(note)
    expect((await admin.post('/api/links', { ...live, note: 'a\r\nSet-Cookie: x=y' })).status).toBe(400)
  })
})
