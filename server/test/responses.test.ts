import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { Check } from 'typebox/schema'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listenerLimits } from '../src/http/listener.ts'
import { accessRows } from './support/access-oracle.ts'
import { stopAll } from './support/cleanups.ts'
import { namingVersion } from './support/if-none-match.ts'
import { makeLink, openLink } from './support/make-link.ts'
import { pairScreen, startPairing } from './support/pair-screen.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { writeRecordings } from './support/write-recordings.ts'
import { grayJpeg, seedReview } from './support/review-seed.ts'
import { signIn } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { Reply, TestClient } from './support/test-client.ts'

interface DocumentedResponse {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>
}
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly schema: { readonly maxLength?: number } }[]
  readonly responses: Readonly<Record<string, DocumentedResponse>>
}

/** Unix seconds. An hour ago, so that it is within the retention. */
const recordedAt = Math.floor(Date.now() / 1000) - 3600
const web = resolve(import.meta.dirname, '../../web/dist')

let service: InProcessService
let paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
/** A request for each path of the document that has parameters. */
let requests: Readonly<Record<string, string>>
/** A paired screen. */
let screen: TestClient
/** Viewers of the links in {@link linkPaths}. */
const viewers = new Map<string, TestClient>()

beforeAll(async () => {
  const empty = await startService({
    config: {
      // Without motion, so that no review item is added during the tests.
      cameras: { ...quietCameras, yard: { source: 'demo:yard', motion: { enabled: false } } },
      // Nothing listens there: a sign-in leads back to the login page.
      auth: { failed_login_rate_limit: null, oidc: { issuer: 'http://127.0.0.1:9', client_id: 'gatehouse' } },
      http: { hsts_seconds: 60 },
    },
  })
  await empty.admin()
  await writeRecordings(empty.mediaDir, { camera: 'yard', start: recordedAt * 1000, segments: 1 })
  await writeRecordings(empty.mediaDir, { camera: 'shed', start: recordedAt * 1000, segments: 1 })
  service = await empty.restart()
  const { internal } = service
  await internal.post('/api/users', { username: 'vera', password: 'correct horse battery staple', role: 'admin' })
  paths = ((await internal.get('/api/openapi.json')).json as { paths: typeof paths }).paths
  requests = await requestsFor(service)
  await openLinks()
  screen = (await pairScreen(service, { name: 'hall', cameras: ['yard'] })).client
})
afterAll(stopAll)

const until = <T>(check: () => Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 60_000, interval: 200 })

async function requestsFor({ internal }: InProcessService): Promise<Readonly<Record<string, string>>> {
  const camera = '/api/cameras/{camera}'
  const yard = '/api/cameras/yard'
  const span = `?after=${recordedAt}&before=${recordedAt + 10}`
  const [, segment] = await until(async () => {
    const found = /"id":"(\d+)"/.exec((await internal.get(`${yard}/recordings${span}`)).text)
    expect(found).not.toBeNull()
    return found!
  })
  await until(async () => expect((await internal.get(yard)).json).toMatchObject({ state: 'online' }))
  const [item] = await seedReview(service, [{ camera: 'yard', jpeg: grayJpeg }])
  const clip = { camera: 'yard', start: recordedAt + 1, end: recordedAt + 9 }
  const { id } = (await internal.post('/api/exports', clip)).json as { id: string }
  await until(async () => expect((await internal.get(`/api/exports/${id}`)).json).toMatchObject({ state: 'done' }))
  return {
    [`${camera}/recordings`]: `${yard}/recordings${span}`,
    [`${camera}/recordings/summary`]: `${yard}/recordings/summary${span}`,
    [`${camera}/timeline`]: `${yard}/timeline${span}`,
    [`${camera}/playback/{start}/{end}/index.m3u8`]: `${yard}/playback/${clip.start}/${clip.end}/index.m3u8`,
    [`${camera}/segments/{id}/init.mp4`]: `${yard}/segments/${segment}/init.mp4`,
    [`${camera}/segments/{id}/video.m4s`]: `${yard}/segments/${segment}/video.m4s?at=0`,
    [`${camera}/clip.mp4`]: `${yard}/clip.mp4?start=${clip.start}&end=${clip.end}`,
    '/api/exports/{id}': `/api/exports/${id}`,
    '/api/exports/{id}/video.mp4': `/api/exports/${id}/video.mp4`,
    '/api/removed-cameras/{name}': '/api/removed-cameras/shed',
    '/api/audit/summary': '/api/audit/summary?by=camera',
    '/api/review': `/api/review?after=0&before=${recordedAt}`,
    '/api/review/summary': `/api/review/summary?after=${recordedAt - 86_400}&before=${recordedAt}`,
    '/api/review/{id}': `/api/review/${item!.id}`,
    '/api/review/{id}/thumbnail.jpg': `/api/review/${item!.id}/thumbnail.jpg`,
    '/api/users/{username}': '/api/users/vera',
  }
}

