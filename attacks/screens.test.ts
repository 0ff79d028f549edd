/** Pairing a display without an admin, with someone else's admin, or more often than anyone needs; a screen's cookie where it does not belong. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { cookieIn, pairScreen, startPairing } from '../server/test/support/pair-screen.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'

const alphabet = 'ACDEFGHJKMNPQRTUVWXY34679'
const minute = 60_000

let service: InProcessService
let admin: TestClient
beforeAll(async () => {
  service = await startService({
    config: { tls: { enabled: false }, auth: { failed_login_rate_limit: '5/minute' } },
  })
  admin = await service.user('boss', 'admin')
})
afterAll(stopAll)

const body = { name: 'hall', cameras: ['yard'] }
const confirm = (client: TestClient, code: string) => client.post('/api/pairings/confirm', { code, ...body })
const statuses = (replies: readonly { status: number }[]) => [...new Set(replies.map(({ status }) => status))]

describe('[KEY-6] a code', () => {
  test.each<[source: string, what: string, change: (code: string) => string]>([
    ['ASVS 6.6.2', 'another code', (code) => alphabet[(alphabet.indexOf(code[0]!) + 1) % 25] + code.slice(1)],
    ['ASVS 2.2.1', 'a part of it', (code) => code.slice(0, 7)],
    ['ASVS 2.2.1', 'more than it', (code) => `${code}A`],
    ['CWE-89', 'a wildcard', (code) => `${code.slice(0, 7)}%`],
    ['CWE-89', 'another wildcard', () => '________'],
    ['CWE-89', 'SQL', () => "' or 1=1 --"],
    [
      'CWE-176',
      'wide letters',
      (code) => code.replace(/[A-Z]/, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
    ],
    ['CWE-626', 'a NUL', (code) => `${code}\0`],
    ['CWE-20', 'only spaces', () => '        '],
  ])('%s: %s is not accepted instead of it', async (_source, _what, change) => {
    const { code } = await startPairing(service)
    await service.clock.advance(2 * minute)
    expect((await confirm(admin, change(code))).status).toBe(404)
    expect((await admin.post('/api/pairings/find', { code: change(code) })).status).toBe(404)
  })

  test('ASVS 6.3.1: guesses are limited like passwords, also two hundred at the same time, and so is the right one then', async () => {
    await service.clock.advance(2 * minute)
    const { code } = await startPairing(service)
    const guesses = Array.from(
      { length: 200 },
      (_, at) => code.slice(0, 6) + alphabet[Math.floor(at / 20)] + alphabet[at % 20],
    )
    const wrong = guesses.filter((guess) => guess !== code)
    const replies = await Promise.all(wrong.map((guess) => confirm(admin, guess)))
    expect(replies.filter(({ status }) => status === 404)).toHaveLength(5)
    expect(statuses(replies).toSorted((a, b) => a - b)).toEqual([404, 429])
    expect((await confirm(admin, code)).status).toBe(429)
    await service.clock.advance(2 * minute)
  })

  test.each<[source: string, who: string, client: () => Promise<TestClient>, status: number]>([
    ['RFC 8628 5.4', 'the display itself', () => Promise.resolve(service.gate), 401],
    ['ASVS 8.2.1', 'a viewer', () => service.user('vera'), 403],
    ['ASVS 8.2.1', 'another screen', async () => (await pairScreen(service, body)).client, 403],
  ])('%s: %s cannot confirm it', async (_source, _who, client, status) => {
    const { id, code } = await startPairing(service)
    const caller = await client()
    expect((await confirm(caller, code)).status).toBe(status)
    expect((await caller.post('/api/pairings/find', { code })).status).toBe(status)
    expect((await service.gate.get(`/api/pairings/${id}`)).status).toBe(202)
  })

  test('RFC 8628 5.1: the code does not ask for the result, and the id does not confirm', async () => {
    const { id, code } = await startPairing(service)
    expect((await service.gate.get(`/api/pairings/${code}`)).status).toBe(410)
    expect((await confirm(admin, id.slice(0, 32))).status).toBe(404)
    await service.clock.advance(2 * minute)
    const { json } = await admin.post('/api/pairings/find', { code })
    expect(JSON.stringify(json)).not.toContain(id)
    expect((await confirm(admin, code)).text).not.toContain(id)
  })

  test('CWE-384: a cookie that the display had before the pairing does not become valid', async () => {
    const chosen = `gatehouse_screen=${'a'.repeat(32)}.${'b'.repeat(43)}`
    const display = service.gate.with({ cookie: chosen })
    const { id, code } = (await display.post('/api/pairings')).json as { id: string; code: string }
    expect((await confirm(admin, code)).status).toBe(201)
    const paired = await display.get(`/api/pairings/${id}`)
    expect(cookieIn(paired.cookies)).not.toBe(chosen)
    expect((await display.get('/api/profile')).status).toBe(401)
    // Nor one that contains the id of the pairing, which the display and its proxy know.
    const { id: screen } = lastOf((await admin.get('/api/screens')).json)
    for (const secret of [id, id.slice(0, 43)]) {
      const cookie = `gatehouse_screen=${screen}.${secret}`
      expect((await service.gate.get('/api/profile', { cookie })).status).toBe(401)
    }
  })
})

const lastOf = (list: unknown): { readonly id: string } => (list as { id: string }[]).at(-1) ?? { id: '' }

describe('[KEY-6] floods', () => {
  test('ASVS 2.4.1: one address gets a few codes, and then 429 with the time to wait', async () => {
    const flooded = await startService({ config: { tls: { enabled: false } } })
    const replies = await Promise.all(Array.from({ length: 100 }, () => flooded.gate.post('/api/pairings')))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(20)
    const refused = replies.find(({ status }) => status === 429)
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    await flooded.clock.advance(minute)
    expect((await flooded.gate.post('/api/pairings')).status).toBe(201)
  })

  test('ASVS 2.4.1: one address gets a few results, whatever the id, and then 429', async () => {
    const flooded = await startService({ config: { tls: { enabled: false } } })
    for (const id of ['x', 'x'.repeat(200)]) expect((await flooded.gate.get(`/api/pairings/${id}`)).status).toBe(410)
    const replies = await Promise.all(
      Array.from({ length: 400 }, (_, at) =>
        flooded.gate.get(`/api/pairings/${'x'.repeat(43 - String(at).length)}${at}`),
      ),
    )
    expect(statuses(replies).toSorted((a, b) => a - b)).toEqual([410, 429])
  })
})

describe('[KEY-6] the cookie of a screen', () => {
  let cookie: string
  let id: string
  beforeAll(async () => {
    const paired = await pairScreen(service, body)
    cookie = String(paired.client.headers['cookie'])
    id = paired.id
  })
  const value = () => cookie.split('=')[1]!
  const secret = () => value().split('.')[1]!

  test.each<[source: string, what: string, headers: () => Record<string, string>]>([
    ['ASVS 7.2.1', 'as a bearer token', () => ({ authorization: `Bearer ${value()}` })],
    [
      'ASVS 7.2.1',
      'as a password',
      () => ({ authorization: `Basic ${Buffer.from(`x:${value()}`).toString('base64')}` }),
    ],
    ['ASVS 7.2.1', 'as a session', () => ({ cookie: `gatehouse_token=${value()}` })],
    ['CWE-178', 'in capitals', () => ({ cookie: cookie.toUpperCase() })],
    ['CWE-178', 'under a name in capitals', () => ({ cookie: `GATEHOUSE_SCREEN=${value()}` })],
    ['CWE-697', 'without its last character', () => ({ cookie: cookie.slice(0, -1) })],
    ['CWE-697', 'without its secret', () => ({ cookie: `gatehouse_screen=${id}.` })],
    ['CWE-697', 'of another id', () => ({ cookie: `gatehouse_screen=${'0'.repeat(32)}.${secret()}` })],
    ['CWE-235', 'beside another one', () => ({ cookie: `${cookie}; gatehouse_screen=${'0'.repeat(32)}.${secret()}` })],
    ['CWE-613', 'with an Authorization that is not valid', () => ({ cookie, authorization: 'Bearer x' })],
  ])('%s: %s gives nothing', async (_source, _what, headers) => {
    expect((await service.gate.get('/api/profile', headers())).status).toBe(401)
  })

  test.each<[source: string, method: string, path: string, sent?: object]>([
    ['ASVS 8.2.1', 'GET', '/api/users'],
    ['ASVS 8.2.1', 'GET', '/api/screens'],
    ['ASVS 8.2.1', 'GET', '/api/sessions'],
    ['ASVS 8.2.1', 'GET', '/api/config/raw'],
    ['ASVS 8.2.1', 'GET', '/api/audit'],
    ['ASVS 8.2.1', 'GET', '/api/logs'],
    ['ASVS 8.2.1', 'GET', '/api/exports'],
    ['ASVS 8.2.1', 'GET', '/api/review'],
    ['ASVS 8.2.1', 'GET', '/api/cameras/yard/recordings?after=0&before=9'],
    ['ASVS 8.2.2', 'GET', '/api/cameras/office/latest.jpg'],
    ['ASVS 8.2.3', 'PATCH', '/api/screens/ID', { cameras: ['office'] }],
    ['ASVS 8.2.3', 'POST', '/api/exports', { camera: 'yard', start: 0, end: 9 }],
    ['ASVS 8.2.3', 'PUT', '/api/review/seen', { ids: [], seen: true }],
    ['ASVS 8.2.3', 'PUT', '/api/users/hall/password', { password: 'correct horse battery' }],
    ['CWE-441', 'GET', '/api/auth'],
  ])('%s: %s %s is 403 for it', async (_source, method, path, sent) => {
    const { status } = await service.gate.request(method, path.replace('ID', id), { headers: { cookie }, body: sent })
    expect(status).toBe(403)
  })

  test('CWE-352: another site’s page cannot use it', async () => {
    const headers = { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await service.gate.request('PUT', '/api/review/seen', { headers, body: {} })).status).toBe(403)
    const socket = service.gate.socket('/api/events', { headers })
    const status = await new Promise<number>((resolve) => {
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
      socket.on('open', () => resolve(101))
      socket.on('error', () => resolve(0))
    })
    expect(status).toBe(403)
  })

  test('ASVS 14.2.1: its secret is in no list, log or audit entry', async () => {
    const shown = await Promise.all(
      ['/api/screens', '/api/audit', '/api/logs'].map((path) => service.internal.get(path)),
    )
    for (const { text } of shown) expect(text).not.toContain(secret())
    expect(service.output()).not.toContain(secret())
  })
})
