/** What a user can still watch after losing the right to it: every reason, for every credential and every kind of open stream. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request as sendHead, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { parse } from 'yaml'
import { changeConfig } from '../server/test/support/change-config.ts'
import { stopAll } from '../server/test/support/cleanups.ts'
import { bearer, createToken, type CreatedToken } from '../server/test/support/create-token.ts'
import { linkPath, type CreatedShareLink } from '../server/test/support/make-link.ts'
import { openStream, type OpenedStream } from '../server/test/support/open-streams.ts'
import { stopwatch } from '../server/test/support/own-time.ts'
import { pairScreen } from '../server/test/support/pair-screen.ts'
import { quietCameras } from '../server/test/support/quiet-cameras.ts'
import { addTotp } from '../server/test/support/second-factor.ts'
import { makeSegment, seedRecordings } from '../server/test/support/seeded-recordings.ts'
import { password, signIn } from '../server/test/support/sign-in.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'
import {
  linkViewer,
  screenViewer,
  userViewer,
  type RecordedVideo,
  type Viewer,
} from '../server/test/support/viewers.ts'

const last = Math.floor(Date.now() / 1000) - 60
/**
 * Segments of ten seconds, 25 MB: more than the buffers between the service and a client hold. A stream that was sent as
 * a whole fails its test.
 */
const count = 20
const span = { start: last - (count - 1) * 10, end: last + 10 }
const allow = ['live', 'audio', 'history', 'review', 'export', 'download', 'share']
/** Each key, so that a change of the role through the API replaces all of it. */
const guard = { cameras: ['group:outside'], allow, history_days: null, hours: [], valid_from: null, valid_until: null }
const roles = { guard: { cameras: guard.cameras, allow }, other: ['door'] }
const proxy = {
  enabled: true,
  trusted_peers: ['127.0.0.1'],
  header_map: { user: 'X-Forwarded-User', role: 'X-Forwarded-Groups' },
  recheck_interval: 60,
}
const liveHls = '/api/cameras/yard/live/index.m3u8'
const secretOf = (letter: string) => ({ SERVICE_JWT_SECRET: letter.repeat(64) })
const minute = 60_000
/** Seconds. */
const sessionLength = 7200

let service: InProcessService
let video: RecordedVideo
/** config.yml before any change. */
let original: string
beforeAll(async () => {
  const yard = { source: 'demo:yard', record: { enabled: false }, motion: { enabled: false } }
  const first = await startService({
    env: secretOf('a'),
    config: {
      time_zone: 'UTC',
      tls: { enabled: false },
      cameras: { ...quietCameras, yard },
      camera_groups: { outside: ['yard'] },
      auth: { roles, failed_login_rate_limit: null, session_length: sessionLength },
      proxy,
    },
  })
  await first.stop()
  const sample = join(first.dir, 'sample.mp4')
  await makeSegment(sample, { seconds: 10, size: '640x360', bitrate: '1M', audio: true })
  seedRecordings(first, 'yard', { sample, count, last })
  service = await first.restart({ env: secretOf('a') })
  original = readFileSync(service.configFile, 'utf8')
  const { internal } = service
  const found = await internal.get(`/api/cameras/yard/recordings?after=${span.start}&before=${span.end}`)
  const [{ id }] = (found.json as { segments: [{ id: string }] }).segments
  const segment = `/api/cameras/yard/segments/${id}/video.m4s?at=0`
  video = { span, segment, exported: await exportOf(internal) }
  await untilLive()
})
afterAll(stopAll)

const until = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 60_000, interval: 50 })

const untilLive = (): Promise<void> => until(async () => expect((await service.internal.get(liveHls)).status).toBe(200))

/** Exports the recordings. @returns the id, once the export is done */
async function exportOf(client: TestClient): Promise<string> {
  const { id } = (await client.post('/api/exports', { camera: 'yard', ...span })).json as { id: string }
  await until(async () => expect((await client.get(`/api/exports/${id}`)).json).toMatchObject({ state: 'done' }))
  return id
}

const openStreams = async (): Promise<number> =>
  ((await service.internal.get('/api/stats')).json as { service: { open_streams: number } }).service.open_streams

/** The response to the next request where streams have ended: a status, for all areas of a viewer or for each that ends. */
type Ends = number | { readonly [area: string]: number }

const statusIn = (area: string, ends: Ends | undefined): number | undefined =>
  typeof ends === 'number' ? ends : ends?.[area]