/** Links to the live camera and to its recording, and what each shows. */
async function openLinks(): Promise<void> {
  const vera = await signIn(service.gate, 'vera')
  const start = recordedAt + 1
  const live = await makeLink(vera, { kind: 'live', camera: 'yard' })
  const history = await makeLink(vera, { kind: 'history', camera: 'yard', start, end: start + 5, download: true })
  const link = '/api/links/{link}'
  const segment = requests['/api/cameras/{camera}/segments/{id}/init.mp4']!.split('/').at(-2)
  requests = {
    ...requests,
    [`${link}/events`]: `/api/links/${live.id}/events`,
    [`${link}/latest.jpg`]: `/api/links/${live.id}/latest.jpg`,
    [`${link}/live`]: `/api/links/${live.id}/live`,
    [`${link}/live/index.m3u8`]: `/api/links/${live.id}/live/index.m3u8`,
    [`${link}/live/{number}/init.mp4`]: `/api/links/${live.id}/live`,
    [`${link}/live/{number}/video.m4s`]: `/api/links/${live.id}/live`,
    [`${link}/playback/index.m3u8`]: `/api/links/${history.id}/playback/index.m3u8`,
    [`${link}/segments/{id}/init.mp4`]: `/api/links/${history.id}/segments/${segment}/init.mp4`,
    [`${link}/segments/{id}/video.m4s`]: `/api/links/${history.id}/segments/${segment}/video.m4s?at=0`,
    [`${link}/video.mp4`]: `/api/links/${history.id}/video.mp4`,
  }
  for (const each of [live, history]) viewers.set(each.id, await openLink(service, each))
}

/** The documented path with values for its parameters. */
async function requestOf(path: string, status = '202'): Promise<string> {
  if (path === '/api/pairings/{id}') {
    const { id, code } = await startPairing(service)
    if (status === '200')
      await service.internal.post('/api/pairings/confirm', { code, name: 'hall', cameras: ['yard'] })
    return `/api/pairings/${id}`
  }
  const live = path.startsWith('/api/links/') ? requests[path]! : '/api/cameras/yard/live'
  if (!path.includes('{number}')) return requests[path] ?? path.replace('{camera}', 'yard')
  // Asked for each time, because a live segment expires.
  const playlist = (await service.internal.get('/api/cameras/yard/live/index.m3u8')).text
  const found = path.endsWith('init.mp4')
    ? /URI="([^"]+)"/.exec(playlist)?.[1]
    : /\S+video\.m4s(?=\s*$)/.exec(playlist)?.[0]
  return `${live}/${found}`
}

/** What a request has to send for a documented status. */
const headersFor: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  206: { range: 'bytes=0-9' },
  304: { 'if-none-match': '*' },
  416: { range: 'bytes=999999999-' },
}

