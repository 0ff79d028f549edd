import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { parse, stringify } from 'yaml'
import { password, tokenIn } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'
import { createTestClock } from './support/test-clock.ts'

/** Sequences of random steps; each has twenty on average. */
const runs = Number(process.env['MODEL_RUNS'] ?? 15)
/** Milliseconds. */
const timeout = 120_000 + runs * 20_000

/** Keeps the section from being empty. */
const spareRole = { spare: ['door'] }

const names = ['ann', 'bob'] as const
const cameras = ['yard', 'office'] as const
type Name = (typeof names)[number]
type Camera = (typeof cameras)[number]
/** Seconds that a session lasts without renewal. */
const length = 600

/** What must be true, written from the rules. Times are seconds. */
interface Model {
  /** The wall time, which can also be set back. */
  now: number
  /** A user who is created again is another one. */
  readonly users: Map<Name, { role: string }>
  /** undefined: the role does not exist. Users who still have it keep its name. */
  guardCameras: readonly Camera[] | undefined
  readonly sessions: ModelSession[]
  readonly tokens: { readonly session: ModelSession; readonly expiresAt: number }[]
  readonly streams: { readonly session: ModelSession; readonly camera: Camera; isOpen: boolean }[]
}

interface ModelSession {
  readonly name: Name
  readonly user: { readonly role: string }
  expiresAt: number
  isRevoked: boolean
}

/** The service, with its tokens and streams in the order of the model's. */
interface Real {
  service: InProcessService
  /** The users of this run. */
  readonly userOf: (name: Name) => string
  readonly tokens: string[]
  readonly sockets: { readonly socket: WebSocket; readonly closed: Promise<unknown> }[]
}

interface Step extends fc.AsyncCommand<Model, Real> {
  /** The step without a comparison. */
  act(model: Model, real: Real): Promise<unknown>
}

const emptyModel = (): Model => ({
  now: 0,
  users: new Map(),
  guardCameras: ['yard'],
  sessions: [],
  tokens: [],
  streams: [],
})

const isAlive = (model: Model, { session, expiresAt }: Model['tokens'][number]): boolean =>
  !session.isRevoked && expiresAt > model.now

function sees({ guardCameras }: Model, { user: { role } }: ModelSession, camera: Camera): boolean {
  if (role === 'guard') return guardCameras?.includes(camera) === true
  return role === 'admin' || role === 'viewer'
}

function revoke(model: Model, which: (session: ModelSession) => boolean): void {
  for (const session of model.sessions) if (which(session)) session.isRevoked = true
}

/** Adds a token to a session, or to a new one. */
function issue(model: Model, name: Name, session = newSession(model, name)): void {
  const expiresAt = model.now + length
  session.expiresAt = Math.max(session.expiresAt, expiresAt)
  model.tokens.push({ session, expiresAt })
}

function newSession(model: Model, name: Name): ModelSession {
  const session = { name, user: model.users.get(name)!, expiresAt: 0, isRevoked: false }
  model.sessions.push(session)
  return session
}

const bearer = ({ service }: Real, token: string): TestClient => service.gate.with({ authorization: `Bearer ${token}` })

/** Compares every token and every stream with the model. */
async function compare(model: Model, real: Real): Promise<void> {
  for (const stream of model.streams) {
    const { session, camera } = stream
    stream.isOpen &&= !session.isRevoked && session.expiresAt > model.now && sees(model, session, camera)
  }
  const statuses = await Promise.all(
    real.tokens.map(async (token) => (await bearer(real, token).get('/api/cameras/yard')).status),
  )
  expect(statuses, 'the tokens').toEqual(
    model.tokens.map((token) => (!isAlive(model, token) ? 401 : sees(model, token.session, 'yard') ? 200 : 403)),
  )
  const open = await Promise.all(
    model.streams.map(async ({ isOpen }, at) => {
      const { socket, closed } = real.sockets[at]!
      if (isOpen) {
        socket.ping()
        await Promise.race([once(socket, 'pong'), closed])
      } else if (socket.readyState !== socket.CLOSED) {
        await once(socket, 'close', { signal: AbortSignal.timeout(60_000) })
      }
      return socket.readyState === socket.OPEN
    }),
  )
  expect(open, 'the streams').toEqual(model.streams.map(({ isOpen }) => isOpen))
}

