import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AuditLine } from '../src/audit/audit-line.ts'
import type { AuditPage } from '../src/audit/audit.routes.ts'
import { createAuthenticator, type Authenticator } from './support/authenticator.ts'
import { codeOf, login, named, secondFactor, signedInBy, ticketOf } from './support/second-factor.ts'
import { reviewStore } from '../src/review/review-store.sql.ts'
import { openStore } from '../src/store/open.ts'
import { accessRows } from './support/access-oracle.ts'
import { stopAll } from './support/cleanups.ts'
import { holdExports, type HeldExports } from './support/held-exports.ts'
import { silent } from './support/null-log.ts'
import { startPairing } from './support/pair-screen.ts'
import { askPostgres } from './support/postgres-server.ts'
import { postgresUrl } from './support/programs.ts'
import { writeRecordings } from './support/write-recordings.ts'
import { openDatabase } from './support/service-database.ts'
import type { Service } from './support/service.ts'
import { password, tokenIn, signIn } from './support/sign-in.ts'
import { startGatehouse, type Gatehouse } from './support/start-gatehouse.ts'
import { startService } from './support/start-service.ts'
import type { Reply, TestClient } from './support/test-client.ts'
import { cameraKey } from '../src/shared/camera/camera-keys.ts'

const plain = { tls: { enabled: false } }
const postgres = postgresUrl()

/** A whole second, a few minutes ago. */
const recordedAt = Math.floor(Date.now() / 1000 - 600) * 1000
const at = (seconds: number): number => recordedAt / 1000 + seconds

afterAll(stopAll)

/** Creates a separate database. */
async function databaseUrl(engine: string): Promise<string> {
  if (engine === 'sqlite') return 'sqlite'
  const name = `gatehouse_audit_${randomBytes(6).toString('hex')}`
  await askPostgres(postgres!, `create database ${name}`)
  return postgres!.replace(/\/[^/]*$/, `/${name}`)
}

const linesOf = async ({ internal }: Service): Promise<AuditLine[]> =>
  ((await internal.get('/api/audit?limit=500')).json as AuditPage).entries

/** A changing route that needs no entry, and the reason. */
const unaudited: Readonly<Record<string, string>> = {
  'POST /api/access/try': 'changes nothing',
  'POST /api/auth': 'changes nothing',
  'POST /auth': 'changes nothing',
  'POST /api/account/confirm': 'changes only when the session was confirmed; a failure is recorded',
  'POST /api/account/confirm/options': 'changes nothing',
  'DELETE /api/account/factor-reset': 'the caller’s own notice',
  'POST /api/account/passkeys/options': 'changes nothing',
  'POST /api/account/totp': 'counts for nothing until a code confirms it',
  'POST /api/login/passkey/options': 'changes nothing',
  'POST /api/cameras/test': 'changes nothing; its entry is written with a delay',
  'POST /api/cameras/:camera/test': 'changes nothing; its entry is written with a delay',
  'POST /api/config/check': 'changes nothing',
  'POST /api/invitations/:id/open': 'changes nothing',
  'POST /api/password-resets/:id/open': 'changes nothing',
  'POST /api/pairings': 'gives access to nothing until an admin confirms it',
  'POST /api/pairings/find': 'changes nothing',
  'PUT /api/cameras/:camera/instance': 'cluster.test.ts shows its entry',
  'POST /api/instances/:id/drain': 'cluster.test.ts shows its entry',
  'DELETE /api/instances/:id/drain': 'cluster.test.ts shows its entry',
  'POST /api/links': 'share-links.test.ts shows its entry',
  'DELETE /api/links/:id': 'share-links.test.ts shows its entry',
  'POST /api/links/:id/open': 'share-links.test.ts shows its entry',
  'POST /api/oidc/backchannel-logout': 'oidc.test.ts shows its entry',
  'PUT /api/review/:id/seen': 'the caller’s own seen marks',
  'PUT /api/review/seen': 'the caller’s own seen marks',
}

interface Change {
  /** The routes of docs/access.md. */
  readonly route: string
  readonly act: () => Promise<Reply>
  readonly entry: Partial<AuditLine>
}