test('every GET route responds as the OpenAPI document says: each status, its media type and its JSON', async () => {
  for (const [path, { get }] of Object.entries(paths)) {
    if (!get) continue
    const statuses = Object.keys(get.responses).filter((status) => status !== 'default')
    expect(statuses, path).not.toEqual([])
    for (const status of statuses) {
      // Its own session, because /api/logout ends it.
      const vera = await signIn(service.gate, 'vera')
      const target = await requestOf(path, status)
      const viewer = viewers.get(target.split('/')[3] ?? '')
      if (status === '101') {
        const socket = (viewer ?? vera).socket(target)
        await once(socket, 'open')
        socket.terminate()
        continue
      }
      const client = viewer ?? (path === '/api/screen' ? screen : vera)
      const response = await client.request('GET', target, {
        headOnly: true,
        ...(headersFor[status] && { headers: headersFor[status] }),
      })
      expect(`${target} ${response.status}`).toBe(`${target} ${status}`)
      const [documented] = Object.entries(get.responses[status]!.content ?? {})
      if (!documented) {
        expect(response.body, target).toHaveLength(0)
        continue
      }
      const [type, { schema = {} }] = documented
      expect(`${target} ${response.headers['content-type']?.split(';')[0]}`).toBe(`${target} ${type}`)
      if (/^text\/|json$/.test(type)) expect(response.headers['content-type'], target).toMatch(/charset=utf-8$/)
      if (type === 'application/json') expect(Check(schema, JSON.parse(response.text)), target).toBe(true)
    }
  }
})

test('no GET changes anything, even by an admin', async () => {
  const state = async () => {
    const settings = ['users', 'roles', 'sessions', 'config/raw', 'tokens/all', 'links/all', 'invitations', 'screens']
    const kept = [...settings, 'exports', 'review']
    const replies = await Promise.all(kept.map((path) => service.internal.get(`/api/${path}`)))
    expect(replies.map(({ status }) => status)).toEqual(kept.map(() => 200))
    // Watching a link is no change of it.
    const texts = replies.map(({ text }) => text.replaceAll(/"viewers":\d+/g, ''))
    const audited = (await service.internal.get('/api/audit?limit=500')).json as { entries: { action: string }[] }
    const actions = audited.entries.map(({ action }) => action)
    return [...texts, actions.filter((action) => !/^(?:internal\.use|config\.read|login)$/.test(action))]
  }
  const vera = await signIn(service.gate, 'vera')
  const before = await state()
  for (const { method, path } of accessRows) {
    if (method !== 'GET' || path.endsWith('/logout')) continue
    const target = await requestOf(path.replaceAll(/:(\w+)/g, '{$1}'))
    expect((await vera.request('GET', target, { headOnly: true })).status, target).toBeLessThan(500)
  }
  expect(await state()).toEqual(before)
})

test('every error of the API is the documented problem, whatever the method', async () => {
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { responses }] of Object.entries(operations)) {
      const { content } = responses['default']!
      const response = await service.gate.request(method.toUpperCase(), await requestOf(path), {
        headers: { 'sec-fetch-site': 'same-origin' },
      })
      if (response.status < 400) continue
      expect(`${path} ${response.headers['content-type']?.split(';')[0]}`).toBe(`${path} application/problem+json`)
      const { schema = {} } = content!['application/problem+json']!
      expect(Check(schema, response.json), `${path} ${response.text}`).toBe(true)
    }
  }
})

test('[ERR-3] the longest value of a parameter that the document allows fits into a request', () => {
  for (const [path, operations] of Object.entries(paths)) {
    for (const { parameters = [] } of Object.values(operations)) {
      for (const { name, schema } of parameters) {
        expect(schema.maxLength ?? 0, `${path} ${name}`).toBeLessThanOrEqual(listenerLimits.maxHeaderSize - 1024)
      }
    }
  }
})

test('the raw configuration is documented as the YAML that it is, read and written', () => {
  const { responses } = paths['/api/config/raw']!['get']!
  expect(paths['/api/config/raw']!['put']).toMatchObject({ requestBody: { content: { 'text/yaml': { schema: {} } } } })
  expect(paths['/api/config/raw']!['put']).not.toHaveProperty('requestBody.content.text/yaml.schema.type')
  expect(Object.keys(responses['200']!.content!)).toEqual(['text/yaml'])
})

