/** Entries without end: what a user who can only watch, or someone who has a link, can write into the audit log, the log and lists. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from '../server/test/support/cleanups.ts'
import { makeLink, openLink } from '../server/test/support/make-link.ts'
import { password, signIn } from '../server/test/support/sign-in.ts'
import { changeDatabase } from '../server/test/support/service-database.ts'
import { startService, type InProcessService } from '../server/test/support/start-service.ts'
import type { Reply } from '../server/test/support/test-client.ts'

const live = { kind: 'live', camera: 'yard' }

let service: InProcessService
beforeAll(async () => {
  const roles = { sharer: { cameras: ['yard'], allow: ['live', 'share'] } }
  service = await startService({
    config: { tls: { enabled: false }, auth: { roles, failed_login_rate_limit: null } },
  })
})
afterAll(stopAll)

/** Sends a request until it is refused, and returns the refusal. */
async function refused(send: () => Promise<Reply>, max: number): Promise<Reply> {
  for (let nth = 0; nth < max; nth += 1) {
    const reply = await send()
    if (reply.status === 429) return reply
    expect(reply.status).toBeLessThan(300)
  }
  throw new Error(`${max} requests were not refused`)
}

const countOf = async (action: string): Promise<number> => {
  const { json } = await service.internal.get(`/api/audit?action=${action}&limit=500`)
  return (json as { entries: object[] }).entries.length
}

describe('[AUD-2] [LINK-3] openings of a share link', () => {
  test('CWE-779: by one address are limited for each link, with a cookie of the link too', async () => {
    const sharer = await service.user('sam', 'sharer')
    const [link, other] = [await makeLink(sharer, live), await makeLink(sharer, live)]
    const viewer = await openLink(service, link)
    const open = ({ id, secret }: typeof link) => viewer.post(`/api/links/${id}/open`, { secret })
    const reply = await refused(() => open(link), 400)
    expect(reply.json).toMatchObject({ code: 'too-many-attempts' })
    expect(reply.headers['retry-after']).toBe('2')
    const entries = await countOf('link.open')
    expect((await open(link)).status).toBe(429)
    expect(await countOf('link.open')).toBe(entries)
    expect((await open(other)).status).toBe(200)
    await service.clock.advance(2_000)
    expect((await open(link)).status).toBe(200)
  })
})

describe('[AUD-2] changes of what is one’s own', () => {
  test('CWE-779: by a user are limited together: tokens, links, the password and factors', async () => {
    const ann = await service.user('ann', 'sharer')
    const create = async () => {
      const reply = await ann.post('/api/tokens', { name: 'x' })
      if (reply.status === 201) await ann.delete(`/api/tokens/${(reply.json as { id: string }).id}`)
      return reply
    }
    const reply = await refused(create, 400)
    expect(reply.json).toMatchObject({ code: 'too-many-attempts' })
    expect(reply.headers['retry-after']).toBe('5')
    for (const send of [
      () => ann.post('/api/tokens', { name: 'x' }),
      () => ann.post('/api/links', live),
      () => ann.put('/api/users/ann/password', { old_password: password, password: 'another one of hers' }),
      () => ann.post('/api/account/totp'),
      () => ann.post('/api/account/recovery-codes'),
    ])
      expect((await send()).status).toBe(429)
    // What only takes away stays possible, and what changes nothing of the account.
    expect((await ann.delete('/api/sessions?others=true')).status).toBe(204)
    expect((await ann.get('/api/profile')).status).toBe(200)
    // Other users, and an admin who sets her password, aren't affected.
    const boss = await service.user('boss', 'admin')
    expect((await boss.put('/api/users/ann/password', { password: 'chosen by the admin' })).status).toBe(200)
    expect((await boss.post('/api/tokens', { name: 'x' })).status).toBe(201)
  })

  test('CWE-779: a revocation of sessions that ends none makes no entry', async () => {
    const ben = await service.user('ben')
    const before = await countOf('session.revoke')
    for (let nth = 0; nth < 3; nth += 1) expect((await ben.delete('/api/sessions?others=true')).status).toBe(204)
    expect(await countOf('session.revoke')).toBe(before)
    await signIn(service.gate, 'ben')
    expect((await ben.delete('/api/sessions?others=true')).status).toBe(204)
    expect(await countOf('session.revoke')).toBe(before + 1)
  })
})

test('[LINK-1] CWE-770: of the links that a user has revoked, as many are kept and listed as a user can have', async () => {
  const kim = await service.user('kim', 'sharer')
  const { id } = await makeLink(kim, live)
  expect((await kim.delete(`/api/links/${id}`)).status).toBe(204)
  await changeDatabase(service, (database) =>
    database.exec(`
      with recursive number(n) as (select 1 union all select n + 1 from number where n < 3000)
      insert into share_link (${columns})
      select ${columns.replace(/^id/, "printf('%032x', n)")} from share_link, number where id = '${id}'`),
  )
  const made = await makeLink(kim, live)
  const listed = (await kim.get('/api/links')).json as { id: string }[]
  expect(listed).toHaveLength(1001)
  expect(listed.some((link) => link.id === made.id)).toBe(true)
})

/** Of a share link, the id first. */
const columns =
  'id, user_id, kind, camera, start, "end", export_id, expires_at, revoked_at, secret_hash, code_hash, wrong_codes, opens, max_opens, max_viewers, download, audio, note, token_id, created_at, last_opened_at'