/** A step: when it is possible, what it means, and how it is done. */
function step(
  label: string,
  isPossible: (model: Model) => boolean,
  act: (model: Model, real: Real) => Promise<unknown>,
): Step {
  return {
    check: isPossible,
    act,
    async run(model, real) {
      await act(model, real)
      await compare(model, real)
    },
    toString: () => label,
  }
}

async function succeeds(response: Promise<{ readonly status: number; readonly text: string }>): Promise<void> {
  const { status, text } = await response
  expect(status, text).toBeLessThan(300)
}

const exists =
  (name: Name) =>
  ({ users }: Model): boolean =>
    users.has(name)
const livingToken = (model: Model, at: number): number => {
  const living = model.tokens.flatMap((token, index) => (isAlive(model, token) ? [index] : []))
  return living[at % Math.max(1, living.length)] ?? -1
}
const hasLiving = (model: Model): boolean => livingToken(model, 0) !== -1
/** Whether the role of a token's user exists: one that doesn't allows nothing, not even what is about the own account. */
const hasRole = (model: Model, at: number): boolean => {
  const token = model.tokens[livingToken(model, at)]
  return token !== undefined && (token.session.user.role !== 'guard' || model.guardCameras !== undefined)
}

const createUser = (name: Name, role: string): Step =>
  step(
    `create ${name} as ${role}`,
    (model) => !model.users.has(name) && (role !== 'guard' || model.guardCameras !== undefined),
    async (model, { service, userOf }) => {
      await succeeds(service.internal.post('/api/users', { username: userOf(name), password, role }))
      model.users.set(name, { role })
    },
  )

const deleteUser = (name: Name): Step =>
  step(`delete ${name}`, exists(name), async (model, { service, userOf }) => {
    await succeeds(service.internal.delete(`/api/users/${userOf(name)}`))
    revoke(model, (session) => session.name === name)
    model.users.delete(name)
  })

/** Another user with the name, before anything is compared. */
const replaceUser = (name: Name, role: string): Step => {
  const [remove, create] = [deleteUser(name), createUser(name, role)]
  return step(
    `delete ${name}, and create ${name} as ${role}`,
    (model) => model.users.has(name) && (role !== 'guard' || model.guardCameras !== undefined),
    async (model, real) => {
      await remove.act(model, real)
      await create.act(model, real)
    },
  )
}

const changeRole = (name: Name, role: string): Step =>
  step(
    `make ${name} ${role}`,
    (model) => model.users.has(name) && (role !== 'guard' || model.guardCameras !== undefined),
    async (model, { service, userOf }) => {
      await succeeds(service.internal.put(`/api/users/${userOf(name)}/role`, { role }))
      model.users.get(name)!.role = role
    },
  )

const setPassword = (name: Name): Step =>
  step(`set the password of ${name}`, exists(name), async (model, { service, userOf }) => {
    await succeeds(service.internal.put(`/api/users/${userOf(name)}/password`, { password }))
    revoke(model, (session) => session.name === name)
  })

const changeOwnPassword = (at: number): Step =>
  step(
    `change the own password with token ${at}`,
    (model) => hasRole(model, at),
    async (model, real) => {
      const index = livingToken(model, at)
      const { name } = model.tokens[index]!.session
      const path = `/api/users/${real.userOf(name)}/password`
      const response = await bearer(real, real.tokens[index]!).put(path, { password, old_password: password })
      expect(response.status, response.text).toBe(200)
      revoke(model, (session) => session.name === name)
      issue(model, name)
      real.tokens.push(tokenIn(response))
    },
  )

const login = (name: Name): Step =>
  step(
    `log in ${name}`,
    (model) => model.users.has(name) && model.tokens.length < 12,
    async (model, real) => {
      const response = await real.service.gate.post('/api/login', { user: real.userOf(name), password })
      expect(response.status, response.text).toBe(200)
      issue(model, name)
      real.tokens.push(tokenIn(response))
    },
  )