/** Checks the headers that every response has; `port` is the port that sent it. */
function expectSecured({ headers }: Reply, port: 'gate' | 'internal', what: string): void {
  expect(headers, what).toMatchObject({
    'content-security-policy': expect.stringMatching(
      /^default-src 'self'; script-src 'self'; .*object-src 'none'; base-uri 'self'; .*frame-ancestors 'self'$/,
    ) as string,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  })
  expect(headers['strict-transport-security'], what).toBe(port === 'gate' ? 'max-age=60' : undefined)
  expect(headers, what).not.toHaveProperty('server')
  expect(headers, what).not.toHaveProperty('x-powered-by')
  expect(headers, what).not.toHaveProperty('access-control-allow-origin')
}

test('every route sends the security headers on both ports, to a user and in a refusal, and is never cached openly', async () => {
  for (const { method, path } of accessRows) {
    const documented = path.replaceAll(/:(\w+)/g, '{$1}')
    const target = await requestOf(documented)
    const refused = await service.gate.request(method, target)
    expectSecured(refused, 'gate', `${method} ${target} ${refused.status}`)
    if (method !== 'GET') continue
    const vera = await signIn(service.gate, 'vera')
    for (const [port, client] of [
      ['gate', vera],
      ['internal', service.internal],
    ] as const) {
      for (const requested of ['GET', 'HEAD']) {
        const response = await client.request(requested, target, { headOnly: true })
        expectSecured(response, port, `${requested} ${target} ${response.status}`)
        if (path !== '/ca.crt') expect(response.headers['cache-control'], target).toMatch(/no-store|private/)
      }
    }
  }
})

test('every error sends the security headers: an unknown path, a wrong method, an ambiguous path, an invalid body', async () => {
  for (const [port, client] of [
    ['gate', service.gate],
    ['internal', service.internal],
  ] as const) {
    for (const [method, target] of [
      ['GET', '/api/nothing'],
      ['DELETE', '/api/login'],
      ['POST', '/nothing'],
      ['GET', '/api//cameras'],
      ['GET', '/api/cameras/%zz'],
      ['OPTIONS', '/api/cameras'],
      ['TRACE', '/api/cameras'],
      ['QUERY', '/api/cameras'],
      ['QUERY', '/'],
    ] as const) {
      const response = await client.request(method, target)
      expect(response.status, target).toBeGreaterThanOrEqual(400)
      expectSecured(response, port, `${method} ${target} ${response.status}`)
    }
    expectSecured(await client.post('/api/login', '{'), port, 'an invalid body')
  }
})

test.skipIf(!existsSync(web))(
  'every page and file of the web UI sends the security headers, and no source map is among them',
  async () => {
    const files = readdirSync(web, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(?:br|gz)$/.test(entry.name))
      .map((entry) => relative(web, join(entry.parentPath, entry.name)))
    expect(files.filter((name) => name.endsWith('.map'))).toEqual([])
    const pages = ['', 'live', 'settings/users', 'assets', 'assets/']
    for (const [port, client] of [
      ['gate', service.gate],
      ['internal', service.internal],
    ] as const) {
      const page = (await client.get('/')).text
      for (const name of [...pages, ...files]) {
        const response = await client.get(`/${name}`)
        expect(response.status, name).toBe(200)
        expectSecured(response, port, name)
        if (pages.includes(name)) expect(response.text, name).toBe(page)
      }
    }
  },
)

test('the API reference is not sent again to clients that have it', async () => {
  const ann = await signIn(service.gate, 'vera')
  const { status, headers, text } = await ann.get('/api/openapi.json')
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'application/json; charset=utf-8',
    'private, no-cache',
  ])
  expect(JSON.parse(text)).toMatchObject({ openapi: '3.1.0' })
  for (const named of namingVersion(headers.etag!)) {
    const again = await ann.get('/api/openapi.json', { 'if-none-match': named })
    expect([again.status, again.text], named).toEqual([304, ''])
  }
  expect((await service.gate.get('/api/openapi.json', { 'if-none-match': headers.etag! })).status).toBe(401)
})
