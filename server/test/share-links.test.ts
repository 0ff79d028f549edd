import { on, once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { changeConfig } from './support/change-config.ts'
import { stopAll } from './support/cleanups.ts'
import { linkCookieIn, linkPath, makeLink, openLink, type CreatedShareLink } from './support/make-link.ts'
import {
  first,
  last,
  makeExport,
  sharedCameras as cameras,
  sharingRoles as roles,
  startWithVideo,
} from './support/shared-video.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'
import { wait } from './support/wait.ts'

const hour = 60 * 60_000
const config = {
  tls: { enabled: false },
  audit: { reads: true },
  cameras,
  auth: { roles, failed_login_rate_limit: null },
}

let service: InProcessService
let sharer: TestClient
let admin: TestClient
/** A finished export of the sharer. */
let exported: string

beforeAll(async () => {
  service = await startWithVideo(config)
  ;[sharer, admin] = [await service.user('ann', 'sharer'), await service.user('boss', 'admin')]
  exported = await makeExport(sharer)
})
afterAll(stopAll)

const range = { kind: 'history', camera: 'yard', start: first + 15, end: first + 25 }
const open = (link: Pick<CreatedShareLink, 'id' | 'secret'>, body: object = {}) =>
  service.gate.post(linkPath(link, 'open'), { secret: link.secret, ...body })
const problem = (json: unknown) => (json as { reason?: { code: string } }).reason?.code
/** Entries of a link to the camera `yard`. */
const audited = async (action: string, target: string) => {
  const query = `action=${action}&camera=yard`
  const { entries } = (await admin.get(`/api/audit?${query}`)).json as { entries: { target: string }[] }
  return entries.filter((entry) => entry.target === target)
}
/** Entries of wrong secrets, the newest first. */
const wrongOnes = async () => {
  const { entries } = (await admin.get('/api/audit?action=link.open&result=failure')).json as { entries: object[] }
  return entries.filter((entry) => 'detail' in entry && entry.detail === 'wrong-link')
}
const listed = async (client: TestClient, id: string) =>
  ((await client.get('/api/links')).json as { id: string; state: string }[]).find((each) => each.id === id)

const now = () => service.clock.now()
const at = (milliseconds: number) => new Date(now() + milliseconds).toISOString()

describe('[LINK-1] creating a link', () => {
  test('gives its URL once, with a default end, and lists it without its secret', async () => {
    const made = await makeLink(sharer, { kind: 'live', camera: 'yard', note: 'for the postman' })
    expect(made.url).toBe(`http://127.0.0.1:${service.gatePort}/s/${made.id}#${made.secret}`)
    expect(Buffer.from(made.secret, 'base64url')).toHaveLength(32)
    const link = (await listed(sharer, made.id)) as unknown as Record<string, string>
    expect(link).toMatchObject({ kind: 'live', camera: 'yard', state: 'active', owner: 'ann', note: 'for the postman' })
    expect(Date.parse(link['expires_at']!) - service.clock.now()).toBeGreaterThan(23.9 * hour)
    expect(Date.parse(link['expires_at']!) - service.clock.now()).toBeLessThanOrEqual(24 * hour)
    expect(JSON.stringify(link)).not.toContain(made.secret)
    expect(await listed(admin, made.id)).toBeUndefined()
    const all = (await admin.get('/api/links/all')).json as { id: string }[]
    expect(all.map(({ id }) => id)).toContain(made.id)
    expect((await sharer.get('/api/links/all')).status).toBe(403)
    expect(await audited('link.create', made.id)).toMatchObject([{ user: 'ann', result: 'success' }])
  })

  test.each<[string, () => object, number, string | undefined]>([
    ['without a camera', () => ({ kind: 'live' }), 400, 'camera'],
    ['of a live camera with a time', () => ({ kind: 'live', camera: 'yard', start: 1 }), 400, 'start'],
    ['of a live camera to save', () => ({ kind: 'live', camera: 'yard', download: true }), 400, 'download'],
    ['of a range without an end', () => ({ kind: 'history', camera: 'yard', start: 1 }), 400, 'end'],
    ['of a range that ends before it starts', () => ({ ...range, end: range.start - 1 }), 400, 'end'],
    ['of a range in the future', () => ({ ...range, end: now() / 1000 + 60 }), 400, 'end'],
    ['of more than the longest day', () => ({ ...range, start: range.end - 25 * 3600 - 1 }), 400, 'end'],
    ['of a range without recordings', () => ({ ...range, start: 1000, end: 2000 }), 404, undefined],
    ['of an export with a camera', () => ({ kind: 'export', export: exported, camera: 'yard' }), 400, 'camera'],
    ['of an unknown export', () => ({ kind: 'export', export: 'f'.repeat(32) }), 403, undefined],
    ['with an end in the past', () => ({ ...range, expires_at: at(-1000) }), 400, 'expires_at'],
    ['with an end too late', () => ({ ...range, expires_at: at(721 * hour) }), 400, 'expires_at'],
    ['with an end that isn’t a time', () => ({ ...range, expires_at: '2027-01-01T23:59:60Z' }), 400, 'expires_at'],
    ['with a short code', () => ({ ...range, code: '12345' }), 400, 'code'],
    ['with a code of spaces', () => ({ ...range, code: ' '.repeat(6) }), 400, 'code'],
    ['with an unknown field', () => ({ ...range, cameras: ['yard'] }), 400, 'cameras'],
    ['with a note of two lines', () => ({ ...range, note: 'a\nb' }), 400, 'note'],
    ['for no use', () => ({ ...range, max_opens: 0 }), 400, 'max_opens'],
    ['of a camera that the role does not list', () => ({ kind: 'live', camera: 'door' }), 403, undefined],
    ['of a camera that does not exist', () => ({ kind: 'live', camera: 'roof' }), 403, undefined],
  ])('a link %s is refused', async (_what, body, status, field) => {
    const refused = await sharer.post('/api/links', body())
    expect([refused.status, refused.text]).toEqual([status, expect.anything()])
    const problems = (refused.json as { problems?: { field: string }[] }).problems
    expect(problems?.[0]?.field).toBe(field)
  })

  test('needs `share`, and every action that is shared', async () => {
    const [guard, silent] = [await service.user('gus', 'guard'), await service.user('sid', 'silent')]
    const live = { kind: 'live', camera: 'yard' }
    expect((await guard.post('/api/links', live)).status).toBe(403)
    expect((await silent.post('/api/links', live)).status).toBe(201)
    expect((await silent.post('/api/links', { ...live, audio: true })).status).toBe(403)
    expect((await silent.post('/api/links', range)).status).toBe(403)
    expect((await silent.post('/api/links', { kind: 'export', export: exported })).status).toBe(403)
    expect(problem((await service.internal.post('/api/links', live)).json)).toBe('no-account')
  })

  test('widens a range to whole segments', async () => {
    const { start, end } = await makeLink(sharer, range)
    expect([start, end]).toEqual([first + 10, first + 30])
  })

  test('of an export that is not finished, and a link of another user, are out of reach', async () => {
    const made = await makeLink(sharer, { kind: 'live', camera: 'yard' })
    const other = await service.user('otto', 'other')
    expect((await other.delete(`/api/links/${made.id}`)).status).toBe(403)
    expect((await other.delete(`/api/links/${'0'.repeat(32)}`)).status).toBe(403)
    expect((await admin.delete(`/api/links/${'0'.repeat(32)}`)).status).toBe(404)
    expect((await admin.delete(`/api/links/${made.id}`)).status).toBe(204)
    expect((await sharer.delete(`/api/links/${made.id}`)).status).toBe(204)
    expect(await listed(sharer, made.id)).toMatchObject({ state: 'revoked' })
    expect(await audited('link.revoke', made.id)).toMatchObject([{ user: 'boss' }])
  })
})

describe('[LINK-2] opening a link', () => {
  test('exchanges its secret for a cookie that is sent only below its path', async () => {
    const made = await makeLink(sharer, { kind: 'live', camera: 'yard' })
    const { status, json, cookies } = await open(made)
    expect([status, json]).toMatchObject([200, { kind: 'live', title: 'yard', start: null, download: false }])
    expect(cookies).toHaveLength(1)
    expect(cookies[0]).toMatch(
      new RegExp(
        `^gatehouse_link=[0-9a-f]{32}\\.[\\w-]{43}; Max-Age=\\d+; Path=/api/links/${made.id}; HttpOnly; SameSite=Strict$`,
      ),
    )
    expect(await audited('link.open', made.id)).toMatchObject([{ result: 'success', address: '127.0.0.1', user: null }])
  })

  test('with a wrong or missing secret is 401, like a link that does not exist', async () => {
    const made = await makeLink(sharer, { kind: 'live', camera: 'yard' })
    for (const link of [
      { ...made, secret: `${made.secret.slice(0, -4)}AAAA` },
      { ...made, secret: '' },
      { id: 'e'.repeat(32), secret: made.secret },
    ]) {
      const { status, json, cookies } = await open(link)
      expect([status, problem(json), cookies]).toEqual([401, 'wrong-link', []])
    }
    await expect.poll(() => audited('link.open', made.id)).toMatchObject([{ result: 'failure', detail: 'wrong-link' }])
  })

  test('[AUD-2] of links that do not exist is one entry a minute, whatever their ids', async () => {
    const made = await makeLink(sharer, { kind: 'live', camera: 'yard' })
    await service.clock.advance(60_000)
    const before = await wrongOnes()
    for (const letter of 'abcd') await open({ id: letter.repeat(32), secret: made.secret })
    await expect
      .poll(async () => (await wrongOnes()).slice(0, -before.length || undefined))
      .toMatchObject([{ target: null, count: 4 }])
  })

  test('asks for its code, and counts wrong ones until it accepts none', async () => {
    const made = await makeLink(sharer, { kind: 'live', camera: 'yard', code: 'swordfish' })
    expect(problem((await open(made)).json)).toBe('link-code-required')
    expect(problem((await open(made, { code: 'wrong-code' })).json)).toBe('wrong-link-code')
    await expect.poll(() => audited('link.open', made.id)).toMatchObject([{ detail: 'wrong-link-code' }])
    expect((await open(made, { code: ' swordfish' })).status).toBe(200)
    for (let i = 0; i < 49; i++) await open(made, { code: `wrong-${i}` })
    const late = await open(made, { code: 'swordfish' })
    expect([late.status, problem(late.json)]).toEqual([410, 'link-locked'])
    expect(await listed(sharer, made.id)).toMatchObject({ state: 'locked' })
  })

  test('can be limited in number, also for concurrent requests; a page that is loaded again isn’t another use', async () => {
    const made = await makeLink(sharer, { kind: 'live', camera: 'yard', max_opens: 2 })
    const opened = await Promise.all(Array.from({ length: 6 }, () => open(made)))
    expect(opened.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 410, 410, 410, 410])
    const { cookies } = opened.find(({ status }) => status === 200)!
    const again = await service.gate.post(
      linkPath(made, 'open'),
      { secret: made.secret },
      { cookie: linkCookieIn(cookies) },
    )
    expect(again.status).toBe(200)
    expect(await listed(sharer, made.id)).toMatchObject({ state: 'used-up', opens: 2 })
  })

  test('can be limited to a number of viewers at once', async () => {
    const made = await makeLink(sharer, { kind: 'live', camera: 'yard', max_viewers: 1 })
    const viewer = await openLink(service, made)
    const full = await open(made)
    expect([full.status, problem(full.json)]).toEqual([503, 'too-many-viewers'])
    expect((await viewer.get(linkPath(made, 'latest.jpg'))).status).toBe(200)
    await service.clock.advance(30_000)
    expect((await viewer.get(linkPath(made, 'latest.jpg'))).status).toBe(200)
    await service.clock.advance(30_000)
    expect((await open(made)).status).toBe(503)
    await service.clock.advance(46_000)
    const next = await openLink(service, made)
    expect((await next.get(linkPath(made, 'latest.jpg'))).status).toBe(200)
    const late = await viewer.get(linkPath(made, 'latest.jpg'))
    expect([late.status, problem(late.json)]).toEqual([503, 'too-many-viewers'])
  })

  test('lists how many viewers it has now, with and without a limit', async () => {
    const viewersOf = async ({ id }: CreatedShareLink) =>
      ((await sharer.get('/api/links')).json as { id: string; viewers: number }[]).find((each) => each.id === id)
        ?.viewers
    const [limited, unlimited] = [
      await makeLink(sharer, { kind: 'live', camera: 'yard', max_viewers: 5 }),
      await makeLink(sharer, { kind: 'live', camera: 'yard' }),
    ]
    expect([await viewersOf(limited), await viewersOf(unlimited)]).toEqual([0, 0])
    for (const link of [limited, unlimited]) {
      const [stays] = [await openLink(service, link), await openLink(service, link)]
      await expect.poll(() => viewersOf(link)).toBe(2)
      const socket = stays.socket(linkPath(link, 'events'))
      await once(socket, 'open')
      for (let i = 0; i < 4; i++) {
        await service.clock.advance(16_000)
        await wait(50, 'the renewed slot is written')
      }
      await expect.poll(() => viewersOf(link)).toBe(1)
      socket.terminate()
    }
  })

  test('a viewer with an open stream keeps the slot as long as it lasts', async () => {
    const made = await makeLink(sharer, { kind: 'live', camera: 'yard', max_viewers: 1 })
    const socket = (await openLink(service, made)).socket(linkPath(made, 'live'))
    await once(socket, 'open')
    for (let i = 0; i < 5; i++) {
      await service.clock.advance(16_000)
      await new Promise((done) => setTimeout(done, 50))
    }
    expect((await open(made)).status).toBe(503)
    socket.terminate()
  })
})