/** The streams of an area, and whether they should end. */
interface Opened {
  readonly streams: readonly OpenedStream[]
  readonly ends: boolean
}

async function openAll(viewers: Readonly<Record<string, Viewer>>, ends: Readonly<Record<string, Ends>>) {
  const areas = Object.entries(viewers).flatMap(([name, viewer]) =>
    Object.entries(viewer).map(([area, each]) => ({ ...each, ends: statusIn(area, ends[name]) !== undefined })),
  )
  const opened: Opened[] = await Promise.all(
    areas.map(async ({ client, streams, ends: ending }) => ({
      streams: await Promise.all(streams.map((spec) => openStream({ ...spec, client }))),
      ends: ending,
    })),
  )
  const of = (which: boolean) => opened.filter((each) => each.ends === which).flatMap(({ streams }) => streams)
  return { ending: of(true), staying: of(false) }
}

const refusals = [401, 403, 410]

/** The next request where the streams have ended, in every form if it is refused; elsewhere, none is refused. */
async function expectNextRequests(viewer: Viewer, ends: Ends | undefined): Promise<void> {
  for (const [area, { client, requests }] of Object.entries(viewer)) {
    const status = statusIn(area, ends)
    if (status === undefined) {
      const [path] = requests
      if (path !== undefined && area !== 'frames')
        expect([path, (await client.request('HEAD', path)).status]).not.toEqual([path, expect.toBeOneOf(refusals)])
    } else if (status === 200) {
      for (const path of requests) {
        const isSent = async () => expect([path, (await client.request('HEAD', path)).status]).toEqual([path, 200])
        // Where a test has moved the clock, the newest segment of live HLS is outdated until the next key frame.
        await (path.endsWith('/live/index.m3u8') ? until(isSent) : isSent())
      }
    } else {
      for (const path of requests) {
        for (const headers of [{}, { range: 'bytes=0-9' }, { 'if-none-match': '*' }])
          expect([path, (await client.get(path, headers)).status]).toEqual([path, status])
      }
    }
  }
}

/**
 * Opens everything, changes something, and checks that within a second exactly these streams have ended: the service
 * counts those that are open, and the clients see what has ended.
 */
async function expectEnds(
  viewers: Readonly<Record<string, Viewer>>,
  ends: Readonly<Record<string, Ends>>,
  change: () => Promise<unknown>,
): Promise<void> {
  const before = controls.filter(({ isOver }) => !isOver()).length
  // The row before has closed its own.
  await until(async () => expect(await openStreams()).toBe(before))
  const { ending, staying } = await openAll(viewers, ends)
  try {
    expect(await openStreams()).toBe(before + ending.length + staying.length)
    await change()
    const elapsed = stopwatch()
    await Promise.all(ending.filter(({ isFile }) => !isFile).map(({ ended }) => ended()))
    await until(async () => expect(await openStreams()).toBe(before + staying.length))
    expect(elapsed()).toBeLessThan(1000)
    await Promise.all(ending.map(({ ended }) => ended()))
    for (const [name, viewer] of Object.entries(viewers)) await expectNextRequests(viewer, ends[name])
    expect(await openStreams()).toBe(before + staying.length)
    expect(staying.filter(({ isOver }) => isOver()).map(({ kind }) => kind)).toEqual([])
  } finally {
    for (const { close } of [...ending, ...staying]) close()
  }
}

const config = (): Record<string, unknown> => parse(readFileSync(service.configFile, 'utf8')) as Record<string, unknown>
const auth = () => config()['auth'] as object
const succeeds = async (response: Promise<{ status: number; text: string }>): Promise<void> => {
  const { status, text } = await response
  expect(status, text).toBeLessThan(300)
}
const setConfig = (changes: object) => succeeds(changeConfig(service, changes))
const setProxy = (changed: object) => setConfig({ proxy: changed })
const setRole = (changes: object) => succeeds(service.internal.put('/api/roles/guard', { ...guard, ...changes }))
/** The camera `yard` gets another name, or is removed. */
function setCameras(name: string | undefined): Promise<void> {
  const { yard, ...others } = config()['cameras'] as Record<string, object>
  return setConfig({ cameras: { ...others, ...(name !== undefined && { [name]: yard }) } })
}
/** Another camera with the name `yard`. */
function replaceCamera(source: string): Promise<void> {
  const { cameras } = parse(original) as { cameras: Record<string, object> }
  return setConfig({ cameras: { ...cameras, yard: { ...cameras['yard'], source } } })
}
const setStatus = (name: string, status: object) => succeeds(service.internal.put(`/api/users/${name}/status`, status))
const replaceConfig = (text: string) =>
  succeeds(
    service.internal.request('PUT', '/api/config/raw?orphan_roles=allow', {
      headers: { 'content-type': 'text/yaml', 'if-match': '*' },
      body: text,
    }),
  )
