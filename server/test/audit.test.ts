import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AuditLine, AuditPage } from '../src/audit/audit.routes.ts'
import { segmentFile } from '../src/recordings/segment-name.ts'
import { reviewStore } from '../src/review/review-store.sql.ts'
import { openStore } from '../src/store/open.ts'
import { accessRows } from './access-oracle.ts'
import { password, startGatehouse, stopAll, tokenIn, type Gatehouse, type Reply } from './harness.ts'
import { holdExports, type HeldExports } from './held-exports.ts'
import { askPostgres } from './postgres-server.ts'
import { postgresUrl } from './programs.ts'
import { layRecordings } from './recorded.ts'
import { silent } from './silent.ts'

const plain = { tls: { enabled: false } }
const postgres = postgresUrl()

/** A whole second, some minutes ago. */
const recordedAt = Math.floor(Date.now() / 1000 - 600) * 1000
const at = (seconds: number): number => recordedAt / 1000 + seconds

afterAll(stopAll)

/** A database of its own. */
async function databaseUrl(engine: string): Promise<string> {
  if (engine === 'sqlite') return 'sqlite'
  const name = `gatehouse_audit_${randomBytes(6).toString('hex')}`
  await askPostgres(postgres!, `create database ${name}`)
  return postgres!.replace(/\/[^/]*$/, `/${name}`)
}

const linesOf = async ({ inside }: Gatehouse, query = ''): Promise<AuditLine[]> =>
  ((await inside.get(`/api/audit?limit=500${query}`)).json as AuditPage).entries

/** A changing route that needs no entry, and the reason. */
const unaudited: Readonly<Record<string, string>> = {
  'POST /api/access/try': 'changes nothing',
  'POST /api/auth': 'changes nothing',
  'POST /auth': 'changes nothing',
  'POST /api/cameras/test': 'changes nothing',
  'POST /api/config/check': 'changes nothing',
  'PUT /api/review/:id/seen': 'a mark of the caller’s own',
  'PUT /api/review/seen': 'a mark of the caller’s own',
}

interface Change {
  /** As docs/access.md has it. */
  readonly route: string
  readonly act: () => Promise<Reply>
  readonly entry: Partial<AuditLine>
}

describe.each(['sqlite', 'postgres'] as const)('[AUD-1] on %s the entry of a change', (engine) => {
  describe.skipIf(engine === 'postgres' && postgres === undefined)('is in the database', () => {
    let house: Gatehouse
    let held: HeldExports
    let url: string
    let changes: Change[]
    let items: string[]

    /** What another connection finds at this moment. */
    const rows = async (): Promise<Record<string, unknown>[]> => {
      const query = 'select * from audit order by id'
      if (engine === 'postgres') return askPostgres(url, query)
      // Reads beside whatever lock the stopped process holds.
      const db = new DatabaseSync(join(house.configDir, 'gatehouse.db'), { readOnly: true })
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
      const empty = await startGatehouse({ config, env: held.env })
      await layRecordings(empty.mediaDir, { camera: 'yard', start: recordedAt, segments: 3 })
      house = await empty.restart()
      const { inside } = house
      await vi.waitFor(
        async () =>
          expect(
            (await inside.get(`/api/cameras/yard/recordings?after=${at(0)}&before=${at(30)}`)).text.match(/"id"/g),
          ).toHaveLength(3),
        { timeout: 30_000, interval: 200 },
      )

      const store = await openStore({ url, configDir: house.configDir, log: silent })
      const library = readFileSync(join(house.mediaDir, 'recordings/.library'), 'utf8').trim()
      items = [0, 1].map(() => `000000000001${randomBytes(10).toString('hex')}`)
      for (const id of items) {
        const box = { x: 0, y: 0, width: 1, height: 1 }
        const item = { id, camera: 'yard', start: recordedAt, end: recordedAt + 1000, motion: 3, box }
        await reviewStore(store, library).save({ ...item, severity: 'alert', open: false, thumbnailAt: null })
      }
      await store.close()
      changes = changesOf(house, { items, held })
    }, 120_000)

    test('once the caller has the 2xx: the process is stopped there, and killed at the end', async () => {
      let before = (await rows()).length
      for (const { route, act, entry } of changes) {
        const { status, text } = await act()
        house.process.kill('SIGSTOP')
        try {
          expect([route, status < 400 ? 'done' : text]).toEqual([route, 'done'])
          const found = await rows()
          expect(found.slice(before), route).toContainEqual(expect.objectContaining(entry))
          before = found.length
        } finally {
          house.process.kill('SIGCONT')
        }
      }
      const last = await house.inside.delete('/api/users/last')
      await house.kill()
      expect(last.status).toBe(204)
      house = await house.restart()
      const lines = (await linesOf(house)).toReversed()
      expect(lines).toContainEqual(expect.objectContaining({ action: 'user.delete', target: 'last', result: 'ok' }))
      for (const { entry, route } of changes) expect(lines, route).toContainEqual(expect.objectContaining(entry))
    }, 120_000)

    test('for every changing route that there is', () => {
      const changing = accessRows.filter(({ method, path }) => method !== 'GET' || path.endsWith('/logout'))
      const covered = new Set([...changes.map(({ route }) => route), ...Object.keys(unaudited)])
      expect(changing.length).toBeGreaterThan(20)
      expect(changing.map(({ method, path }) => `${method} ${path}`).filter((route) => !covered.has(route))).toEqual([])
    })
  })
})

