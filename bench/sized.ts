import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { apiTokenText } from '../server/src/auth/api-token/api-token-text.ts'
import { hashOfSecret } from '../server/src/auth/link-secret.ts'
import { createJwtCodec } from '../server/src/auth/token/jwt-codec.ts'
import { openStore } from '../server/src/store/open.ts'
import { createSandbox, quietCameras, startService, type Sandbox, type Service } from './service.ts'

/** Number of users, each with a role with its own hours, and of what each of them has. */
export interface Size {
  readonly users: number
  readonly tokens: number
  readonly sessions: number
}

type Headers = Readonly<Record<string, string>>

/** A service with users. The headers of requests, one entry for each credential. */
export interface SizedService {
  readonly service: Service
  /** API tokens; those of a user follow each other. */
  readonly tokens: readonly string[]
  /** Session cookies; those of a user follow each other. */
  readonly cookies: readonly Headers[]
  /** Session cookies of as many other users, who all have the same role without hours. */
  readonly plain: readonly Headers[]
}

const secret = 'a secret of at least sixty-four characters, used for these benchmarks only'
const day = 86_400_000
const allWeek = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const hours = [
  { days: allWeek, from: '00:00', to: '12:00' },
  { days: allWeek, from: '12:00', to: '24:00' },
]
const hourly = (number: number) => `hourly${number}`

export async function startSized(dir: string, size: Size): Promise<SizedService> {
  mkdirSync(dir)
  const roles = Object.fromEntries(
    Array.from({ length: size.users }, (_, number) => [hourly(number), { cameras: ['yard'], hours }]),
  )
  const config = { auth: { roles: { guard: ['yard'], ...roles } }, cameras: quietCameras(['yard', 'door']) }
  const sandbox = await createSandbox(dir, config)
  const filled = await fill(sandbox, size)
  return { service: await startService(sandbox, 'measured', { SERVICE_JWT_SECRET: secret }), ...filled }
}

const quiet = () => undefined
const silent = { debug: quiet, info: quiet, warn: quiet, error: quiet, enabled: () => false }

/** Writes the rows directly into the database: through the API, hashing the passwords would take minutes. */
async function fill({ configDir }: Sandbox, size: Size): Promise<Omit<SizedService, 'service'>> {
  await (await openStore({ url: 'sqlite', configDir, log: silent })).close()
  const db = new DatabaseSync(join(configDir, 'gatehouse.db'))
  db.exec('pragma synchronous = off; begin')
  const now = Date.now()
  const hash = `pbkdf2_sha256$600000$salt$${Buffer.alloc(32).toString('base64')}`
  const user = db.prepare(`insert into user (id, name, key, role, password_hash, credential_version, password_set_at,
    password_origin, created_at) values (?, ?, ?, ?, ?, 1, ?, 0, ?)`)
  const token = db.prepare(`insert into api_token (id, user_id, name, secret_hash, created_at, credential_version)
    values (?, ?, 'bench', ?, ?, 1)`)
  const session =
    db.prepare(`insert into session (id, user_id, credential_version, created_at, last_seen_at, expires_at,
    address, user_agent) values (?, ?, 1, ?, ?, ?, '192.0.2.7', 'bench')`)
  const codec = createJwtCodec(secret)
  const addUser = (name: string, role: string) => user.run(name, name, name, role, hash, now, now)
  const addToken = (owner: string): string => {
    const made = { id: randomBytes(16).toString('hex'), secret: randomBytes(32).toString('base64url') }
    token.run(made.id, owner, hashOfSecret(made.secret), now)
    return apiTokenText(made)
  }
  const addSession = (owner: string, role: string): Headers => {
    const sid = randomBytes(16).toString('hex')
    session.run(sid, owner, now, now, now + day)
    const iat = Math.floor(now / 1000)
    return { cookie: `gatehouse_token=${codec.sign({ sub: owner, role, iat, exp: iat + day / 1000, sid })}` }
  }
  addUser('admin', 'admin')
  const filled = { tokens: [] as string[], cookies: [] as Headers[], plain: [] as Headers[] }
  for (let i = 0; i < size.users; i += 1) {
    addUser(`hugo${i}`, hourly(i))
    for (let j = 0; j < size.tokens; j += 1) filled.tokens.push(addToken(`hugo${i}`))
    for (let j = 0; j < size.sessions; j += 1) filled.cookies.push(addSession(`hugo${i}`, hourly(i)))
    addUser(`erin${i}`, 'guard')
    filled.plain.push(addSession(`erin${i}`, 'guard'))
  }
  db.exec('commit; pragma wal_checkpoint(truncate)')
  db.close()
  return filled
}