const restoreConfig = async (): Promise<void> => {
  if (readFileSync(service.configFile, 'utf8') !== original) await replaceConfig(original)
}
/** Milliseconds, also back. */
const jump = (milliseconds: number): void => service.clock.setWallTime(service.clock.now() + milliseconds)
const later = (milliseconds: number): string => new Date(service.clock.now() + milliseconds).toISOString()
/** By the wall clock. */
const timeOf = (milliseconds: number): string => later(milliseconds).slice(11, 16)

/** A user with a role, an API token and three share links: whose each change ends some. */
interface Watching {
  readonly name: string
  readonly client: TestClient
  readonly token: CreatedToken
  readonly links: readonly CreatedShareLink[]
  readonly viewers: Readonly<Record<'session' | 'token' | 'link', Viewer>>
}

const byToken = ({ token }: CreatedToken): TestClient => service.gate.with(bearer(token))

let number = 0
async function newUser(): Promise<Watching> {
  const name = `w${(number += 1)}`
  await service.user(name, 'guard')
  const client = await signIn(service.gate, name)
  const token = await createToken(client)
  const { links, viewer } = await linkViewer(service, client, video, { expires_at: later(100 * minute) })
  const viewers = {
    session: userViewer(client, video),
    token: userViewer(byToken(token), video),
    link: viewer,
  }
  return { name, client, token, links, viewers }
}

/** Whether each file has an audio track: of the session and the token a clip and an export, of the link the range. */
const withAudio = ({ viewers: { session, token, link } }: Watching): Promise<boolean[]> =>
  Promise.all(
    [session['download']!, session['export']!, token['download']!, token['export']!, link['range file']!].flatMap(
      ({ client, requests }) =>
        requests.map(async (path) => {
          // The tracks are listed at the beginning.
          const { status, body } = await client.get(path, { range: 'bytes=0-999999' })
          expect([path, status]).toEqual([path, 206])
          return body.includes('mp4a')
        }),
    ),
  )

/** A link that shows nothing anymore isn't opened again. */
async function expectClosed(links: readonly CreatedShareLink[]): Promise<void> {
  for (const link of links)
    expect((await service.gate.post(linkPath(link, 'open'), { secret: link.secret })).status).toBeOneOf([401, 410])
}

/** Streams that no row is about: of an admin's API token, and of a screen. */
let controls: readonly OpenedStream[] = []
/** A file of the same token, opened by each row: the service drops a connection on which nothing is read for long. */
let controlFile: Viewer
async function openControls(): Promise<void> {
  const { token } = await createToken(await service.user('boss', 'admin'))
  const program = service.gate.with(bearer(token))
  const { client } = await pairScreen(service, { name: 'hall', cameras: ['yard'] })
  const { download } = userViewer(program, video)
  controlFile = { download: { ...download!, streams: download!.streams.slice(0, 1), requests: [] } }
  // Without frames: each is decoded by a process of its own.
  const all = [screenViewer(program), screenViewer(client)].map(({ live, events }) => ({
    live: live!,
    events: events!,
  }))
  controls = (await openAll({ token: all[0]!, screen: all[1]! }, {})).staying
}
const expectControls = (): void => expect(controls.filter(({ isOver }) => isOver()).map(({ kind }) => kind)).toEqual([])

interface Row {
  readonly source: string
  readonly fact: string
  /** What ends; a credential that is left out stays, with all of its streams. */
  readonly ends: Readonly<Partial<Record<'session' | 'token' | 'link', Ends>>>
  /** Before the streams are opened. */
  readonly before?: (watching: Watching) => Promise<unknown>
  readonly change: (watching: Watching) => Promise<unknown>
  /** More about the next requests. */
  readonly after?: (watching: Watching) => Promise<unknown>
}

const every = (status: number) => ({ session: status, token: status, link: status })

/**
 * Not here: `auth.enabled` and the other settings that take a restart, which ends every stream; a role deleted through the
 * API, whose users become viewers; users of an identity provider (server/test/oidc.test.ts). Live HLS, playback and
 * snapshots are requests, and lists such as the logs and the audit log are never streams.
 */
