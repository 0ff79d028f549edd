import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import type { AuditLine } from '../src/audit/audit-line.ts'
import type { AuditPage } from '../src/audit/audit.routes.ts'
import type { Export, ExportPage } from '../src/exports/export-response.ts'
import { probeSegment } from '../src/recordings/segments/segment-file.ts'
import { Model } from './support/model.ts'
import { childrenOf } from './support/children.ts'
import { stopAll } from './support/cleanups.ts'
import { chanceOf } from './support/motion-scenes.ts'
import { bearer, changeAtRandom, customRoles, users } from './support/random-changes.ts'
import { writeRecordings } from './support/write-recordings.ts'
import { noted, rolesOf } from './support/role-state.ts'
import { expectAgreement, indexOf } from './support/seen-recordings.ts'
import { signIn } from './support/sign-in.ts'
import { startGatehouse, type Gatehouse } from './support/start-gatehouse.ts'
import { wait } from './support/wait.ts'

/** Kills; each costs about two seconds of CPU time. */
const rounds = Number(process.env['KILL_ROUNDS'] ?? 4)
const seed = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 1e9))

afterAll(() => stopAll())

const config = {
  tls: { enabled: false },
  auth: { failed_login_rate_limit: null },
  cameras: {
    ...Object.fromEntries(
      ['yard', 'door'].map((name) => [name, { source: `demo:${name}`, motion: { enabled: false } }]),
    ),
    office: { source: 'demo:office', enabled: false },
  },
}

/** The object of an audit entry, as a {@link Change} names it. */
function objectOf({ action, user, target, detail }: AuditLine): string {
  if (action === 'login' || action === 'logout') return `${action} ${user}`
  if (action === 'export.create') return action
  return `${action} ${action === 'export.delete' ? detail?.split(' ')[1] : target}`
}

/** The number of successful entries since a time (Unix seconds), by action and object. */
async function entriesSince({ internal }: Gatehouse, after: number): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  for (let cursor = ''; ;) {
    const page = (await internal.get(`/api/audit?result=success&limit=500&after=${after}${cursor}`)).json as AuditPage
    for (const entry of page.entries) found.set(objectOf(entry), (found.get(objectOf(entry)) ?? 0) + 1)
    if (page.cursor === null) return found
    cursor = `&cursor=${page.cursor}`
  }
}

/** The roles in the file are the acknowledged ones; a change without a response was made or not. */
async function expectRoles(service: Gatehouse, model: Model): Promise<void> {
  const roles = await rolesOf(service)
  for (const change of model.pending) {
    const name = change.entry.replace('role.set ', '')
    const found = roles.find((role) => role.name === name)
    const before = model.roles.get(name)
    // The file is changed before its audit entry is written.
    if (change.entry.startsWith('role.set ') && found && found.cameras.join() !== before?.join()) change.apply()
  }
  const custom = roles.filter(({ builtin }) => !builtin)
  expect(new Map(custom.map(({ name, cameras }) => [name, cameras])), 'the roles').toEqual(model.roles)
  expect(custom.filter((role) => 'withheld' in role)).toEqual([])
  expect(noted(service), 'unfinished deletions of roles').toEqual([])
}

async function expectUsers(service: Gatehouse, model: Model): Promise<void> {
  const found = ((await service.internal.get('/api/users')).json as { username: string; role: string }[]).filter(
    ({ username }) => username !== 'admin',
  )
  const roles = (await rolesOf(service)).map(({ name }) => name)
  expect(found.map(({ username }) => username).toSorted(), 'the users').toEqual([...model.users.keys()].toSorted())
  for (const { username, role } of found) {
    const user = model.users.get(username)!
    expect([...user.roles], `the role of ${username}`).toContain(role)
    expect(roles, `the role of ${username}`).toContain(role)
    user.roles = new Set([role])
  }
}

async function expectSignIn(service: Gatehouse, model: Model): Promise<void> {
  const cameras = new Map((await rolesOf(service)).map((role) => [role.name, role.cameras]))
  const responses = await Promise.all(model.tokens.map((token) => bearer(service, token).get('/api/profile')))
  const expected = model.tokens.map(({ name, session }) => `${name}: ${session.isAlive ? 200 : 401}`)
  expect(
    responses.map(({ status }, at) => `${model.tokens[at]!.name}: ${status}`),
    'the tokens',
  ).toEqual(expected)
  for (const [at, { status, json }] of responses.entries()) {
    if (status !== 200) continue
    const { name } = model.tokens[at]!
    const [role = ''] = model.users.get(name)!.roles
    expect(json).toMatchObject({ username: name, role, allowed_cameras: cameras.get(role) })
  }
  for (const name of users) {
    const user = model.users.get(name)
    if (user) await signIn(service.gate, name, user.password)
  }
  // A few tokens that must not become valid again are enough.
  const dead = model.tokens.filter(({ session }) => !session.isAlive)
  model.tokens = [...dead.slice(-5), ...model.tokens.filter(({ session }) => session.isAlive)]
}

const exportsOf = async ({ internal }: Gatehouse): Promise<Export[]> =>
  ((await internal.get('/api/exports?limit=500')).json as ExportPage).items