describe('[LINK-2] what a link shows', () => {
  test('a live camera: live video, and nothing else', async () => {
    const made = await makeLink(sharer, { kind: 'live', camera: 'yard' })
    const viewer = await openLink(service, made)
    await expect.poll(async () => (await viewer.get(linkPath(made, 'latest.jpg'))).status).toBe(200)
    const playlist = await vi.waitFor(async () => {
      const sent = await viewer.get(linkPath(made, 'live/index.m3u8'))
      expect(sent.status).toBe(200)
      return sent
    }, 60_000)
    // The oldest one can be gone by now.
    const [segment] = [...playlist.text.matchAll(/^\d+\/video\.m4s$/gm)].at(-1) ?? []
    expect((await viewer.get(linkPath(made, `live/${segment}`))).status).toBe(200)
    const socket = viewer.socket(linkPath(made, 'live'))
    // On a busy machine, the camera can be offline for a moment.
    for await (const [text] of on(socket, 'message') as AsyncIterable<[Buffer]>) {
      expect(String(text)).not.toMatch(/mp4a/)
      if (String(text).includes('avc1')) break
    }
    socket.terminate()
    for (const path of ['playback/index.m3u8', 'video.mp4', `segments/${last * 1000}/init.mp4`]) {
      expect((await viewer.get(linkPath(made, path))).status).toBe(403)
    }
  })

  test('a range: its segments, none before or after, and no live video', async () => {
    const made = await makeLink(sharer, range)
    const viewer = await openLink(service, made)
    const playlist = await viewer.get(linkPath(made, 'playback/index.m3u8'))
    expect(playlist.status).toBe(200)
    const segments = [...playlist.text.matchAll(/^\.\.\/segments\/(\d+)\/video/gm)].map(([, id]) => Number(id))
    expect(segments).toEqual([first + 10, first + 20].map((start) => start * 1000))
    for (const id of segments) {
      expect((await viewer.get(linkPath(made, `segments/${id}/init.mp4`))).status).toBe(200)
      expect((await viewer.get(linkPath(made, `segments/${id}/video.m4s?at=0`))).status).toBe(200)
    }
    for (const start of [first, first + 30]) {
      expect((await viewer.get(linkPath(made, `segments/${start * 1000}/init.mp4`))).status).toBe(403)
      expect((await viewer.get(linkPath(made, `segments/${start * 1000}/video.m4s?at=0`))).status).toBe(403)
    }
    for (const path of ['video.mp4', 'latest.jpg', 'live/index.m3u8', 'live']) {
      expect((await viewer.get(linkPath(made, path))).status).toBe(403)
    }
  })

  test('a range to save: one file of it, by ranges', async () => {
    const made = await makeLink(sharer, { ...range, download: true, audio: true })
    const viewer = await openLink(service, made)
    const file = await viewer.get(linkPath(made, 'video.mp4'))
    expect([file.status, file.headers['content-disposition']]).toMatchObject([
      200,
      expect.stringMatching(/^attachment/),
    ])
    expect(file.body.includes('mp4a')).toBe(true)
    const part = await viewer.get(linkPath(made, 'video.mp4'), { range: 'bytes=100-199' })
    expect([part.status, part.body.equals(file.body.subarray(100, 200))]).toEqual([206, true])
    expect((await viewer.request('HEAD', linkPath(made, 'video.mp4'))).status).toBe(200)
    const etag = String(file.headers['etag'])
    expect((await viewer.get(linkPath(made, 'video.mp4'), { 'if-none-match': etag })).status).toBe(304)
  })

  test.each([
    [true, /^attachment/],
    [false, /^inline/],
  ])('an export, with download: %s', async (download, disposition) => {
    const made = await makeLink(sharer, { kind: 'export', export: exported, download })
    const viewer = await openLink(service, made)
    const file = await viewer.get(linkPath(made, 'video.mp4'))
    expect([file.status, file.headers['content-disposition']]).toMatchObject([200, expect.stringMatching(disposition)])
    expect(file.body.includes('mp4a')).toBe(false)
    expect((await viewer.get(linkPath(made, 'latest.jpg'))).status).toBe(403)
    expect((await viewer.get(linkPath(made, 'playback/index.m3u8'))).status).toBe(403)
  })

  test('reads are in the audit log, as those of a link', async () => {
    const made = await makeLink(sharer, range)
    await (await openLink(service, made)).get(linkPath(made, 'playback/index.m3u8'))
    await service.clock.advance(120_000)
    await expect
      .poll(async () => (await admin.get('/api/audit?action=playback')).json)
      .toMatchObject({
        entries: expect.arrayContaining([expect.objectContaining({ auth_method: 'link', user: 'ann' })]),
      })
  })
})