describe.each(['sqlite', 'postgres'] as const)('[AUD-1] on %s the entry of a change', (engine) => {
  describe.skipIf(engine === 'postgres' && postgres === undefined)('is in the database', () => {
    let service: Gatehouse
    let held: HeldExports
    let url: string
    let changes: Change[]
    let items: string[]

    /** The rows that another connection sees now. */
    const rows = async (): Promise<Record<string, unknown>[]> => {
      const query = 'select * from audit order by id'
      if (engine === 'postgres') return askPostgres(url, query)
      // Reads despite any lock that the stopped process has.
      const db = openDatabase(service, { readOnly: true })
      try {
        return db.prepare(query).all()
      } finally {
        db.close()
      }
    }

    beforeAll(async () => {
      url = await databaseUrl(engine)
      held = holdExports()
      const config = {
        ...plain,
        auth: { roles: { guard: ['door'] } },
        database: { url },
        logger: { logs: { 'service.audit': 'info' } },
      }
      const empty = await startService({ config })
      await empty.stop()
      await writeRecordings(empty.mediaDir, { camera: 'yard', start: recordedAt, segments: 3 })
      // The camera was removed.
      await writeRecordings(empty.mediaDir, { camera: 'shed', start: recordedAt, segments: 1 })
      service = await startGatehouse({ copyOf: empty, held })
      const { internal } = service
      await vi.waitFor(
        async () =>
          expect((await internal.get('/api/recordings/storage')).json).toMatchObject({
            cameras: expect.arrayContaining([
              expect.objectContaining({ id: 'yard', segments: 3 }),
              expect.objectContaining({ id: 'shed~', segments: 1 }),
            ]) as unknown[],
          }),
        { timeout: 60_000, interval: 200 },
      )

      const store = await openStore({ url, configDir: service.configDir, log: silent })
      const volume = readFileSync(join(service.mediaDir, 'recordings/.library'), 'utf8').trim()
      items = [0, 1].map(() => `000000000001${randomBytes(10).toString('hex')}`)
      for (const id of items) {
        const box = { x: 0, y: 0, width: 1, height: 1 }
        const item = { id, camera: cameraKey('yard'), start: recordedAt, end: recordedAt + 1000, motion: 3, box }
        await reviewStore(store, volume).save({ ...item, severity: 'alert', open: false, thumbnailAt: null })
      }
      await store.close()
      changes = changesOf(service, { items, held })
    })

    test('as soon as the caller has the 2xx: the process is paused then, and killed at the end', async () => {
      let before = (await rows()).length
      for (const { route, act, entry } of changes) {
        const { status, text } = await act()
        service.process.kill('SIGSTOP')
        try {
          expect([route, status < 400 ? 'done' : text]).toEqual([route, 'done'])
          const found = await rows()
          expect(found.slice(before), route).toContainEqual(expect.objectContaining(entry))
          before = found.length
        } finally {
          service.process.kill('SIGCONT')
        }
      }
      const last = await service.internal.delete('/api/users/last')
      await service.kill()
      expect(last.status).toBe(204)
      const lines = (await linesOf(await startService({ copyOf: service }))).toReversed()
      expect(lines).toContainEqual(
        expect.objectContaining({ action: 'user.delete', target: 'last', result: 'success' }),
      )
      for (const { entry, route } of changes) expect(lines, route).toContainEqual(expect.objectContaining(entry))
    })

    test('for every changing route', () => {
      const changing = accessRows.filter(({ method, path }) => method !== 'GET' || path.endsWith('/logout'))
      const covered = new Set([...changes.map(({ route }) => route), ...Object.keys(unaudited)])
      expect(changing.length).toBeGreaterThan(20)
      expect(changing.map(({ method, path }) => `${method} ${path}`).filter((route) => !covered.has(route))).toEqual([])
    })
  })
})

const ok = (action: string, target?: string): Partial<AuditLine> => ({
  action,
  result: 'success',
  ...(target !== undefined && { target }),
})

