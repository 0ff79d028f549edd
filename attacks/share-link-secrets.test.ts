/** Share links: secrets, codes and cookies that are guessed, sent in another place, used at another link, or found in a log. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { linkCookieIn, makeLink, openLink, type CreatedShareLink } from '../server/test/support/make-link.ts'
import { openDatabase } from '../server/test/support/service-database.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

const minute = 60_000
const live = { kind: 'live', camera: 'yard' }

let service: InProcessService
let admin: TestClient
beforeAll(async () => {
  service = await startService({
    config: {
      tls: { enabled: false },
      logger: { default: 'debug' },
      auth: { failed_login_rate_limit: '5/minute', trusted_proxies: ['127.0.0.1'] },
    },
  })
  admin = await service.user('boss', 'admin')
})
afterAll(stopAll)

let addresses = 0
/** A client at its own address, so that no row uses up the attempts of another. */
const fromElsewhere = (): TestClient => service.gate.with({ 'x-forwarded-for': `198.51.100.${++addresses}` })

const open = (link: string, body: object, client = fromElsewhere(), headers = {}) =>
  client.post(`/api/links/${link}/open`, body, headers)
const reasonOf = (json: unknown) => (json as { reason?: { code: string } }).reason?.code

describe('[LINK-2] another secret opens nothing', () => {
  let link: CreatedShareLink
  let other: CreatedShareLink
  beforeAll(async () => void ([link, other] = [await makeLink(admin, live), await makeLink(admin, live)]))

  test.each<[source: string, attack: string, secret: () => unknown, status?: number]>([
    ['ASVS 6.5.4', 'a guessed one', () => 'A'.repeat(43)],
    ['ASVS 6.5.4', 'none', () => ''],
    ['CWE-697', 'without its last character', () => link.secret.slice(0, -1)],
    ['CWE-697', 'only its first half', () => link.secret.slice(0, 21)],
    ['CWE-697', 'with one character more', () => `${link.secret}A`],
    ['CWE-178', 'in capitals', () => link.secret.toUpperCase()],
    ['CWE-158', 'with a NUL after it', () => `${link.secret}\0`],
    ['CWE-697', 'with a space after it', () => `${link.secret} `],
    ['CWE-697', 'with the mark of the fragment', () => `#${link.secret}`],
    ['CWE-639', 'that of another link', () => other.secret],
    ['CWE-287', 'the id of the link', () => link.id],
    ['CWE-836', 'its hash, which the database has', () => createHash('sha256').update(link.secret).digest('hex')],
    ['ASVS 1.2.4', 'a wildcard', () => '%'],
    ['ASVS 1.2.4', 'an object', () => ({ $ne: '' }), 400],
    ['CWE-843', 'a list with it', () => [link.secret], 400],
    ['CWE-843', 'true', () => true, 400],
    ['CWE-400', 'a megabyte', () => 'A'.repeat(1_000_000), 400],
  ])('%s: %s', async (_source, _attack, secret, status = 401) => {
    const refused = await open(link.id, { secret: secret() })
    expect([refused.status, refused.cookies]).toEqual([status, []])
  })

  test.each<[source: string, where: string, query: (secret: string) => string, headers?: (secret: string) => object]>([
    ['CWE-598', 'in the query', (secret) => `?secret=${secret}`],
    ['CWE-598', 'in the query, as a key', (secret) => `?key=${secret}`],
    ['ASVS 14.2.1', 'as a matrix parameter', (secret) => `;secret=${secret}`],
    ['ASVS 14.2.1', 'in the path', (secret) => `/${secret}`],
    ['CWE-287', 'as a bearer token', () => '', (secret) => ({ authorization: `Bearer ${secret}` })],
    ['CWE-287', 'in a header', () => '', (secret) => ({ 'x-link-secret': secret })],
    ['CWE-287', 'in a cookie', () => '', (secret) => ({ cookie: `gatehouse_link=${secret}` })],
    ['CWE-287', 'in Referer', () => '', (secret) => ({ referer: `/s/x#${secret}` })],
  ])('%s: the right one %s opens nothing', async (_source, _where, query, headers = () => ({})) => {
    const at = fromElsewhere().with(headers(link.secret) as Record<string, string>)
    const path = `/api/links/${link.id}/open${query(link.secret)}`
    for (const { status, cookies } of [await at.post(path, {}), await at.get(path), await at.post(path)]) {
      expect([400, 401, 404, 405]).toContain(status)
      expect(cookies).toEqual([])
    }
    const image = `/api/links/${link.id}/latest.jpg${query(link.secret)}`
    expect([401, 404]).toContain((await at.get(image)).status)
  })

  test('ASVS 6.3.1: two hundred guesses of one address, at the same time, are five', async () => {
    const guesser = fromElsewhere()
    const guesses = await Promise.all(
      Array.from({ length: 200 }, (_, at) => open(link.id, { secret: `guess ${at}` }, guesser)),
    )
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5)
    const [refused] = guesses.filter(({ status }) => status === 429)
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    // The right one, too: an attacker learns nothing beyond the limit. Other addresses are not concerned.
    expect((await open(link.id, { secret: link.secret }, guesser)).status).toBe(429)
    expect((await open(link.id, { secret: link.secret })).status).toBe(200)
  })

  test('ASVS 6.3.8: an id that does not exist is refused like a wrong secret', async () => {
    const [wrong, missing] = [
      await open(link.id, { secret: 'A'.repeat(43) }),
      await open('0'.repeat(32), { secret: 'A' }),
    ]
    expect([missing.status, missing.json]).toEqual([wrong.status, wrong.json])
    for (const id of [
      'x',
      '0'.repeat(31),
      '0'.repeat(200),
      link.id.toUpperCase(),
      encodeURIComponent("' or 1=1; --"),
    ]) {
      const malformed = await open(id, { secret: 'A' })
      expect([malformed.status, malformed.json], id).toEqual([wrong.status, wrong.json])
    }
    const ended = await makeLink(admin, live)
    await admin.delete(`/api/links/${ended.id}`)
    // Only who has the secret learns that the link was revoked.
    expect((await open(ended.id, { secret: 'A'.repeat(43) })).json).toEqual(wrong.json)
    expect((await open(ended.id, { secret: ended.secret })).status).toBe(410)
  })
})