// attacks/revocation.test.ts has what ends the streams of a link.

test('[LINK-3] a link to an export that is deleted is unavailable', async () => {
  const id = await makeExport(sharer)
  const link = await makeLink(sharer, { kind: 'export', export: id })
  const viewer = await openLink(service, link)
  expect((await admin.delete(`/api/exports/${id}`)).status).toBe(204)
  expect((await viewer.get(linkPath(link, 'video.mp4'))).status).toBe(403)
  expect([(await open(link)).status, await listed(sharer, link.id)]).toMatchObject([410, { state: 'unavailable' }])
})

describe('[LINK-3] a link and its camera', () => {
  test('ends with its camera, and is not of one that is added later under the name', async () => {
    const own = await startWithVideo(config)
    const boss = await own.user('boss', 'admin')
    const link = await makeLink(boss, { kind: 'live', camera: 'door' })
    const viewer = await openLink(own, link)
    const socket = viewer.socket(linkPath(link, 'live'))
    await once(socket, 'open')
    const closed = once(socket, 'close')
    const without = { ...config, cameras: { yard: cameras['yard'] } }
    await changeConfig(own, without)
    await closed
    expect((await viewer.get(linkPath(link, 'latest.jpg'))).status).toBe(403)
    const again = { ...config, cameras: { ...cameras, door: { ...cameras['door'], source: 'demo:door' } } }
    await changeConfig(own, again)
    expect((await boss.get('/api/cameras/door')).status).toBe(200)
    expect((await viewer.get(linkPath(link, 'latest.jpg'))).status).toBe(403)
  })

  test('[LINK-3] a link that an API token created ends when the token is revoked', async () => {
    const { json } = await sharer.post('/api/tokens', { name: 'doorbell', actions: ['live', 'share'] })
    const { id, token } = json as { id: string; token: string }
    const program = service.gate.with({ authorization: `Bearer ${token}` })
    const made = await program.post('/api/links', { kind: 'live', camera: 'yard' })
    expect(made.status).toBe(201)
    const { url } = made.json as { url: string }
    const [, link = '', secret = ''] = /\/s\/([^#]+)#(.+)$/.exec(url) ?? []
    const open = async () => (await service.gate.post(`/api/links/${link}/open`, { secret })).status
    expect(await open()).toBe(200)
    expect((await sharer.delete(`/api/tokens/${id}`)).status).toBe(204)
    expect(await open()).not.toBe(200)
  })

  test('says for 30 days why it ended', async () => {
    const own = await startService({ config })
    const boss = await own.user('boss', 'admin')
    const link = await makeLink(boss, { kind: 'live', camera: 'yard' })
    const reopen = async () => {
      const { status, json } = await own.gate.post(linkPath(link, 'open'), { secret: link.secret })
      return [status, problem(json)]
    }
    // Only the wall clock: the timers of a month would take minutes.
    own.clock.setWallTime(own.clock.now() + 25 * hour)
    expect(await reopen()).toEqual([410, 'link-expired'])
    own.clock.setWallTime(own.clock.now() + 29 * 24 * hour)
    expect(await reopen()).toEqual([410, 'link-expired'])
  })
})