/** Invitations and password resets. */
function linkChanges({ internal, gate }: Pick<Service, 'internal' | 'gate'>): Change[] {
  let link = { id: '', secret: '' }
  const created = async (path: string, body?: object) => {
    const response = await internal.post(path, body)
    const { id, url } = response.json as { id: string; url: string }
    link = { id, secret: url.split('#')[1] ?? '' }
    return response
  }
  const accepted = (path: string) =>
    gate.post(`${path}/${link.id}/accept`, { secret: link.secret, password: 'chosen by the invited' })

  return [
    {
      route: 'POST /api/invitations',
      act: () => created('/api/invitations', { role: 'viewer', username: 'invited' }),
      entry: { ...ok('invitation.create'), target: 'invited', detail: 'viewer' },
    },
    {
      route: 'DELETE /api/invitations/:id',
      act: () => internal.delete(`/api/invitations/${link.id}`),
      entry: { ...ok('invitation.revoke'), target: 'invited', detail: 'viewer' },
    },
    {
      route: 'POST /api/invitations/:id/accept',
      act: async () => {
        await created('/api/invitations', { role: 'viewer', username: 'invited' })
        return accepted('/api/invitations')
      },
      entry: { action: 'invitation.accept', result: 'success', user: 'invited', target: 'invited' },
    },
    {
      route: 'POST /api/users/:username/password-reset',
      act: () => created('/api/users/invited/password-reset'),
      entry: { ...ok('password-reset.create'), target: 'invited' },
    },
    {
      route: 'POST /api/password-resets/:id/accept',
      act: () => accepted('/api/password-resets'),
      entry: { action: 'password-reset.accept', result: 'success', user: 'invited', target: 'invited' },
    },
  ]
}

/** Changes of a user's second factors, at the end of which they have none. */
function factorChanges(gate: TestClient, internal: TestClient): Change[] {
  const here = named(gate)
  let signedIn = here
  let codes: readonly string[] = []
  let authenticator: Authenticator
  let passkey = ''
  const keep = (reply: Reply): Reply => {
    signedIn = signedInBy(here, reply)
    return reply
  }
  const start = async (): Promise<Reply> => {
    keep(await login(here, 'ann'))
    const { secret } = (await signedIn.post('/api/account/totp')).json as { secret: string }
    const reply = await signedIn.post('/api/account/totp/confirm', { code: codeOf(secret, Date.now()) })
    codes = (reply.json as { recovery_codes: string[] }).recovery_codes
    return reply
  }
  const renew = async (): Promise<Reply> => {
    const reply = await signedIn.post('/api/account/recovery-codes')
    codes = (reply.json as { recovery_codes: string[] }).recovery_codes
    return reply
  }
  const add = async (): Promise<Reply> => {
    authenticator = createAuthenticator(`http://localhost:${gate.port}`)
    const options = (await signedIn.post('/api/account/passkeys/options')).json
    const reply = await signedIn.post('/api/account/passkeys', { name: 'a', credential: authenticator.create(options) })
    passkey = (reply.json as { id: string }).id
    return reply
  }
  const byPasskey = async (): Promise<Reply> => {
    const options = (await here.post('/api/login/passkey/options', {})).json
    return keep(await here.post('/api/login/passkey', { assertion: authenticator.get(options) }))
  }
  const bySecondFactor = async () =>
    keep(await secondFactor(here, await ticketOf(here, 'ann'), { code: codes[0] ?? '' }))
  return [
    { route: 'POST /api/account/totp/confirm', act: start, entry: ok('factor.add', 'ann') },
    { route: 'POST /api/login/second-factor', act: bySecondFactor, entry: { ...ok('login'), user: 'ann' } },
    { route: 'POST /api/account/recovery-codes', act: renew, entry: ok('recovery-code.renew', 'ann') },
    { route: 'POST /api/account/passkeys', act: add, entry: ok('factor.add', 'ann') },
    {
      route: 'PATCH /api/account/passkeys/:id',
      act: () => signedIn.request('PATCH', `/api/account/passkeys/${passkey}`, { body: { name: 'b' } }),
      entry: ok('factor.rename', 'ann'),
    },
    { route: 'POST /api/login/passkey', act: byPasskey, entry: { ...ok('login'), user: 'ann' } },
    {
      route: 'DELETE /api/account/factors/:id',
      act: () => signedIn.delete(`/api/account/factors/${passkey}`),
      entry: ok('factor.remove', 'ann'),
    },
    {
      route: 'DELETE /api/users/:username/factors',
      act: () => internal.delete('/api/users/ann/factors'),
      entry: ok('factor.reset', 'ann'),
    },
  ]
}