describe('[LINK-3] a code', () => {
  const code = 'blue-door-7'

  test('GHSA-3v48-283x-f2w4: nothing is shown without it, by any path', async () => {
    const link = await makeLink(admin, { ...live, code })
    const reply = await open(link.id, { secret: link.secret })
    expect([reply.status, reasonOf(reply.json), reply.cookies]).toEqual([401, 'link-code-required', []])
    expect(reply.text).not.toContain('yard')
    for (const path of ['latest.jpg', 'live', 'live/index.m3u8', 'playback/index.m3u8', 'video.mp4'])
      expect((await fromElsewhere().get(`/api/links/${link.id}/${path}`)).status).toBe(401)
  })

  test.each<[source: string, attack: string, code: unknown, status: number]>([
    ['CWE-178', 'in capitals', code.toUpperCase(), 401],
    ['CWE-697', 'a part of it', code.slice(0, 6), 401],
    ['CWE-697', 'an empty one', '', 401],
    ['CWE-626', 'with a NUL', `${code}\0`, 401],
    ['ASVS 1.2.4', 'a wildcard', '%', 401],
    ['CWE-843', 'null', null, 400],
    ['CWE-843', 'an object', { $ne: '' }, 400],
    ['CWE-843', 'a list of guesses', [code], 400],
  ])('%s: %s opens nothing', async (_source, _attack, sent, status) => {
    const link = await makeLink(admin, { ...live, code })
    const refused = await open(link.id, { secret: link.secret, code: sent })
    expect([refused.status, refused.cookies]).toEqual([status, []])
  })

  test('ASVS 6.3.1: one address has five guesses', async () => {
    const link = await makeLink(admin, { ...live, code })
    const guesser = fromElsewhere()
    const guess = (at: number) => open(link.id, { secret: link.secret, code: `guess ${at}` }, guesser)
    const guesses = await Promise.all(Array.from({ length: 50 }, (_, at) => guess(at)))
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5)
    expect((await open(link.id, { secret: link.secret, code }, guesser)).status).toBe(429)
  })

  test('CWE-307: many addresses have fifty guesses together, also at the same time, and then not even the right one opens it', async () => {
    const link = await makeLink(admin, { ...live, code })
    const before = await openLink({ gate: fromElsewhere() }, link, code)
    const guesses = await Promise.all(
      Array.from({ length: 80 }, (_, at) => open(link.id, { secret: link.secret, code: `guess ${at}` })),
    )
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(50)
    const late = await open(link.id, { secret: link.secret, code })
    expect([late.status, reasonOf(late.json)]).toEqual([410, 'link-locked'])
    // Who watched before is not locked out by that.
    const cookie = String(before.headers['cookie'])
    expect((await open(link.id, { secret: link.secret }, fromElsewhere(), { cookie })).status).toBe(200)
  })

  test('CWE-307: right codes in between win no further guesses', async () => {
    const link = await makeLink(admin, { ...live, code })
    for (let round = 0; round < 5; round++) {
      for (let at = 0; at < 10; at++) await open(link.id, { secret: link.secret, code: `guess ${round}.${at}` })
      if (round < 4) expect((await open(link.id, { secret: link.secret, code })).status).toBe(200)
    }
    expect((await open(link.id, { secret: link.secret, code })).status).toBe(410)
  })

  test('CWE-256, as in Immich #26975: neither it nor the secret is in the database, a response or the log', async () => {
    const link = await makeLink(admin, { ...live, code })
    const database = openDatabase(service, { readOnly: true })
    const [row] = database.prepare('select * from share_link where id = ?').all(link.id)
    database.close()
    expect(row).toMatchObject({ id: link.id, secret_hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const shown = await Promise.all(
      ['/api/links', '/api/links/all', '/api/audit', '/api/logs'].map((path) => admin.get(path)),
    )
    for (const text of [JSON.stringify(row), service.output(), ...shown.map((reply) => reply.text)]) {
      expect(text).not.toContain(code)
      expect(text).not.toContain(link.secret)
    }
  })
})

const image = (of: Pick<CreatedShareLink, 'id'>, headers: Record<string, string>) =>
  service.gate.get(`/api/links/${of.id}/latest.jpg`, headers)

describe('[LINK-2] a cookie', () => {
  let link: CreatedShareLink
  let other: CreatedShareLink
  let cookie: string
  const value = () => cookie.split('=')[1]!
  const viewer = () => value().split('.')[0]!
  const signature = () => value().split('.')[1]!
  beforeAll(async () => {
    ;[link, other] = [await makeLink(admin, live), await makeLink(admin, live)]
    cookie = linkCookieIn((await open(link.id, { secret: link.secret })).cookies)
  })

  test('opens the link that it is of', async () => {
    expect((await image(link, { cookie })).status).not.toBe(401)
  })

  test.each<[source: string, attack: string, headers: () => Record<string, string>]>([
    ['CWE-565', 'of another viewer', () => ({ cookie: `gatehouse_link=${'0'.repeat(32)}.${signature()}` })],
    ['CWE-347', 'without a signature', () => ({ cookie: `gatehouse_link=${viewer()}` })],
    ['CWE-347', 'with an empty signature', () => ({ cookie: `gatehouse_link=${viewer()}.` })],
    ['CWE-347', 'with another signature', () => ({ cookie: `gatehouse_link=${viewer()}.${'A'.repeat(43)}` })],
    ['CWE-347', 'without its last character', () => ({ cookie: cookie.slice(0, -1) })],
    ['CWE-178', 'in capitals', () => ({ cookie: cookie.toUpperCase() })],
    ['CWE-178', 'under a name in capitals', () => ({ cookie: `GATEHOUSE_LINK=${value()}` })],
    ['CWE-235', 'beside another one', () => ({ cookie: `${cookie}; gatehouse_link=${'0'.repeat(32)}.${signature()}` })],
    ['CWE-287', 'as a bearer token', () => ({ authorization: `Bearer ${value()}` })],
    ['CWE-287', 'as a session', () => ({ cookie: `gatehouse_token=${value()}` })],
    ['CWE-287', 'as a screen', () => ({ cookie: `gatehouse_screen=${value()}` })],
  ])('%s: %s is 401', async (_source, _attack, headers) => {
    expect((await image(link, headers())).status).toBe(401)
  })

  test('CWE-639: at another link it is 401, also together with its own id', async () => {
    expect((await image(other, { cookie })).status).toBe(401)
    expect((await service.gate.get(`/api/links/${other.id}/latest.jpg?link=${link.id}`, { cookie })).status).toBe(401)
    const own = linkCookieIn((await open(other.id, { secret: other.secret })).cookies)
    expect((await image(link, { cookie: own })).status).toBe(401)
    // Nor does it make anyone a viewer who needs no code, and isn't a further use.
    const limited = await makeLink(admin, { ...live, code: 'swordfish', max_opens: 1 })
    const reply = await open(limited.id, { secret: limited.secret }, fromElsewhere(), { cookie })
    expect([reply.status, reasonOf(reply.json)]).toEqual([401, 'link-code-required'])
  })

  test('CWE-384: one that was chosen before the link is opened does not become valid', async () => {
    const chosen = `gatehouse_link=${'a'.repeat(32)}.${'b'.repeat(43)}`
    const { cookies } = await open(link.id, { secret: link.secret }, fromElsewhere(), { cookie: chosen })
    expect(linkCookieIn(cookies)).not.toContain('a'.repeat(32))
    expect((await image(link, { cookie: chosen })).status).toBe(401)
  })
})

describe('[LINK-2] secrets that others read', () => {
  test('CWE-532: secret and cookie are in no log, list or audit entry, also after failures', async () => {
    const link = await makeLink(admin, { ...live, note: 'read' })
    const opened = await open(link.id, { secret: link.secret })
    const signed = linkCookieIn(opened.cookies).split('.')[1]!
    await open(link.id, { secret: `${link.secret}x` })
    await open(link.id, { secret: link.secret, more: 1 })
    await service.gate.request('POST', `/api/links/${link.id}/open`, {
      headers: { 'content-type': 'application/json' },
      body: `{"secret":"${link.secret}"`,
    })
    await service.gate.get(`/api/links/${link.id}/latest.jpg`, { cookie: linkCookieIn(opened.cookies) })
    await service.clock.advance(2 * minute)
    const paths = ['/api/links', '/api/links/all', '/api/audit', '/api/logs', '/api/sessions', '/api/config']
    for (const { text } of await Promise.all(paths.map((path) => admin.get(path)))) {
      expect(text).not.toContain(link.secret)
      expect(text).not.toContain(signed)
    }
    expect(service.output()).not.toContain(link.secret)
    expect(service.output()).not.toContain(signed)
  })

  test('W3C capability URLs: no URL that the service sees or sends has the secret', async () => {
    const link = await makeLink(admin, live)
    const { pathname, search, hash } = new URL(link.url)
    expect([pathname, search, hash]).toEqual([`/s/${link.id}`, '', `#${link.secret}`])
    const page = await service.gate.get(pathname)
    expect([page.status, page.headers['referrer-policy']]).toEqual([200, 'same-origin'])
    expect(page.text).not.toContain(link.secret)
    const opened = await open(link.id, { secret: link.secret })
    expect(opened.text).not.toContain(link.secret)
    expect(opened.headers['location']).toBeUndefined()
    expect(opened.headers['cache-control']).toMatch(/no-store/)
  })
})
