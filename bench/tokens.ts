import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { apiTokenText } from '../server/src/auth/api-token/api-token-text.ts'
import { hashOfSecret } from '../server/src/auth/link-secret.ts'
import { openStore } from '../server/src/store/open.ts'
import { compareCosts, costFigure, usualRounds, type Costed } from './cost.ts'
import type { Bench } from './figure.ts'
import { requestText, startLoader } from './load.ts'
import { createSandbox, quietCameras, startService, type Sandbox } from './service.ts'

const people = 1000
const tokensOfEach = 10

const hourly = (number: number) => `hourly${number}`
const allWeek = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** Measures requests by API token, and of roles with hours. */
export const tokens: Bench = {
  name: 'tokens',
  async run({ quick, scratch }) {
    const limited = {
      cameras: ['yard'],
      hours: [
        { days: allWeek, from: '00:00', to: '12:00' },
        { days: allWeek, from: '12:00', to: '24:00' },
      ],
    }
    const roles = {
      guard: ['yard'],
      ...Object.fromEntries(Array.from({ length: people }, (_, number) => [hourly(number), limited])),
    }
    const sandbox = await createSandbox(scratch, { auth: { roles }, cameras: quietCameras(['yard', 'door']) })
    const texts = await fill(sandbox)
    const service = await startService(sandbox)
    const loader = startLoader()
    const plain = await service.user('erin', 'guard')
    const timed = await service.user('hugo', hourly(0))
    const by = (...callers: readonly Record<string, string>[]): Costed => ({
      pid: service.pid,
      port: service.gatePort,
      requests: callers.map((headers) => requestText('GET', '/api/cameras/yard', service.gatePort, headers)),
      status: 200,
    })
    const bearers = texts.map((text) => ({ authorization: `Bearer ${text}` }))
    const rounds = usualRounds(quick)
    const compare = (ours: Costed, peer: Costed) => compareCosts(loader, ours, peer, rounds)
    try {
      return [
        costFigure('request of a role with hours against one without', await compare(by(timed), by(plain))),
        costFigure('request by API token against one by cookie', await compare(by(...bearers.slice(0, 1)), by(timed))),
        costFigure(
          '10,000 API tokens of 1,000 users, each with a role with hours, in turn, against one',
          await compare(by(...bearers), by(...bearers.slice(0, 1))),
        ),
      ]
    } finally {
      await Promise.all([service.stop(), loader.stop()])
    }
  },
}

const quiet = () => undefined
const silent = { debug: quiet, info: quiet, warn: quiet, error: quiet, enabled: () => false }

/** Writes users and tokens directly into the database. @returns the texts of the tokens */
async function fill({ configDir }: Sandbox): Promise<readonly string[]> {
  await (await openStore({ url: 'sqlite', configDir, log: silent })).close()
  const db = new DatabaseSync(join(configDir, 'gatehouse.db'))
  db.exec('pragma synchronous = off; begin')
  const now = Date.now()
  const hash = `pbkdf2_sha256$600000$salt$${Buffer.alloc(32).toString('base64')}`
  const user = db.prepare(`insert into user (id, name, key, role, password_hash, credential_version, password_set_at,
    password_origin, created_at) values (?, ?, ?, ?, ?, 1, ?, 0, ?)`)
  const token = db.prepare(`insert into api_token (id, user_id, name, secret_hash, created_at, credential_version)
    values (?, ?, 'bench', ?, ?, 1)`)
  user.run('admin', 'admin', 'admin', 'admin', hash, now, now)
  const texts: string[] = []
  for (let i = 0; i < people; i += 1) {
    user.run(`u${i}`, `user${i}`, `user${i}`, hourly(i), hash, now, now)
    for (let j = 0; j < tokensOfEach; j += 1) {
      const made = { id: randomBytes(16).toString('hex'), secret: randomBytes(32).toString('base64url') }
      token.run(made.id, `u${i}`, hashOfSecret(made.secret), now)
      texts.push(apiTokenText(made))
    }
  }
  db.exec('commit; pragma wal_checkpoint(truncate)')
  db.close()
  return texts
}
