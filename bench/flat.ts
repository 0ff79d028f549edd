import { mkdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createJwtCodec } from '../server/src/auth/token/jwt-codec.ts'
import { openStore } from '../server/src/store/open.ts'
import { compareCosts, costFigure, costText, usualRounds, type Costed } from './cost.ts'
import { withoutTarget, type Bench, type BenchDeps, type Figure } from './figure.ts'
import { requestText, startLoader } from './load.ts'
import { memoryOf } from './process.ts'
import { createSandbox, quietCameras, startService, type Sandbox } from './service.ts'

/** Number of rows of each kind. */
interface Size {
  readonly users: number
  readonly sessions: number
  readonly roles: number
  readonly camerasOfRole: number
  readonly cameras: number
}

const few: Size = { users: 1000, sessions: 1000, roles: 1000, camerasOfRole: 10, cameras: 1000 }
const many: Size = { users: 1_000_000, sessions: 100_000, roles: 10_000, camerasOfRole: 100, cameras: 1000 }

/** Milliseconds until V8 has given back what it no longer needs. */
const settling = 20_000

const secret = 'a secret of at least sixty-four characters, used for these benchmarks only'
const day = 86_400_000

const camera = (number: number) => `camera${number}`
const role = (number: number) => `role${number}`
const sessionId = (number: number) => number.toString(16).padStart(32, '0')

/** Checks that a gated request costs the same, however many users, sessions and roles exist. */
export const flat: Bench = {
  name: 'flat',
  async run(parts) {
    const { quick, print } = parts
    const small = await startSized('small', few, parts)
    print('flat: filling the database …')
    const large = await startSized('large', many, parts)
    const loader = startLoader()
    try {
      const rounds = usualRounds(quick)
      await sleep(settling)
      const before = memoryFigure('resident memory before any request', large, small, 2)
      const compare = (users: number, ofSmall = users) =>
        compareCosts(loader, large.requested(users), small.requested(ofSmall), rounds)
      const [ten, thousand] = [await compare(10), await compare(1000)]
      const all = await compare(many.sessions, few.sessions)
      await sleep(settling)
      return [
        costFigure('gated request of ten users in turn, with 1,000,000 users against 1,000', ten, 1.1),
        costFigure('the same of 1,000 users in turn', thousand, 1.1),
        costFigure('100,000 users in turn, all signed in, against 1,000', all, 1.3),
        withoutTarget(
          'the first request of each of these 100,000 users, against theirs in turn',
          costText(all.first),
          costText(all.ours),
          all.first.cpu / all.ours.cpu,
        ),
        started('start with 1,000,000 users, 100,000 sessions, 10,000 roles of 100 cameras', large, small),
        before,
        memoryFigure('resident memory after all of this', large, small),
      ]
    } finally {
      await Promise.all([small.stop(), large.stop(), loader.stop()])
    }
  },
}

function memoryFigure(what: string, large: Sized, small: Sized, max?: number): Figure {
  const [ours, peer] = [memoryOf(large.pid), memoryOf(small.pid)]
  const ratio = ours / peer
  return {
    what,
    ours: `${ours.toFixed(0)} MB`,
    peer: `${peer.toFixed(0)} MB`,
    ratio,
    target: max === undefined ? undefined : `≤ ${max.toFixed(2)}`,
    met: max === undefined ? undefined : ratio <= max,
  }
}

interface Sized {
  readonly pid: number
  /** Start time, milliseconds. */
  readonly took: number
  /** One request per user in turn, for a camera of the user's role. */
  requested(users: number): Costed
  stop(): Promise<void>
}

const started = (what: string, ours: Sized, peer: Sized): Figure => ({
  what,
  ours: `${Math.round(ours.took)} ms`,
  peer: `${Math.round(peer.took)} ms`,
  ratio: ours.took / peer.took,
  target: undefined,
  met: undefined,
})

async function startSized(name: string, size: Size, { scratch, print }: BenchDeps): Promise<Sized> {
  const roles = Object.fromEntries(
    Array.from({ length: size.roles }, (_, number) => [
      role(number),
      Array.from({ length: size.camerasOfRole }, (_, i) => camera((number * 7 + i) % size.cameras)),
    ]),
  )
  const cameras = quietCameras(Array.from({ length: size.cameras }, (_, number) => camera(number)))
  const dir = join(scratch, name)
  mkdirSync(dir)
  const sandbox = await createSandbox(dir, { auth: { roles }, cameras })
  await fill(sandbox, size)
  print(`flat: starting with ${size.users} users …`)
  const began = performance.now()
  const service = await startService(sandbox, 'measured', { SERVICE_JWT_SECRET: secret })
  const took = performance.now() - began
  const port = service.gatePort
  const jwtCodec = createJwtCodec(secret)
  const iat = Math.floor(Date.now() / 1000)
  const requestOf = (person: number): string => {
    // Spread over the whole table.
    const number = person * Math.floor(size.sessions / Math.min(size.sessions, 100_000))
    const [sub, held] = [`user${number}`, role(number % size.roles)]
    const token = jwtCodec.sign({ sub, role: held, iat, exp: iat + day / 1000, sid: sessionId(number) })
    const path = `/api/cameras/${camera(((number % size.roles) * 7) % size.cameras)}`
    return requestText('GET', path, port, { cookie: `gatehouse_token=${token}` })
  }
  return {
    pid: service.pid,
    took,
    requested: (users) => ({
      pid: service.pid,
      port,
      status: 200,
      requests: Array.from({ length: users }, (_, person) => requestOf(person)),
    }),
    stop: service.stop,
  }
}

const quiet = () => undefined
const silent = { debug: quiet, info: quiet, warn: quiet, error: quiet, enabled: () => false }

/** Writes the rows directly into the database: through the API, hashing a million passwords would take a day. */
async function fill({ configDir }: Sandbox, { users, sessions, roles }: Size): Promise<void> {
  await (await openStore({ url: 'sqlite', configDir, log: silent })).close()
  const db = new DatabaseSync(join(configDir, 'gatehouse.db'))
  db.exec('pragma synchronous = off; begin')
  const now = Date.now()
  const hash = `pbkdf2_sha256$600000$salt$${Buffer.alloc(32).toString('base64')}`
  const user = db.prepare(`insert into user (id, name, key, role, password_hash, credential_version, password_set_at,
    password_origin, created_at) values (?, ?, ?, ?, ?, 1, ?, 0, ?)`)
  for (let i = 0; i < users; i += 1) user.run(`u${i}`, `user${i}`, `user${i}`, role(i % roles), hash, now, now)
  user.run('admin', 'admin', 'admin', 'admin', hash, now, now)
  const session =
    db.prepare(`insert into session (id, user_id, credential_version, created_at, last_seen_at, expires_at,
    address, user_agent) values (?, ?, 1, ?, ?, ?, '192.0.2.7', 'bench')`)
  for (let i = 0; i < sessions; i += 1) session.run(sessionId(i), `u${i}`, now, now, now + day)
  db.exec('commit; pragma wal_checkpoint(truncate)')
  db.close()
}
