import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { password } from './support/sign-in.ts'
import { startGatehouse } from './support/start-gatehouse.ts'
import { statusOf, type TestClient } from './support/test-client.ts'

const canLimit = spawnSync('prlimit', ['--version']).status === 0
if (!canLimit && process.env['CI']) throw new Error('prlimit is missing: apt-get install util-linux')
if (!canLimit) console.warn('\n!!! prlimit is missing (apt-get install util-linux): its tests are SKIPPED !!!\n')

type Requests = (method: string, path: string, body?: object) => Promise<{ status: number; text: string }>

/** Sends all requests over one connection, which is opened now. */
async function overOneConnection(client: TestClient): Promise<Requests> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send: Requests = async (method, path, body) => {
    const headers = { ...client.headers, ...(body && { 'content-type': 'application/json' }) }
    const outgoing = httpRequest(`${client.base}${path}`, { method, headers, agent })
    outgoing.end(body && JSON.stringify(body))
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    const chunks = (await incoming.toArray()) as Buffer[]
    return { status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString() }
  }
  await send('GET', '/api/health')
  return send
}

test.skipIf(!canLimit)(
  '[ROLE-10] [CONF-4] [CONF-5] without a free file descriptor, nothing changes by half, no caller is let in, and it recovers',
  async () => {
    const service = await startGatehouse({
      config: { tls: { enabled: false }, auth: { roles: { guard: ['door'] }, failed_login_rate_limit: null } },
    })
    const { pid } = service.process
    const [ann, gus] = [await service.user('ann'), await service.user('gus', 'guard')]
    const [asAnn, asGus, asAdmin, asNone] = await Promise.all([
      overOneConnection(ann),
      overOneConnection(gus),
      overOneConnection(service.internal),
      overOneConnection(service.gate),
    ])
    const socket = ann.socket('/api/cameras/yard/live')
    const closed = once(socket, 'close')
    await once(socket, 'open')
    const before = readFileSync(service.configFile, 'utf8')
    // The hard limit stays.
    const limit = (files: number) =>
      expect(spawnSync('prlimit', ['--pid', `${pid}`, `--nofile=${files}:`]).status).toBe(0)
    const open = new Set(readdirSync(`/proc/${pid}/fd`).map(Number))
    // A new descriptor gets the lowest free number, which must be below the limit.
    limit([...open, open.size].map((_, at) => at).find((number) => !open.has(number)) ?? open.size)

    await expect(service.gate.get('/api/health')).rejects.toThrow(/ECONNRESET|socket hang up|EPIPE/)
    expect((await asAnn('GET', '/api/profile')).status).toBe(200)
    expect((await asAnn('GET', '/api/users')).status).toBe(403)
    expect((await asGus('GET', '/api/cameras/yard')).status).toBe(403)
    expect((await asNone('GET', '/api/profile')).status).toBe(401)
    for (const [method, role, body] of [
      ['PUT', 'night', { cameras: ['yard'] }],
      ['PUT', 'guard', { cameras: ['yard'] }],
      ['DELETE', 'guard', undefined],
    ] as const) {
      const refused = await asAdmin(method, `/api/roles/${role}`, body)
      expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('EMFILE')])
    }
    expect(readFileSync(service.configFile, 'utf8')).toBe(before)
    // A file that cannot be read is neither empty nor missing.
    writeFileSync(service.configFile, before.replace('- door', '- office'))
    await service.printed(/EMFILE.*failed to read config/)
    expect((await asGus('GET', '/api/cameras/door')).status).toBe(200)
    expect((await asGus('GET', '/api/cameras/office')).status).toBe(403)
    expect((await asAdmin('GET', '/api/config/raw')).status).toBe(503)
    expect(service.output().match(/failed to read config/g)).toHaveLength(1)
    // A revocation needs no new file.
    expect((await asAdmin('DELETE', '/api/sessions?user=ann')).status).toBe(204)
    expect((await asAnn('GET', '/api/profile')).status).toBe(401)
    expect((await closed)[0]).toBe(4401)

    limit(1024)
    await expect.poll(() => statusOf(gus, '/api/cameras/office')).toBe(200)
    expect((await gus.get('/api/cameras/door')).status).toBe(403)
    expect((await service.gate.post('/api/login', { user: 'ann', password })).status).toBe(200)
    expect((await service.internal.delete('/api/roles/guard')).status).toBe(200)
  },
)