async function expectExports(service: Gatehouse, model: Model): Promise<void> {
  const found = await exportsOf(service)
  const ids = found.map(({ id }) => id)
  for (const id of model.exports) if (!model.deletedExports.has(id)) expect(ids, 'the exports').toContain(id)
  const created = [...model.pending].filter(({ entry }) => entry === 'export.create').length
  const unknown = ids.filter((id) => !model.exports.has(id))
  expect(unknown.length, 'exports that no one requested, or that were deleted').toBeLessThanOrEqual(created)
  for (const each of found) {
    // A kill between the deletion of a file and that of its row.
    const isHalfDeleted = model.deletedExports.has(each.id) || model.halfDeletedExports.has(each.id)
    const allowed = ['too-many-interruptions', ...(isHalfDeleted ? ['file-missing'] : [])]
    if (each.state === 'failed') expect(allowed).toContain(each.reason?.code)
    model.exports.add(each.id)
  }
  for (const id of model.exports) if (!ids.includes(id)) model.exports.delete(id)
  for (const id of model.deletedExports) if (ids.includes(id)) model.halfDeletedExports.add(id)
  model.deletedExports.clear()
}

/** Segments of the index, with their camera and end. */
type Index = ReturnType<typeof indexOf>

async function expectRecordings(service: Gatehouse, model: Model, before: Index): Promise<void> {
  await vi.waitFor(() => expectAgreement(service), { timeout: 60_000, interval: 50 })
  const index = indexOf(service)
  const missing = [...before.keys()].filter((file) => !index.has(file))
  const mayBeDeleted = (file: string): boolean => {
    const [, day, time] = /^([\d-]+)\/door\/([\d-]+)/.exec(file) ?? []
    return Date.parse(`${day}T${time?.replaceAll('-', ':')}Z`) / 1000 < model.recordingsDeletedBefore
  }
  expect(
    missing.filter((file) => !mayBeDeleted(file)),
    'lost segments',
  ).toEqual([])
  const whole = [...index].filter(([file]) => !before.has(file))
  const probed = await Promise.all(whole.map(([file]) => probeSegment(join(service.mediaDir, 'recordings', file))))
  expect(probed.map((each) => each?.bytes)).toEqual(whole.map(([, bytes]) => bytes))
}

test(
  `[AUD-1] [ROLE-7] [TOK-6] [TOK-7] [TOK-9] killed at any moment, the service loses no acknowledged change, and does none by half (KILL_SEED=${seed})`,
  { timeout: 60_000 + rounds * 30_000 },
  async () => {
    const chance = chanceOf(seed)
    const model = new Model()
    const recorded = { start: Math.floor(Date.now() / 1000) - 3600, end: Math.floor(Date.now() / 1000) - 3570 }
    let service = await startGatehouse({ config })
    await service.kill()
    await writeRecordings(service.mediaDir, { camera: 'office', start: recorded.start * 1000, segments: 3 })
    service = await service.restart()
    for (let round = 1; round <= rounds; round++) {
      model.restarted()
      const startedAt = Date.now() / 1000
      let isKilled = false
      const changes = changeAtRandom({ service, model, chance, recorded, isKilled: () => isKilled })
      await wait(chance() * 1500, 'the service runs in another process')
      const index = indexOf(service)
      await wait(chance() * 30, 'the moment of the kill')
      isKilled = true
      const { pid } = service.process
      await service.kill()
      await changes
      // A start can be killed, too.
      if (chance() < 0.3) {
        service = await service.restart({ ready: false })
        await wait(chance() * 800, 'the moment of the kill')
        await service.kill()
      }
      service = await service.restart({ ready: true })

      const what = `round ${round}`
      expect(model.unexpected, what).toEqual([])
      expect(model.settle(await entriesSince(service, startedAt)), what).toEqual([])
      await expectRoles(service, model)
      await expectUsers(service, model)
      await expectSignIn(service, model)
      await expectExports(service, model)
      await expectRecordings(service, model, index)
      expect(readdirSync(service.configDir).filter((name) => name.endsWith('.tmp'))).toEqual([])
      if (pid !== undefined) await vi.waitFor(() => expect(childrenOf(pid)).toEqual([]), { timeout: 60_000 })
    }
    await expectExportsEnd(service)
    expect(customRoles.length).toBeGreaterThan(0)
  },
)

/** Every export ends, and the folder has the files of those that are done, and nothing else. */
async function expectExportsEnd(service: Gatehouse): Promise<void> {
  const done = await vi.waitFor(
    async () => {
      const found = await exportsOf(service)
      expect(found.filter(({ state }) => state !== 'done' && state !== 'failed')).toEqual([])
      return found.filter(({ state }) => state === 'done')
    },
    { timeout: 60_000, interval: 100 },
  )
  const files = readdirSync(join(service.mediaDir, 'exports'))
  expect(files.toSorted()).toEqual(done.map(({ id }) => `${id}.mp4`).toSorted())
  for (const { id, bytes } of done) {
    const { status, body } = await service.internal.get(`/api/exports/${id}/video.mp4`)
    expect([status, body.length]).toEqual([200, bytes])
  }
}