const logout = (at: number): Step =>
  step(`log out token ${at}`, hasLiving, async (model, real) => {
    const index = livingToken(model, at)
    await succeeds(bearer(real, real.tokens[index]!).post('/api/logout'))
    model.tokens[index]!.session.isRevoked = true
  })

const refresh = (at: number): Step =>
  step(
    `refresh token ${at}`,
    (model) => hasRole(model, at) && model.tokens.length < 12,
    async (model, real) => {
      const index = livingToken(model, at)
      const response = await bearer(real, real.tokens[index]!).get('/api/auth')
      expect(response.status, response.text).toBe(202)
      const { session } = model.tokens[index]!
      issue(model, session.name, session)
      real.tokens.push(tokenIn(response))
    },
  )

const revokeSessions = (name: Name): Step =>
  step(`revoke the sessions of ${name}`, exists(name), async (model, { service, userOf }) => {
    await succeeds(service.internal.delete(`/api/sessions?user=${userOf(name)}`))
    revoke(model, (session) => session.name === name)
  })

const openStream = (at: number, camera: Camera): Step =>
  step(
    `watch ${camera} with token ${at}`,
    (model) => {
      const token = model.tokens[livingToken(model, at)]
      return token !== undefined && sees(model, token.session, camera)
    },
    async (model, real) => {
      const index = livingToken(model, at)
      const socket = bearer(real, real.tokens[index]!).socket(`/api/cameras/${camera}/live`)
      await once(socket, 'open')
      model.streams.push({ session: model.tokens[index]!.session, camera, isOpen: true })
      real.sockets.push({ socket, closed: once(socket, 'close') })
    },
  )

const setRole = (granted: readonly Camera[]): Step =>
  step(
    `grant ${granted.join()} to guard`,
    () => true,
    async (model, { service }) => {
      await succeeds(service.internal.put('/api/roles/guard', { cameras: granted }))
      model.guardCameras = granted
    },
  )

/** Replaces config.yml. @param granted the cameras of the role; undefined: a file without it */
const reload = (granted: readonly Camera[] | undefined): Step =>
  step(
    granted ? `reload a file that grants ${granted.join()} to guard` : 'reload a file without guard',
    () => true,
    async (model, { service: { configFile, internal } }) => {
      const config = parse(readFileSync(configFile, 'utf8')) as { auth: object }
      const guard = granted && { guard: { cameras: granted } }
      const body = stringify({ ...config, auth: { ...config.auth, roles: { ...spareRole, ...guard } } })
      const headers = { 'content-type': 'text/yaml', 'if-match': '*' }
      await succeeds(internal.request('PUT', '/api/config/raw?orphan_roles=allow', { headers, body }))
      model.guardCameras = granted
    },
  )

const deleteRole: Step = step(
  'delete guard',
  ({ guardCameras }) => guardCameras !== undefined,
  async (model, { service, sockets }) => {
    await succeeds(service.internal.delete('/api/roles/guard'))
    model.guardCameras = undefined
    // Until its users are moved to `viewer`, a deleted role grants nothing, so their streams may have been closed.
    model.streams.forEach((stream, at) => {
      if (stream.session.user.role !== 'guard') return
      sockets[at]!.socket.terminate()
      stream.isOpen = false
    })
    for (const user of model.users.values()) if (user.role === 'guard') user.role = 'viewer'
  },
)

const pass = (seconds: number): Step =>
  step(
    `wait ${seconds} s`,
    () => true,
    async (model, { service }) => {
      await service.clock.advance(seconds * 1000)
      model.now += seconds
    },
  )

/** The time while the machine was asleep: timers are late. */
const sleep = (seconds: number): Step =>
  step(
    `sleep ${seconds} s`,
    () => true,
    async (model, { service }) => {
      await service.clock.skip(seconds * 1000)
      model.now += seconds
    },
  )

/** Sets the wall clock, and lets a second pass, in which the service notices. */
const setClock = (seconds: number): Step =>
  step(
    `set the clock by ${seconds} s`,
    // Not before the run: what others have stored would be of the future.
    ({ now }) => now + seconds >= 0,
    async (model, { service }) => {
      service.clock.setWallTime(service.clock.now() + seconds * 1000)
      await service.clock.advance(1000)
      model.now += seconds + 1
    },
  )

