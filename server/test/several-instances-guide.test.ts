import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, describe, expect, test } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { freePort } from './support/free-port.ts'
import { filledIn, frontFiles, fronts, guideBlock } from './support/fronts.ts'
import { SERVICE_JWT_SECRET } from './support/jwt-secret.ts'
import { reachable } from './support/nginx.ts'
import { askPostgres } from './support/postgres-server.ts'
import { postgresUrl, program } from './support/programs.ts'
import { password, signIn } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import { client, statusOf } from './support/test-client.ts'

const postgres = postgresUrl()

async function database(): Promise<string> {
  const name = `gatehouse_gates_${randomBytes(6).toString('hex')}`
  await askPostgres(postgres!, `create database ${name}`)
  return postgres!.replace(/\/[^/]*$/, `/${name}`)
}

const gate = (url: string): Promise<InProcessService> =>
  startService({
    config: {
      auth: { roles: { guard: ['yard'] }, failed_login_rate_limit: null, trusted_proxies: ['127.0.0.0/8'] },
      database: { url },
    },
    env: { SERVICE_JWT_SECRET },
  })

describe.skipIf(postgres === undefined || !program('haproxy'))('HAProxy in front of two gates, as in the guide', () => {
  afterAll(stopAll)

  test('[TOK-11] [NODE-3] a session is accepted by both gates, and goes on through the other when one stops', async () => {
    const url = await database()
    const gates = [await gate(url), await gate(url)] as const
    const [one, two] = gates
    await one.user('gill', 'guard')
    const port = await freePort()
    const { pem, ca } = frontFiles(one)
    const block = guideBlock('haproxy', 'backend gates', 'several-instances')
    await fronts.haproxy(
      filledIn(block, {
        'bind :443': `bind 127.0.0.1:${port}`,
        '/etc/haproxy/cam.example.pem': pem,
        '/etc/haproxy/gatehouse-ca.crt': ca,
        'gate-one:8971 verifyhost gate-one sni str(gate-one) check-sni gate-one': `127.0.0.1:${one.gatePort} verifyhost localhost sni str(localhost) check-sni localhost`,
        'gate-two:8971 verifyhost gate-two sni str(gate-two) check-sni gate-two': `127.0.0.1:${two.gatePort} verifyhost localhost sni str(localhost) check-sni localhost`,
      }),
    )
    const site = client(port, 'https', {})
    await reachable(site)
    const gill = await signIn(site, 'gill', password)
    const used = new Set<string>()
    const openAt = async (): Promise<string> => {
      const socket = gill.socket('/api/cameras/yard/live', { headers: { origin: site.base } })
      await once(socket, 'open')
      const closed = once(socket, 'close')
      const streams = await Promise.all(
        gates.map(async ({ internal }) => ((await internal.get('/api/stats')).json as Stats).service.open_streams),
      )
      socket.terminate()
      await closed
      return streams[0] === 0 ? 'two' : 'one'
    }
    for (let nth = 0; nth < 4; nth += 1) used.add(await openAt())
    expect([...used].sort()).toEqual(['one', 'two'])

    await one.stop()
    await expect.poll(() => statusOf(gill)).toBe(200)
    for (let nth = 0; nth < 4; nth += 1) expect((await gill.get('/api/profile')).status).toBe(200)
    const socket = gill.socket('/api/cameras/yard/live', { headers: { origin: site.base } })
    await once(socket, 'open')
    socket.terminate()
  })
})

interface Stats {
  readonly service: { readonly open_streams: number }
}