const users: readonly Row[] = [
  {
    source: 'CVE-2026-33124',
    fact: 'an admin sets the password',
    ends: { session: 401, token: 401 },
    change: ({ name }) =>
      succeeds(service.internal.put(`/api/users/${name}/password`, { password: 'another long one' })),
  },
  {
    source: 'CVE-2026-33124',
    fact: 'the user changes the password in another session',
    ends: { session: 401, token: 401 },
    async change({ name }) {
      const other = await signIn(service.gate, name)
      await succeeds(other.put(`/api/users/${name}/password`, { password: 'another long one', old_password: password }))
    },
  },
  {
    source: '[LINK-4] CWE-613',
    fact: 'the user sets a password with a reset link',
    ends: { session: 401, token: 401 },
    async change({ name }) {
      const { id, url } = (await service.internal.post(`/api/users/${name}/password-reset`)).json as {
        id: string
        url: string
      }
      const secret = new URL(url).hash.slice(1)
      await succeeds(service.gate.post(`/api/password-resets/${id}/accept`, { secret, password: 'another long one' }))
    },
  },
  {
    source: 'CVE-2025-29928',
    fact: 'the user is deleted',
    ends: { session: 401, token: 401, link: 410 },
    change: ({ name }) => succeeds(service.internal.delete(`/api/users/${name}`)),
  },
  {
    source: '[TOK-9] CWE-613',
    fact: 'the user is deleted, and another one gets the name',
    ends: { session: 401, token: 401, link: 410 },
    async change({ name }) {
      await succeeds(service.internal.delete(`/api/users/${name}`))
      await succeeds(service.internal.post('/api/users', { username: name, password, role: 'guard' }))
    },
  },
  {
    source: '[GRANT-4] CWE-613',
    fact: 'the user is disabled',
    ends: { session: 401, token: 401, link: 410 },
    change: ({ name }) => setStatus(name, { disabled: true }),
  },
  {
    source: '[GRANT-4] CWE-613',
    fact: 'the user expires',
    ends: { session: 401, token: 401, link: 410 },
    before: ({ name }) => setStatus(name, { expires_at: later(minute) }),
    change: () => Promise.resolve(jump(minute)),
  },
  {
    source: 'CVE-2025-53942',
    fact: 'the user gets a role without the camera',
    ends: every(403),
    change: ({ name }) => succeeds(service.internal.put(`/api/users/${name}/role`, { role: 'other' })),
  },
  {
    source: 'GHSA-g65h-35f3-x2w3',
    fact: 'the user signs out',
    ends: { session: 401 },
    change: ({ client }) => succeeds(client.post('/api/logout')),
  },
  {
    source: 'CVE-2025-57766',
    fact: 'an admin revokes the session',
    ends: { session: 401 },
    async change({ name }) {
      for (const { id } of (await service.internal.get(`/api/sessions?user=${name}`)).json as { id: string }[])
        await succeeds(service.internal.delete(`/api/sessions/${id}`))
    },
  },
  {
    source: 'CVE-2025-71335',
    fact: 'an admin revokes all sessions',
    ends: { session: 401 },
    change: ({ name }) => succeeds(service.internal.delete(`/api/sessions?user=${name}`)),
  },
  {
    source: 'CVE-2025-56643',
    fact: 'the user revokes the others',
    ends: { session: 401 },
    change: async ({ name }) => succeeds((await signIn(service.gate, name)).delete('/api/sessions?others=true')),
  },
  {
    source: '[MFA-1] CWE-613',
    fact: 'the user sets up a second factor in another session',
    ends: { session: 401 },
    change: async ({ name }) => addTotp(service, await signIn(service.gate, name)),
  },
  {
    source: '[MFA-5] CWE-613',
    fact: 'an admin resets the second factors',
    ends: { session: 401 },
    before: ({ client }) => addTotp(service, client),
    change: ({ name }) => succeeds(service.internal.delete(`/api/users/${name}/factors`)),
  },
  {
    source: '[MFA-2] CWE-308',
    fact: 'the role requires a second factor',
    ends: { session: 403 },
    change: () => setConfig({ auth: { ...auth(), mfa: { required_for: ['guard'] } } }),
  },
  {
    source: 'CVE-2025-53942',
    fact: 'the camera is removed from the role',
    ends: every(403),
    change: () => setRole({ cameras: ['door'] }),
  },
  {
    source: 'CVE-2026-28275',
    fact: 'the camera is removed from the role in the file',
    ends: every(403),
    change: () => setConfig({ auth: { ...auth(), roles: { ...roles, guard: { ...roles.guard, cameras: ['door'] } } } }),
  },
  {
    source: 'CVE-2026-28275',
    fact: 'the role is removed from the file',
    ends: every(403),
    change: () => replaceConfig(original.replace('guard:', 'gaurd:')),
  },
  {
    source: '[GRANT-1] CVE-2025-53942',
    fact: 'the camera is removed from the group of the role',
    ends: every(403),
    change: () => succeeds(service.internal.put('/api/camera-groups/outside', { cameras: ['door'] })),
  },
  {
    source: '[GRANT-2] CVE-2025-53942',
    fact: 'the role loses `live`',
    ends: {
      session: { live: 403, frames: 403 },
      token: { live: 403, frames: 403 },
      link: { live: 403 },
    },
    change: () => setRole({ allow: allow.filter((each) => each !== 'live') }),
  },
  {
    source: '[GRANT-2] CVE-2025-53942',
    fact: 'the role loses `download`',
    ends: {
      session: { download: 403, export: 403 },
      token: { download: 403, export: 403 },
      link: { 'range file': 403, export: 403 },
    },
    change: () => setRole({ allow: allow.filter((each) => each !== 'download') }),
  },
  {
    source: '[GRANT-2] CVE-2025-53942',
    fact: 'the role loses `history`',
    ends: {
      session: { history: 403 },
      token: { history: 403 },
      link: { range: 403, 'range file': 403 },
    },
    change: () => setRole({ allow: allow.filter((each) => each !== 'history') }),
  },
  {
    source: '[GRANT-2] CVE-2025-53942',
    fact: 'the role loses `audio`: what had none goes on, and the next request gets the rest',
    ends: {
      session: { live: 200, download: 200, export: 200 },
      token: { live: 200, download: 200, export: 200 },
      link: { 'range file': 200 },
    },
    before: async (watching) => expect(await withAudio(watching)).toEqual([true, true, true, true, true]),
    change: () => setRole({ allow: allow.filter((each) => each !== 'audio') }),
    after: async (watching) => expect(await withAudio(watching)).toEqual([false, false, false, false, false]),
  },
  {
    source: '[LINK-3] CVE-2025-53942',
    fact: 'the role loses `share`',
    ends: { link: 403 },
    change: () => setRole({ allow: allow.filter((each) => each !== 'share') }),
  },
  {
    source: '[GRANT-3] CVE-2025-53942',
    fact: 'the role sees less of the past: the next request gets the rest, and 403 for what is wholly too old',
    ends: {
      session: { download: 200, export: 403 },
      token: { download: 200, export: 403 },
      link: { 'range file': 200, export: 403 },
    },
    change: () => setRole({ history_days: (service.clock.now() / 1000 - last + 100) / 86_400 }),
    async after({ viewers }) {
      const old = { ...video, span: { start: span.start, end: span.start + 10 } }
      for (const { download } of [viewers.session, viewers.token]) {
        const [path] = userViewer(download!.client, old)['download']!.requests
        expect((await download!.client.get(path!)).status).toBe(403)
      }
    },
  },
  {
    source: '[GRANT-4] CWE-613',
    fact: 'the hours of the role end',
    ends: every(403),
    before: () => setRole({ hours: [{ from: timeOf(-60 * minute), to: timeOf(2 * minute) }] }),
    change: () => Promise.resolve(jump(3 * minute)),
  },
  {
    source: '[GRANT-4] CWE-613',
    fact: 'the role is no longer valid',
    ends: every(403),
    before: () => setRole({ valid_until: later(minute) }),
    change: () => Promise.resolve(jump(minute)),
  },
  {
    source: '[GRANT-4] CWE-613',
    fact: 'the clock is set back to before the role is valid',
    ends: every(403),
    before: () => setRole({ valid_from: later(-15_000) }),
    change: () => Promise.resolve(jump(-30_000)),
  },
  {
    source: '[TOK-3] CWE-613',
    fact: 'the session expires',
    ends: { session: 401, link: 410 },
    change: () => Promise.resolve(jump(sessionLength * 1000)),
  },
  {
    source: '[KEY-5] CWE-613',
    fact: 'the user revokes the token',
    ends: { token: 401 },
    change: ({ client, token }) => succeeds(client.delete(`/api/tokens/${token.id}`)),
  },
  {
    source: '[KEY-5] CWE-613',
    fact: 'an admin revokes the token',
    ends: { token: 401 },
    change: ({ token }) => succeeds(service.internal.delete(`/api/tokens/${token.id}`)),
  },
  {
    source: '[LINK-3] CWE-613',
    fact: 'the user revokes the links',
    ends: { link: 410 },
    async change({ client, links }) {
      for (const { id } of links) await succeeds(client.delete(`/api/links/${id}`))
    },
  },
  {
    source: '[LINK-3] CWE-613',
    fact: 'an admin revokes the links',
    ends: { link: 410 },
    async change({ links }) {
      for (const { id } of links) await succeeds(service.internal.delete(`/api/links/${id}`))
    },
  },
  {
    source: '[LINK-3] CWE-613',
    fact: 'the links expire',
    ends: { link: 410 },
    change: () => Promise.resolve(jump(100 * minute)),
  },
]

