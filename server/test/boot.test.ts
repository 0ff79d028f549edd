import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Service } from './support/service.ts'
import { password, signIn } from './support/sign-in.ts'
import { failedRestart, failedStart, startService } from './support/start-service.ts'

const printedPasswords = (of: Service) => [...of.output().matchAll(/password: +(\S+)/g)].map(([, found]) => found ?? '')

const long = (sign: string) => sign.repeat(64)

describe('the first start', () => {
  test('[BOOT-2] creates no user where a proxy authenticates, with or without a reset', async () => {
    const auth = { enabled: false, reset_admin_password: true }
    const gatehouse = await startService({ config: { auth } })
    expect(printedPasswords(gatehouse)).toEqual([])
    expect((await gatehouse.internal.get('/api/users')).json).toEqual([])
  })

  test('[BOOT-4] the service warns about a printed password until it is changed', async () => {
    const gatehouse = await startService()
    const [printed = ''] = printedPasswords(gatehouse)
    const admin = await signIn(gatehouse.gate, 'admin', printed)
    expect((await admin.get('/api/profile')).json).toMatchObject({ password_origin: 'printed' })
    const same = await admin.put('/api/users/admin/password', { password: printed, old_password: printed })
    expect(same.status).toBe(400)
    await admin.put('/api/users/admin/password', { password, old_password: printed })
    const again = await signIn(gatehouse.gate, 'admin', password)
    expect((await again.get('/api/profile')).json).toMatchObject({ password_origin: 'own' })
  })

  test('[BOOT-4] the service warns about a password set by an admin, if the admin requires a change', async () => {
    const { gate, internal } = await startService({ config: { auth: { failed_login_rate_limit: null } } })
    const given = 'given by an admin'
    const requested = async (name: string, secret: string) => {
      const client = await signIn(gate, name, secret)
      const { must_change_password: must, password_origin: origin } = (await client.get('/api/profile')).json as {
        must_change_password: boolean
        password_origin: string | null
      }
      return { client, must, origin }
    }
    const ann = { username: 'ann', password: given, role: 'viewer' }
    expect((await internal.post('/api/users', { ...ann, must_change_password: true })).status).toBe(201)
    expect((await internal.post('/api/users', { ...ann, username: 'api' })).status).toBe(201)
    expect(await requested('api', given)).toMatchObject({ must: false })

    const first = await requested('ann', given)
    expect(first).toMatchObject({ must: true, origin: 'given' })
    // Only the page asks for a new password; a program that signs in can continue.
    expect((await first.client.get('/api/cameras')).status).toBe(200)
    const own = (body: object) => first.client.put('/api/users/ann/password', { old_password: given, ...body })
    expect((await own({ password: given })).json).toMatchObject({ problems: [{ code: 'given-password' }] })
    expect((await own({ password, must_change_password: false })).json).toMatchObject({
      problems: [{ field: 'must_change_password' }],
    })
    expect((await own({ password })).status).toBe(200)
    expect(await requested('ann', password)).toMatchObject({ must: false })

    const reset = { password: given, must_change_password: true }
    expect((await internal.put('/api/users/ann/password', reset)).status).toBe(200)
    expect(await requested('ann', given)).toMatchObject({ must: true })
    expect((await internal.put('/api/users/ann/password', { password: given })).status).toBe(200)
    expect(await requested('ann', given)).toMatchObject({ must: false })
  })
})

test('[BOOT-3] a reset gives the admin a new password at every start, and revokes the old sessions', async () => {
  const first = await startService()
  const [printed = ''] = printedPasswords(first)
  const admin = await signIn(first.gate, 'admin', printed)
  await first.internal.post('/api/users', { username: 'second', password, role: 'admin' })
  expect((await first.internal.put('/api/users/admin/role', { role: 'viewer' })).status).toBe(200)

  const config = readFileSync(first.configFile, 'utf8')
  writeFileSync(first.configFile, `${config}\nauth: { reset_admin_password: true }\n`)
  const second = await first.restart()
  const [reset = ''] = printedPasswords(second)
  expect(second.output()).toContain('remove `auth.reset_admin_password` from config.yml')
  expect((await second.gate.with(admin.headers).get('/api/profile')).status).toBe(401)
  const back = await signIn(second.gate, 'admin', reset)
  expect((await back.get('/api/profile')).json).toMatchObject({ role: 'admin' })

  const third = await second.restart()
  const [another = ''] = printedPasswords(third)
  expect(another).not.toBe(reset)
  expect((await third.gate.with(back.headers).get('/api/profile')).status).toBe(401)

  expect((await third.internal.delete('/api/users/admin')).status).toBe(204)
  const fourth = await third.restart()
  await signIn(fourth.gate, 'admin', printedPasswords(fourth)[0])
})

describe('the JWT secret', () => {
  test('[SEC-1, SEC-2, TOK-8] is kept, and a different one ends all sessions', async () => {
    const first = await startService()
    const file = join(first.configDir, '.jwt_secret')
    expect(readFileSync(file, 'utf8')).toMatch(/^[0-9a-f]{128}$/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const ann = await first.user('ann')
    const second = await first.restart()
    expect((await second.gate.with(ann.headers).get('/api/profile')).status).toBe(200)
    const third = await second.restart({ env: { SERVICE_JWT_SECRET: long('a') } })
    expect((await third.gate.with(ann.headers).get('/api/profile')).status).toBe(401)
  })

  test.each([
    ['[SEC-3] a short one', { '.jwt_secret': long('s').slice(1) }, {}],
    [
      '[SEC-3] a short one in the environment, even if the file has a good one',
      { '.jwt_secret': long('g') },
      { SERVICE_JWT_SECRET: 'ssssssss' },
    ],
  ])('%s stops the service at startup with status 78, and is not printed', async (_what, files, env) => {
    const { status, output } = await failedStart({ files, env })
    expect(status).toBe(78)
    expect(output).toContain('at least 64')
    expect(output).not.toContain('ssssssss')
  })

  test('[SEC-4] app options that are not JSON stop the service at startup, even if the file has a good one', async () => {
    const service = await startService({ files: { 'options.json': '{', '.jwt_secret': long('g') } })
    const env = { APP_OPTIONS_FILE: join(service.configDir, 'options.json') }
    const { status, output } = await failedRestart(service, { env })
    expect(status).toBe(78)
    expect(output).toContain('options.json')
    expect(output).not.toContain(long('g'))
  })
})
