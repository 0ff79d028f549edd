/** Names, paths and headers that would add a line to the log, control a terminal, or hide what happened. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { seedExports } from '../server/test/support/export-seed.ts'
import { controlCharacters, sendHostileRequests } from '../server/test/support/hostile-requests.ts'
import { rawRequest } from '../server/test/support/raw-request.ts'
import { password } from '../server/test/support/sign-in.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'

let service: InProcessService
beforeAll(async () => {
  service = await startService({
    config: {
      tls: { enabled: false },
      auth: { roles: { guard: ['door'] }, trusted_proxies: ['127.0.0.1'], failed_login_rate_limit: null },
      logger: { default: 'debug' },
    },
  })
  await service.internal.post('/api/users', { username: 'gus', password, role: 'guard' })
})
afterAll(stopAll)

interface Line {
  readonly level: string
  readonly logger: string
  readonly msg: string
}

/** What was printed since, line by line; throws if a line is not JSON. */
const linesSince = (length: number): Line[] =>
  service
    .output()
    .slice(length)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)

describe('[ERR-3] no text from a client makes a line, or controls a terminal', () => {
  test.each<[source: string, text: string]>([
    ['ASVS 16.4.1', 'a\n{"level":"info","logger":"service","msg":"FORGED"}'],
    ['ASVS 16.4.1', 'b\r\n[12:00:00.000] INFO FORGED'],
    ['CVE-2022-39291', 'c\u0085FORGED\u2028FORGED\u2029FORGED'],
    ['CVE-2021-25743', 'd\u001b[2J\u001b]0;FORGED\u0007'],
    ['CVE-2021-25743', 'e\u009b31mFORGED\u0090FORGED\u009c\u007f\b\b\b'],
    ['CVE-2021-42574', 'f\u202eDEGROF\u202c\u2066FORGED\u2069'],
    ['ASVS 16.4.1', 'g"},"msg":"FORGED","x":{"y":"'],
    ['ASVS 16.4.1', 'h\u0000FORGED'],
    ['CVE-2021-44228', '${jndi:ldap://127.0.0.1/FORGED}'],
    ['ASVS 1.3.7', '%s%n%d%j%O FORGED'],
  ])('%s: %j', async (_source, text) => {
    const before = service.output().length
    await sendHostileRequests(service, [text])
    await expect.poll(() => linesSince(before).some(({ msg }) => msg === 'audit')).toBe(true)
    for (const { msg, level, logger } of linesSince(before)) {
      expect(msg).not.toContain('FORGED')
      expect(['debug', 'info', 'warn']).toContain(level)
      expect(logger).toMatch(/^service/)
    }
    expect(service.output()).not.toMatch(controlCharacters)
    for (const path of ['/api/logs', '/api/audit']) {
      // As JSON, and so that a terminal that prints the response does nothing either.
      expect((await service.internal.get(path)).text).not.toMatch(/[\0-\x08\x0b-\x1f]/)
    }
  })

  test.each([
    ['CVE-2021-42574', 'yard\u202egnp.exe'],
    ['ASVS 16.4.1', 'yard\u2028FORGED\u2029FORGED'],
  ])('%s: no export can be named %j, which the log would show', async (_source, name) => {
    const id = randomBytes(16).toString('hex')
    await seedExports(service, { yard: id })
    const { status, json } = await service.internal.request('PATCH', `/api/exports/${id}`, { body: { name } })
    expect([status, json]).toMatchObject([400, { problems: [{ field: 'name', code: 'control-character' }] }])
    expect(service.output()).not.toMatch(controlCharacters)
  })

  test('[AUD-4] CVE-2022-39289: the audit log contains no typed username that does not exist', async () => {
    await sendHostileRequests(service, ['FORGED user'])
    const users = async () => {
      const { entries } = (await service.internal.get('/api/audit?limit=500&action=login')).json as {
        entries: { user: string | null }[]
      }
      return new Set(entries.map(({ user }) => user))
    }
    await expect.poll(users).toEqual(new Set([null, 'gus']))
  })
})

describe('[AUD-1] [AUD-2] who did it cannot be changed by the one who did', () => {
  test.each<[source: string, headers: readonly string[]]>([
    ['CVE-2023-36456', ['X-Forwarded-For: 203.0.113.9\t, 192.0.2.1', 'X-Real-IP: 203.0.113.9']],
    ['ASVS 16.2.1', ['Date: Thu, 01 Jan 1970 00:00:00 GMT', 'X-Request-Id: FORGED', 'Traceparent: FORGED']],
    ['ASVS 16.2.1', ['From: admin@example.org', 'Remote-User: admin', 'X-Forwarded-User: admin']],
  ])('%s: with %j', async (_source, headers) => {
    // Denials of one user at one address are merged for a minute.
    const name = `eve-${service.output().length}`
    const client = await service.user(name, 'guard')
    const more = headers.some((line) => line.startsWith('X-Forwarded-For')) ? [] : ['X-Forwarded-For: 192.0.2.1']
    const { status } = await rawRequest(client, { target: `/api/users/${name}`, headers: [...headers, ...more] })
    expect(status).toBe(403)
    const [, line] = await service.printed(new RegExp(`^(.*"request.denied".*/api/users/${name}".*)$`, 'm'))
    expect(JSON.parse(line!)).toMatchObject({ user: name, address: '192.0.2.1', result: 'denied' })
    expect(line).not.toMatch(/FORGED|admin|1970/)
  })
})