/** Every change, in an order in which all of them succeed. */
function changesOf({ internal, gate }: Service, more: { items: string[]; held: HeldExports }): Change[] {
  const { items, held } = more
  let cookie = ''
  const ids: string[] = []
  const login = async (): Promise<Reply> => {
    const response = await gate.post('/api/login', { user: 'ann', password })
    cookie = `gatehouse_token=${tokenIn(response)}`
    return response
  }
  const afterLogin = (act: () => Promise<Reply>) => async () => {
    await login()
    return act()
  }
  const exported = async (): Promise<Reply> => {
    held.hold()
    const response = await internal.post('/api/exports', { camera: 'yard', start: at(1), end: at(5) })
    ids.unshift((response.json as { id: string }).id)
    return response
  }
  const sessionId = async (): Promise<string> =>
    ((await gate.get('/api/sessions', { cookie })).json as { id: string }[])[0]?.id ?? ''
  const logout = (method: string, path: string): Change => ({
    route: `${method} ${path}`,
    act: afterLogin(() => gate.request(method, path, { headers: { cookie } })),
    entry: { ...ok('logout'), user: 'ann' },
  })
  const edit = (method: string, path: string, body?: object) => async () => {
    const etag = (await internal.get('/api/config/raw')).headers.etag ?? ''
    return internal.request(method, path, { headers: { 'if-match': etag }, body })
  }
  const user = (name: string) => () => internal.post('/api/users', { username: name, password, role: 'viewer' })
  return [
    { route: 'POST /api/users', act: user('last'), entry: ok('user.create', 'last') },
    { route: 'POST /api/users', act: user('ann'), entry: ok('user.create', 'ann') },
    { route: 'POST /api/login', act: login, entry: { ...ok('login'), user: 'ann', auth_method: 'password' } },
    ...factorChanges(gate, internal),
    logout('GET', '/api/logout'),
    logout('POST', '/api/logout'),
    logout('GET', '/logout'),
    logout('POST', '/logout'),
    {
      route: 'DELETE /api/sessions/:id',
      act: afterLogin(async () => internal.delete(`/api/sessions/${await sessionId()}`)),
      entry: ok('session.revoke'),
    },
    {
      route: 'DELETE /api/sessions',
      act: afterLogin(() => internal.delete('/api/sessions?user=ann')),
      entry: ok('session.revoke', 'ann'),
    },
    {
      route: 'PUT /api/roles/:name',
      act: () => internal.put('/api/roles/night', { cameras: ['yard'] }),
      entry: ok('role.set', 'night'),
    },
    {
      route: 'PUT /api/users/:username/role',
      act: () => internal.put('/api/users/ann/role', { role: 'night' }),
      entry: { ...ok('user.role', 'ann'), detail: 'viewer → night' },
    },
    {
      route: 'PUT /api/users/:username/status',
      act: () => internal.put('/api/users/ann/status', { expires_at: null }),
      entry: ok('user.status', 'ann'),
    },
    {
      route: 'POST /api/tokens',
      act: async () => {
        const response = await (await signIn(gate, 'ann')).post('/api/tokens', { name: 'home' })
        ids.unshift((response.json as { id: string }).id)
        return response
      },
      entry: {
        ...ok('token.create'),
        user: 'ann',
        auth_method: 'password',
        detail: 'home: all cameras; default actions',
      },
    },
    {
      route: 'DELETE /api/tokens/:id',
      act: () => internal.delete(`/api/tokens/${ids.shift()}`),
      entry: { ...ok('token.revoke'), detail: 'ann: home' },
    },
    {
      route: 'POST /api/pairings/confirm',
      act: async () => {
        const { code } = await startPairing({ gate })
        const response = await internal.post('/api/pairings/confirm', { code, name: 'hall', cameras: ['yard'] })
        ids.unshift((response.json as { id: string }).id)
        return response
      },
      entry: { ...ok('screen.create'), detail: 'hall: yard' },
    },
    {
      route: 'PATCH /api/screens/:id',
      act: () => internal.request('PATCH', `/api/screens/${ids[0]}`, { body: { audio: true } }),
      entry: { ...ok('screen.change'), detail: 'hall: {"audio":true}' },
    },
    {
      route: 'DELETE /api/screens/:id',
      act: () => internal.delete(`/api/screens/${ids.shift()}`),
      entry: { ...ok('screen.revoke'), detail: 'hall' },
    },
    ...linkChanges({ internal, gate }),
    {
      route: 'PUT /api/camera-groups/:name',
      act: () => internal.put('/api/camera-groups/entrances', { cameras: ['yard'] }),
      entry: { ...ok('camera-group.set', 'entrances'), detail: 'yard' },
    },
    {
      route: 'DELETE /api/camera-groups/:name',
      act: () => internal.delete('/api/camera-groups/entrances'),
      entry: ok('camera-group.delete', 'entrances'),
    },
    {
      route: 'DELETE /api/roles/:name',
      act: () => internal.delete('/api/roles/night'),
      entry: ok('role.delete', 'night'),
    },
    {
      route: 'POST /api/roles/:name/confirm',
      act: async () => {
        await internal.put('/api/roles/dusk', { cameras: ['attic'] })
        await internal.post(
          '/api/cameras',
          { name: 'attic', source: 'demo:office', enabled: false },
          { 'if-match': '*' },
        )
        return internal.post('/api/roles/dusk/confirm', { cameras: ['attic'] })
      },
      entry: { ...ok('role.confirm', 'dusk'), detail: 'attic' },
    },
    {
      route: 'PUT /api/users/:username/password',
      act: () => internal.put('/api/users/ann/password', { password: 'another long one' }),
      entry: ok('user.password', 'ann'),
    },
    { route: 'DELETE /api/users/:username', act: () => internal.delete('/api/users/ann'), entry: ok('user.delete') },
    {
      route: 'PUT /api/config/raw',
      act: async () =>
        internal.request('PUT', '/api/config/raw', {
          headers: { 'if-match': '*', 'content-type': 'text/yaml' },
          body: `${(await internal.get('/api/config/raw')).text}audit: { retain_days: 30 }\n`,
        }),
      entry: { ...ok('config.save'), detail: 'audit.retain_days' },
    },
    {
      route: 'POST /api/cameras',
      // Enabled, it might record before it is removed.
      act: edit('POST', '/api/cameras', { name: 'shed', source: 'demo:door', enabled: false }),
      entry: ok('camera.create', 'shed'),
    },
    {
      route: 'PUT /api/cameras/:camera',
      act: edit('PUT', '/api/cameras/shed', { title: 'The shed' }),
      entry: ok('camera.change', 'shed'),
    },
    {
      route: 'PUT /api/cameras/:camera/motion-settings',
      act: edit('PUT', '/api/cameras/shed/motion-settings', { enabled: false, sensitivity: 'low', masks: [] }),
      entry: ok('camera.motion', 'shed'),
    },
    {
      route: 'PUT /api/cameras/:camera/recording-limits',
      act: edit('PUT', '/api/cameras/shed/recording-limits', {
        enabled: false,
        mode: 'all',
        retain_days: null,
        max_gb: null,
      }),
      entry: ok('recording.limits', 'shed'),
    },
    {
      route: 'PUT /api/recordings/limits',
      act: edit('PUT', '/api/recordings/limits', { enabled: true, retain_days: 9, max_gb: 50 }),
      entry: ok('recording.limits'),
    },
    {
      route: 'DELETE /api/cameras/:camera',
      act: edit('DELETE', '/api/cameras/shed'),
      entry: ok('camera.delete', 'shed'),
    },
    {
      route: 'DELETE /api/review/:id',
      act: () => internal.delete(`/api/review/${items[0]}`),
      entry: ok('review.delete'),
    },
    { route: 'POST /api/exports', act: exported, entry: ok('export.create', 'yard') },
    {
      route: 'PATCH /api/exports/:id',
      act: () => internal.request('PATCH', `/api/exports/${ids[0]}`, { body: { name: 'the cat' } }),
      entry: ok('export.rename', 'yard'),
    },
    {
      route: 'POST /api/exports/:id/cancel',
      act: () => internal.post(`/api/exports/${ids[0]}/cancel`),
      entry: ok('export.cancel', 'yard'),
    },
    {
      route: 'DELETE /api/exports/:id',
      act: () => internal.delete(`/api/exports/${ids[0]}`),
      entry: ok('export.delete', 'yard'),
    },
    {
      route: 'DELETE /api/cameras/:camera/recordings',
      act: () => internal.delete(`/api/cameras/yard/recordings?after=${at(0)}&before=${at(20)}`),
      entry: { ...ok('recordings.delete', 'yard'), detail: expect.stringMatching(/, 2$/) as string },
    },
    {
      route: 'DELETE /api/recordings/storage/:id',
      act: () => internal.delete('/api/recordings/storage/shed~'),
      entry: { ...ok('recordings.delete', 'shed'), detail: 'shed~, 1' },
    },
  ]
}
