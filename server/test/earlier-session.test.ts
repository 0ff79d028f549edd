import { once } from 'node:events'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Authenticator } from './support/authenticator.ts'
import { stopAll } from './support/cleanups.ts'
import {
  addPasskey,
  addTotp,
  login,
  named,
  nextCode,
  secondFactor,
  ticketOf,
  type TotpApp,
} from './support/second-factor.ts'
import { password, tokenIn } from './support/sign-in.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { Reply, TestClient } from './support/test-client.ts'

const chosen = 'a password that they chose'

let service: InProcessService
let admin: TestClient
let app: TotpApp
let passkey: Authenticator
beforeAll(async () => {
  service = await startService({ config: { tls: { enabled: false }, auth: { failed_login_rate_limit: null } } })
  admin = await service.user('boss', 'admin')
  await service.user('ann')
  await service.user('ruth')
  app = await addTotp(service, await service.user('tom'))
  passkey = await addPasskey(await service.user('pia'))
})
afterAll(stopAll)

const linkBy = async (path: string, body?: object) => {
  const { id, url } = (await admin.post(path, body)).json as { id: string; url: string }
  return { id, secret: new URL(url).hash.slice(1) }
}
const invite = () => linkBy('/api/invitations', { role: 'viewer' })
const assertion = async (at: TestClient, body: object = {}) =>
  passkey.get((await at.post('/api/login/passkey/options', body)).json)

/** A browser in which a user is signed in, and the stream that its page plays. */
async function browserOf(user: string) {
  const signedIn = await login(service.gate, user)
  const cookie = signedIn.cookies[0]?.split(';')[0] ?? ''
  const browser = named(service.gate.with({ cookie }))
  const stream = browser.socket('/api/cameras/yard/live')
  onTestFinished(() => stream.terminate())
  await once(stream, 'open')
  return { browser, stream }
}

test.each<[way: string, user: string, signIn: (browser: TestClient) => Promise<Reply>]>([
  ['with a password', 'ruth', (browser) => login(browser, 'ruth')],
  [
    'with a password and a code',
    'tom',
    async (browser) => {
      const ticket = await ticketOf(browser, 'tom')
      nextCode(service)
      return secondFactor(browser, ticket, { code: app.code() })
    },
  ],
  [
    'with a passkey',
    'pia',
    async (browser) => browser.post('/api/login/passkey', { assertion: await assertion(browser) }),
  ],
  [
    'with a password and a passkey',
    'pia',
    async (browser) => {
      const ticket = await ticketOf(browser, 'pia')
      return secondFactor(browser, ticket, { assertion: await assertion(browser, { ticket }) })
    },
  ],
  [
    'by an invitation',
    'new',
    async (browser) => {
      const { id, secret } = await invite()
      return browser.post(`/api/invitations/${id}/accept`, { secret, username: 'new', password: chosen })
    },
  ],
  [
    'by a password reset',
    'ruth',
    async (browser) => {
      const { id, secret } = await linkBy('/api/users/ruth/password-reset')
      return browser.post(`/api/password-resets/${id}/accept`, { secret, password: chosen })
    },
  ],
])(
  '[TOK-12] [LINK-4] a sign-in %s ends the session of another user in the same browser, with its streams',
  async (_way, user, signIn) => {
    const { browser, stream } = await browserOf('ann')
    const closed = once(stream, 'close')
    const reply = await signIn(browser)
    expect([reply.status, reply.json], reply.text).toMatchObject([200, { username: user }])
    expect((await browser.get('/api/profile')).status).toBe(401)
    expect((await closed)[0]).toBe(4401)
    const now = service.gate.with({ authorization: `Bearer ${tokenIn(reply)}` })
    expect((await now.get('/api/profile')).json).toMatchObject({ username: user })
    const log = (await admin.get('/api/audit?action=logout&limit=1')).json as { entries: object[] }
    expect(log.entries).toMatchObject([{ user: 'ann', result: 'success' }])
  },
)

test('[TOK-12] [LINK-4] a link that can’t be used, or whose user still has to show a second factor, ends no session', async () => {
  const { browser, stream } = await browserOf('ann')
  const { id, secret } = await invite()
  expect((await admin.delete(`/api/invitations/${id}`)).status).toBe(204)
  const body = { secret, username: 'other', password: chosen }
  expect((await browser.post(`/api/invitations/${id}/accept`, body)).status).toBe(410)
  const reset = await linkBy('/api/users/tom/password-reset')
  const reply = await browser.post(`/api/password-resets/${reset.id}/accept`, {
    secret: reset.secret,
    password: chosen,
  })
  expect([reply.status, reply.json]).toMatchObject([401, { code: 'second-factor-required' }])
  expect((await browser.get('/api/profile')).json).toMatchObject({ username: 'ann' })
  expect(stream.readyState).toBe(stream.OPEN)
})

test('[LINK-4] a reset by a link in a browser of the same user signs in again', async () => {
  const { browser, stream } = await browserOf('ann')
  const closed = once(stream, 'close')
  const { id, secret } = await linkBy('/api/users/ann/password-reset')
  const reply = await browser.post(`/api/password-resets/${id}/accept`, { secret, password: chosen })
  expect([reply.status, (await closed)[0]]).toEqual([200, 4401])
  expect((await login(service.gate, 'ann', password)).status).toBe(401)
  const now = service.gate.with({ authorization: `Bearer ${tokenIn(reply)}` })
  expect((await now.get('/api/profile')).json).toMatchObject({ username: 'ann' })
})