describe('[ROLE-10] every stream ends within a second, and the next request is refused, if', () => {
  beforeAll(openControls)

  test.each(users)('$source: $fact', async ({ before, ends, change, after }) => {
    try {
      const watching = await newUser()
      await before?.(watching)
      await expectEnds({ ...watching.viewers, controlFile }, ends, () => change(watching))
      await after?.(watching)
      if (typeof ends.link === 'number') await expectClosed(watching.links)
    } finally {
      await restoreConfig()
    }
    expectControls()
  })

  const token = (more: object = {}) =>
    createToken(issuer, { actions: ['live', 'audio', 'download', 'history', 'share'], ...more })
  let issuer: TestClient

  describe('of a token or a link', () => {
    beforeAll(async () => void (issuer = await service.user('issuer', 'admin')))

    test('[KEY-5] CWE-613: the token expires, also with the links that it created', async () => {
      const client = byToken(await token({ expires_at: later(minute) }))
      const { viewer } = await linkViewer(service, client, video)
      const viewers = { token: userViewer(client, video), link: viewer, controlFile }
      await expectEnds(viewers, { token: 401, link: 410 }, () => Promise.resolve(jump(minute)))
      expectControls()
    })

    test('[KEY-5] CWE-613: the token is revoked that created the token and the links', async () => {
      const first = await token({ actions: ['live', 'audio', 'download', 'history', 'share', 'tokens.manage'] })
      const second = byToken(await createToken(byToken(first), { actions: ['live', 'download', 'history'] }))
      const { viewer } = await linkViewer(service, byToken(first), video)
      const viewers = { token: userViewer(second, video), link: viewer, controlFile }
      const change = () => succeeds(service.internal.delete(`/api/tokens/${first.id}`))
      await expectEnds(viewers, { token: 401, link: 410 }, change)
      expectControls()
    })

    test('[KEY-2] CWE-613: nothing, as a new password ends no token that is to outlive it, and no link', async () => {
      const { token: secret } = await token({ ends_with_password: false })
      const client = service.gate.with(bearer(secret))
      const { viewer } = await linkViewer(service, issuer, video)
      const change = () =>
        succeeds(service.internal.put('/api/users/issuer/password', { password: 'another long one' }))
      await expectEnds({ token: userViewer(client, video), link: viewer }, {}, change)
      issuer = await signIn(service.gate, 'issuer', 'another long one')
    })

    test('[LINK-1] CWE-613: nothing, as a link that is used up or locked stays open for its viewers', async () => {
      const { links, viewer } = await linkViewer(service, issuer, video, { max_opens: 2, code: 'secret code' })
      const change = async () => {
        for (const { id, secret } of links) {
          for (let wrong = 0; wrong < 3; wrong += 1)
            await service.gate.post(`/api/links/${id}/open`, { secret, code: 'a wrong one' })
          await succeeds(service.gate.post(`/api/links/${id}/open`, { secret, code: 'secret code' }))
          expect((await service.gate.post(`/api/links/${id}/open`, { secret, code: 'secret code' })).status).toBe(410)
        }
      }
      await expectEnds({ link: viewer }, {}, change)
    })

    test('[LINK-3] CWE-613: the export is deleted', async () => {
      const other = { ...video, exported: await exportOf(service.internal) }
      const { viewer } = await linkViewer(service, issuer, other)
      const change = () => succeeds(service.internal.delete(`/api/exports/${other.exported}`))
      await expectEnds({ link: viewer, controlFile }, { link: { export: 403 } }, change)
    })
  })

  describe('of a screen', () => {
    test.each<[source: string, fact: string, status: number, change: (id: string) => Promise<unknown>]>([
      ['[KEY-6] CWE-613', 'it is unpaired', 401, (id) => succeeds(service.internal.delete(`/api/screens/${id}`))],
      [
        '[KEY-6] CVE-2025-53942',
        'it gets other cameras',
        403,
        (id) => succeeds(service.internal.request('PATCH', `/api/screens/${id}`, { body: { cameras: ['door'] } })),
      ],
    ])('%s: %s', async (_source, _fact, status, change) => {
      const { id, client } = await pairScreen(service, { name: `display ${status}`, cameras: ['yard'] })
      await expectEnds({ screen: screenViewer(client), controlFile }, { screen: status }, () => change(id))
      expectControls()
    })
  })

  describe('of a user of the proxy', () => {
    const { header_map } = proxy

    test.each<[source: string, fact: string, status: number, change: () => Promise<unknown>]>([
      [
        'CVE-2023-36456',
        'the proxy is no longer trusted',
        401,
        () => setProxy({ ...proxy, trusted_peers: ['192.0.2.1'] }),
      ],
      ['CVE-2026-25119', 'the proxy gets a secret', 401, () => setProxy({ ...proxy, auth_secret: 's'.repeat(40) })],
      [
        'CVE-2025-53942',
        'the group no longer gives the role',
        403,
        () => setProxy({ ...proxy, header_map: { ...header_map, role_map: { guard: ['others'] } } }),
      ],
      [
        'CVE-2025-53942',
        'the group gives another role',
        403,
        () => setProxy({ ...proxy, header_map: { ...header_map, role_map: { other: ['guard'] } } }),
      ],
      [
        'CVE-2025-53942',
        'another header has the groups',
        403,
        () => setProxy({ ...proxy, header_map: { ...header_map, role: 'Remote-Groups' } }),
      ],
      [
        'CVE-2025-53942',
        'another header has the name',
        401,
        () => setProxy({ ...proxy, header_map: { ...header_map, user: 'Remote-User' } }),
      ],
      ['CVE-2025-53942', 'the proxy no longer signs users in', 401, () => setProxy({ ...proxy, enabled: false })],
      ['CVE-2025-53942', 'the camera is removed from the role', 403, () => setRole({ cameras: ['door'] })],
      [
        '[PROXY-18] ASVS 7.6.1',
        'the proxy has to sign the user in again, who then can go on',
        200,
        () => service.clock.advance(proxy.recheck_interval * 1000),
      ],
    ])('%s: %s', async (_source, _fact, status, change) => {
      const viewer = userViewer(service.gate.with({ 'x-forwarded-user': 'bob', 'x-forwarded-groups': 'guard' }), video)
      try {
        await expectEnds({ proxy: viewer, controlFile }, { proxy: status }, change)
      } finally {
        await restoreConfig()
      }
      expectControls()
    })
  })

  test('[TOK-8] CVE-2026-43911: the secret is another one', async () => {
    const { viewers } = await newUser()
    const { ending } = await openAll(viewers, every(401))
    service = await service.restart({ env: secretOf('b') })
    await Promise.all(ending.map(({ ended }) => ended()))
    await expectNextRequests(viewers.session, 401)
    await expectNextRequests(viewers.link, 401)
    // Its secret is another one, which is stored as a hash.
    expect((await service.gate.get('/api/cameras/yard', viewers.token['events']!.client.headers)).status).toBe(200)
  })

  describe('of a camera', () => {
    /** Of another camera, for these rows. */
    let others: Viewer
    beforeAll(async () => {
      const { token: secret } = await createToken(await service.user('doorman', 'admin'))
      others = {
        door: {
          client: service.gate.with(bearer(secret)),
          streams: [
            { kind: 'live video of the door', how: 'socket', path: '/api/cameras/door/live' },
            { kind: 'events of all cameras', how: 'socket', path: '/api/events' },
          ],
          requests: ['/api/cameras/door/live/index.m3u8'],
        },
      }
      for (const { close } of controls) close()
      await until(async () => expect(await openStreams()).toBe(0))
      // The service has just started again.
      await untilLive()
    })

    test.each<[source: string, fact: string, change: () => Promise<unknown>]>([
      ['CVE-2025-53942', 'the camera gets another name', () => setCameras('garden')],
      ['CVE-2025-53942', 'the camera is removed', () => setCameras(undefined)],
    ])('%s: %s', async (_source, _fact, change) => {
      const { viewers } = await newUser()
      const { client } = await pairScreen(service, { name: `screen ${number}`, cameras: ['yard'] })
      const all = { ...viewers, screen: screenViewer(client), others }
      try {
        await expectEnds(all, { ...every(403), screen: 403 }, change)
      } finally {
        await restoreConfig()
        await untilLive()
      }
    })

    // Last: the recordings are the former camera's from then on.
    test('[CAM-4] CWE-367: the camera is removed, and another one gets its name', async () => {
      const { viewers } = await newUser()
      const { client } = await pairScreen(service, { name: 'last screen', cameras: ['yard'] })
      await expectEnds({ ...viewers, screen: screenViewer(client) }, { ...every(403), screen: 403 }, async () => {
        await setCameras(undefined)
        await replaceCamera('demo:office')
      })
    })
  })
})