/** Every change, in an order in which all of them work. */
function changesOf({ inside, gate, configFile }: Gatehouse, more: { items: string[]; held: HeldExports }): Change[] {
  const { items, held } = more
  let cookie = ''
  const ids: string[] = []
  const login = async (): Promise<Reply> => {
    const answer = await gate.post('/api/login', { user: 'ann', password })
    cookie = `gatehouse_token=${tokenIn(answer)}`
    return answer
  }
  const afterLogin = (act: () => Promise<Reply>) => async () => {
    await login()
    return act()
  }
  const exported = async (): Promise<Reply> => {
    held.hold()
    const answer = await inside.post('/api/exports', { camera: 'yard', start: at(1), end: at(5) })
    ids.unshift((answer.json as { id: string }).id)
    return answer
  }
  const sessionId = async (): Promise<string> =>
    ((await gate.get('/api/sessions', { cookie })).json as { id: string }[])[0]?.id ?? ''
  const ok = (action: string, target?: string): Partial<AuditLine> => ({
    action,
    result: 'ok',
    ...(target !== undefined && { target }),
  })
  const logout = (method: string, path: string): Change => ({
    route: `${method} ${path}`,
    act: afterLogin(() => gate.ask(method, path, { headers: { cookie } })),
    entry: { ...ok('logout'), user: 'ann' },
  })
  const user = (name: string) => () => inside.post('/api/users', { username: name, password, role: 'viewer' })
  return [
    { route: 'POST /api/users', act: user('last'), entry: ok('user.create', 'last') },
    { route: 'POST /api/users', act: user('ann'), entry: ok('user.create', 'ann') },
    { route: 'POST /api/login', act: login, entry: { ...ok('login'), user: 'ann', source: 'password' } },
    logout('GET', '/api/logout'),
    logout('POST', '/api/logout'),
    logout('GET', '/logout'),
    logout('POST', '/logout'),
    {
      route: 'DELETE /api/sessions/:id',
      act: afterLogin(async () => inside.delete(`/api/sessions/${await sessionId()}`)),
      entry: ok('session.end'),
    },
    {
      route: 'DELETE /api/sessions',
      act: afterLogin(() => inside.delete('/api/sessions?user=ann')),
      entry: ok('session.end', 'ann'),
    },
    {
      route: 'PUT /api/roles/:name',
      act: () => inside.put('/api/roles/night', { cameras: ['yard'] }),
      entry: ok('role.set', 'night'),
    },
    {
      route: 'PUT /api/users/:username/role',
      act: () => inside.put('/api/users/ann/role', { role: 'night' }),
      entry: { ...ok('user.role', 'ann'), detail: 'viewer → night' },
    },
    {
      route: 'DELETE /api/roles/:name',
      act: () => inside.delete('/api/roles/night'),
      entry: ok('role.delete', 'night'),
    },
    {
      route: 'PUT /api/users/:username/password',
      act: () => inside.put('/api/users/ann/password', { password: 'another long one' }),
      entry: ok('user.password', 'ann'),
    },
    { route: 'DELETE /api/users/:username', act: () => inside.delete('/api/users/ann'), entry: ok('user.delete') },
    {
      route: 'PUT /api/config/raw',
      act: () =>
        inside.ask('PUT', '/api/config/raw', {
          headers: { 'if-match': '*', 'content-type': 'text/yaml' },
          body: `${readFileSync(configFile, 'utf8')}audit: { retain_days: 30 }\n`,
        }),
      entry: { ...ok('config.save'), detail: 'audit.retain_days' },
    },
    {
      route: 'DELETE /api/review/:id',
      act: () => inside.delete(`/api/review/${items[0]}`),
      entry: ok('review.delete'),
    },
    { route: 'POST /api/exports', act: exported, entry: ok('export.create', 'yard') },
    {
      route: 'PATCH /api/exports/:id',
      act: () => inside.ask('PATCH', `/api/exports/${ids[0]}`, { body: { name: 'the cat' } }),
      entry: ok('export.rename', 'yard'),
    },
    {
      route: 'POST /api/exports/:id/cancel',
      act: () => inside.post(`/api/exports/${ids[0]}/cancel`),
      entry: ok('export.cancel', 'yard'),
    },
    {
      route: 'DELETE /api/exports/:id',
      act: () => inside.delete(`/api/exports/${ids[0]}`),
      entry: ok('export.delete', 'yard'),
    },
    {
      route: 'DELETE /api/cameras/:camera/recordings',
      act: () => inside.delete(`/api/cameras/yard/recordings?after=${at(0)}&before=${at(20)}`),
      entry: { ...ok('recordings.delete', 'yard'), detail: expect.stringMatching(/, 2$/) as string },
    },
  ]
}

test('[AUD-1] recordings that cannot all be deleted are audited as failed, with as many as are gone', async () => {
  const empty = await startGatehouse({ config: plain })
  await layRecordings(empty.mediaDir, { camera: 'yard', start: recordedAt, segments: 3 })
  const house = await empty.restart()
  const span = `after=${at(0)}&before=${at(30)}`
  await expect
    .poll(async () => (await house.inside.get(`/api/cameras/yard/recordings?${span}`)).text.match(/"id"/g)?.length, {
      timeout: 30_000,
    })
    .toBe(3)
  const stuck = join(house.mediaDir, 'recordings', segmentFile('yard', recordedAt + 20_000))
  rmSync(stuck)
  // Which cannot be removed like a file.
  mkdirSync(stuck)
  expect((await house.inside.delete(`/api/cameras/yard/recordings?${span}`)).status).toBe(500)
  const [entry] = await linesOf(house, '&action=recordings.delete')
  expect(entry).toMatchObject({ result: 'failed', target: 'yard', detail: expect.stringMatching(/, 2$/) as string })
  const left = (await house.inside.get(`/api/cameras/yard/recordings?${span}`)).json as { segments: unknown[] }
  expect(left.segments).toHaveLength(1)
})