let secrets = 0

const restart = (changesSecret: boolean): Step =>
  step(
    changesSecret ? 'change the secret' : 'restart',
    () => true,
    async (model, real) => {
      const secret = String((secrets += 1)).padStart(64, 'x')
      real.service = await real.service.restart(changesSecret ? { env: { SERVICE_JWT_SECRET: secret } } : {})
      if (changesSecret) revoke(model, () => true)
      for (const stream of model.streams) stream.isOpen = false
    },
  )

const name = fc.constantFrom(...names)
const camera = fc.constantFrom(...cameras)
const role = fc.constantFrom('admin', 'viewer', 'guard', 'guard')
const index = fc.nat(11)
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(name, role).map((values) => createUser(...values)) },
  { weight: 8, arbitrary: name.map(login) },
  { weight: 8, arbitrary: fc.tuple(index, camera).map((values) => openStream(...values)) },
  { weight: 8, arbitrary: index.map(refresh) },
  { weight: 2, arbitrary: index.map(logout) },
  { weight: 2, arbitrary: name.map(setPassword) },
  { weight: 2, arbitrary: index.map(changeOwnPassword) },
  { weight: 3, arbitrary: fc.tuple(name, role).map((values) => changeRole(...values)) },
  { weight: 2, arbitrary: name.map(deleteUser) },
  { weight: 2, arbitrary: fc.tuple(name, role).map((values) => replaceUser(...values)) },
  { weight: 1, arbitrary: name.map(revokeSessions) },
  { weight: 3, arbitrary: fc.subarray([...cameras], { minLength: 1 }).map(setRole) },
  { weight: 2, arbitrary: fc.option(fc.subarray([...cameras], { minLength: 1 }), { nil: undefined }).map(reload) },
  { weight: 1, arbitrary: fc.constant(deleteRole) },
  { weight: 8, arbitrary: fc.constantFrom(1, 200, 300, 450).map(pass) },
  { weight: 2, arbitrary: fc.constantFrom(60, 450).map(sleep) },
  { weight: 4, arbitrary: fc.constantFrom(-450, -250, -20, 20, 250, 450).map(setClock) },
  { weight: 1, arbitrary: fc.boolean().map(restart) },
)

/**
 * Unix milliseconds, a whole second. The clock stands still between the steps, and the service waits at startup until
 * config.yml is a second old by it, so it has to be ahead of the times that the disk writes.
 */
const anHourAhead = (): number => (Math.floor(Date.now() / 1000) + 3600) * 1000

/** Every sequence begins with two users who watch, so that most of its steps are possible. */
const beginning: readonly Step[] = [
  createUser('ann', 'guard'),
  createUser('bob', 'viewer'),
  login('ann'),
  login('bob'),
  openStream(0, 'yard'),
  openStream(1, 'office'),
]

test(
  '[TOK-3] [TOK-4] [TOK-6] [TOK-7] [TOK-8] [TOK-9] [ROLE-10] after any steps, exactly the tokens and streams that the rules allow live',
  { timeout },
  async () => {
    const auth = { session_length: length, failed_login_rate_limit: null, roles: { ...spareRole, guard: ['yard'] } }
    let service = await startService(
      { config: { tls: { enabled: false }, auth } },
      createTestClock({ now: anHourAhead() }),
    )
    let nthRun = 0
    await fc.assert(
      fc.asyncProperty(fc.commands([anyStep], { maxCommands: 40, size: 'max' }), async (steps) => {
        const run = (nthRun += 1)
        await succeeds(service.internal.put('/api/roles/guard', { cameras: ['yard'] }))
        const real: Real = { service, userOf: (each) => `${each}-${run}`, tokens: [], sockets: [] }
        try {
          const model = emptyModel()
          for (const first of beginning) await first.run(model, real)
          await fc.asyncModelRun(() => ({ model, real }), steps)
        } finally {
          service = real.service
          for (const { socket } of real.sockets) socket.terminate()
        }
      }),
      // A failure is shrunk, within the time of the test.
      { numRuns: runs, interruptAfterTimeLimit: timeout - 30_000, markInterruptAsFailure: true },
    )
  },
)
