import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { stopAll } from './support/cleanups.ts'
import { bearer, createToken } from './support/create-token.ts'
import { SERVICE_JWT_SECRET } from './support/jwt-secret.ts'
import { linkPath, makeLink, openLink } from './support/make-link.ts'
import { stopwatch } from './support/own-time.ts'
import { pairScreen } from './support/pair-screen.ts'
import { askPostgres } from './support/postgres-server.ts'
import { postgresUrl } from './support/programs.ts'
import { addTotp, pass, secondFactor, ticketOf } from './support/second-factor.ts'
import { password } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'

const postgres = postgresUrl()

/** Milliseconds until an open stream ends after the cause. */
async function endsAfter(socket: WebSocket, cause: () => Promise<{ readonly status: number }>): Promise<number> {
  await once(socket, 'open')
  const closed = once(socket, 'close')
  expect((await cause()).status).toBe(204)
  const elapsed = stopwatch('gatehouse_credentials_')
  await closed
  return elapsed()
}

describe.skipIf(postgres === undefined)('credentials of instances on one PostgreSQL database', () => {
  let one: InProcessService
  let other: InProcessService
  let boss: TestClient
  beforeAll(async () => {
    const name = `gatehouse_credentials_${randomBytes(6).toString('hex')}`
    await askPostgres(postgres!, `create database ${name}`)
    const config = {
      tls: { enabled: false },
      auth: { failed_login_rate_limit: null },
      database: { url: postgres!.replace(/\/[^/]*$/, `/${name}`) },
    }
    one = await startService({ config, env: { SERVICE_JWT_SECRET } })
    other = await startService({ config, env: { SERVICE_JWT_SECRET } })
    boss = await one.user('boss', 'admin')
  })
  afterAll(stopAll)

  test('[LINK-3] a link that is revoked at one ends the open video at the other within a second', async () => {
    const link = await makeLink(boss, { kind: 'live', camera: 'yard' })
    const viewer = await openLink(other, link)
    const path = linkPath(link, 'events')
    expect(await endsAfter(viewer.socket(path), () => boss.delete(`/api/links/${link.id}`))).toBeLessThan(1000)
    expect((await viewer.get(linkPath(link, 'latest.jpg'))).status).toBe(410)
  })

  test('[KEY-5] a token that is revoked at one ends the open streams at the other within a second', async () => {
    const { id, token } = await createToken(boss)
    const program = other.gate.with(bearer(token))
    expect(await endsAfter(program.socket('/api/events'), () => boss.delete(`/api/tokens/${id}`))).toBeLessThan(1000)
    expect((await program.get('/api/profile')).status).toBe(401)
  })

  test('[KEY-6] a screen that is removed at one ends the open streams at the other within a second', async () => {
    const { id, client } = await pairScreen(one, { name: 'hall', cameras: ['yard'] })
    const display = other.gate.with(client.headers)
    expect(await endsAfter(display.socket('/api/events'), () => boss.delete(`/api/screens/${id}`))).toBeLessThan(1000)
    expect((await display.get('/api/profile')).status).toBe(401)
  })

  test('[KEY-4] a screen that a token paired loses its streams at one within a second after the owner is deleted at the other', async () => {
    const owner = await one.user('owner', 'admin')
    const { token } = await createToken(owner, { actions: ['live', 'screens.manage'] })
    const { client } = await pairScreen(one, { name: 'hall', cameras: ['yard'] }, one.gate.with(bearer(token)))
    const display = other.gate.with(client.headers)
    expect(await endsAfter(display.socket('/api/events'), () => boss.delete('/api/users/owner'))).toBeLessThan(1000)
    expect((await display.get('/api/profile')).status).toBe(401)
  })

  /** Opens a new link twenty times at the same time, by turns at both. @returns how often it was opened */
  const open = async (body: object) => {
    const link = await makeLink(boss, { kind: 'live', camera: 'yard', ...body })
    const opened = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        [one, other][index % 2]!.gate.post(linkPath(link, 'open'), { secret: link.secret }),
      ),
    )
    return opened.filter(({ status }) => status === 200).length
  }

  test('[LINK-3] a link is opened at both no more often than it can be, and has no more viewers', async () => {
    expect(await open({ max_opens: 3 })).toBe(3)
    expect(await open({ max_viewers: 2 })).toBe(2)
  })

  test('[LINK-4] an invitation is used once at both', async () => {
    const { id, url } = (await boss.post('/api/invitations', { role: 'viewer' })).json as { id: string; url: string }
    const secret = new URL(url).hash.slice(1)
    const accepted = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        [one, other][index % 2]!.gate.post(`/api/invitations/${id}/accept`, {
          secret,
          username: `guest${index}`,
          password,
        }),
      ),
    )
    expect(accepted.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('[MFA-1] a TOTP code and a recovery code are each accepted once at both, also at the same time', async () => {
    const signIns = async (user: string, proof: object) => {
      const tickets = await Promise.all([one, other, one, other].map(({ gate }) => ticketOf(gate, user)))
      const done = tickets.map((ticket, index) => secondFactor([one, other][index % 2]!.gate, ticket, proof))
      return (await Promise.all(done)).filter(({ status }) => status === 200).length
    }
    const app = await addTotp(one, await one.user('tia'))
    const rias = await addTotp(one, await one.user('ria'))
    pass(other, one.clock.now() - other.clock.now())
    const code = app.code()
    expect(await signIns('tia', { code })).toBe(1)
    expect(await signIns('tia', { code })).toBe(0)
    expect(await signIns('ria', { code: rias.recoveryCodes[0] })).toBe(1)
  })
})