/** Sends the head of a request, waits until the service has decided it, and sends the body later. */
async function heldBack(client: TestClient, method: string, path: string, body: object) {
  const text = JSON.stringify(body)
  const headers = {
    ...client.headers,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    expect: '100-continue',
  }
  const request = sendHead({ host: '127.0.0.1', port: client.port, method, path, headers, agent: false })
  onTestFinished(() => void request.destroy())
  const response = once(request, 'response') as Promise<[IncomingMessage]>
  request.flushHeaders()
  await once(request, 'continue')
  return async (): Promise<number | undefined> => {
    request.end(text)
    const [{ statusCode }] = await response
    return statusCode
  }
}

const usernames = async () =>
  ((await service.internal.get('/api/users')).json as { username: string }[]).map(({ username }) => username)

describe('[ROLE-10] a change whose body is sent after its sender lost access is refused, if', () => {
  const later = 300
  let number = 0
  const newAdmin = async () => {
    const name = `admin${(number += 1)}`
    await service.user(name, 'admin')
    return { name, client: await signIn(service.gate, name) }
  }
  type Change = (name: string) => Promise<unknown>

  test.each<[source: string, fact: string, status: number, change: Change]>([
    ['CWE-367', 'the user is deleted', 401, (name) => succeeds(service.internal.delete(`/api/users/${name}`))],
    [
      'CWE-367',
      'the user is no longer an admin',
      403,
      (name) => succeeds(service.internal.put(`/api/users/${name}/role`, { role: 'viewer' })),
    ],
    [
      'CWE-367',
      'all sessions are revoked',
      401,
      (name) => succeeds(service.internal.delete(`/api/sessions?user=${name}`)),
    ],
    [
      'CWE-367',
      'the password is changed',
      401,
      (name) => succeeds(service.internal.put(`/api/users/${name}/password`, { password: 'another long one' })),
    ],
  ])('%s: %s', async (_source, _fact, status, change) => {
    const { name, client } = await newAdmin()
    const added = `${name}.accomplice`
    const send = await heldBack(client, 'POST', '/api/users', { username: added, password, role: 'admin' })
    await change(name)
    await service.clock.advance(later)
    expect(await send()).toBe(status)
    expect(await usernames()).not.toContain(added)
  })

  test('CWE-367: the role loses the camera that the path names', async () => {
    const { name, client } = await newAdmin()
    await succeeds(
      service.internal.put('/api/roles/keeper', { cameras: ['yard'], allow: ['live', 'history', 'delete'] }),
    )
    await succeeds(service.internal.put(`/api/users/${name}/role`, { role: 'keeper' }))
    const send = await heldBack(
      client,
      'DELETE',
      `/api/cameras/yard/recordings?after=${span.end}&before=${span.end + 1}`,
      {},
    )
    await succeeds(
      service.internal.put('/api/roles/keeper', { cameras: ['door'], allow: ['live', 'history', 'delete'] }),
    )
    await service.clock.advance(later)
    expect(await send()).toBe(403)
  })

  test('a change whose sender keeps access is carried out, however late', async () => {
    const { name, client } = await newAdmin()
    const added = `${name}.friend`
    const send = await heldBack(client, 'POST', '/api/users', { username: added, password, role: 'viewer' })
    await service.clock.advance(5000)
    expect(await send()).toBe(201)
    expect(await usernames()).toContain(added)
  })
})
