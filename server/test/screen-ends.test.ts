import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { closeCode } from './support/close-code.ts'
import { bearer, createToken } from './support/create-token.ts'
import { pairScreen } from './support/pair-screen.ts'
import { startService, type InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'

const minute = 60_000

let service: InProcessService
beforeAll(async () => {
  service = await startService({ config: { tls: { enabled: false }, auth: { failed_login_rate_limit: null } } })
})
afterAll(stopAll)

interface Listed {
  readonly id: string
}

const pairedBy = (by: TestClient) => pairScreen(service, { name: 'hall', cameras: ['yard'] }, by)
const owned = { actions: ['live', 'screens.manage'] }
let owners = 0
/** A screen that an admin's API token paired. @param limits of the token */
async function tokenScreen(limits: object = owned) {
  const name = `owner${(owners += 1)}`
  const owner = await service.user(name, 'admin')
  const { token } = await createToken(owner, limits)
  return { name, ...(await pairedBy(service.gate.with(bearer(token)))) }
}
const later = (milliseconds: number): string => new Date(service.clock.now() + milliseconds).toISOString()
const jump = (milliseconds: number): void => service.clock.setWallTime(service.clock.now() + milliseconds)
const listed = async (of: string) =>
  ((await service.internal.get('/api/screens')).json as Listed[]).find(({ id }) => id === of)
const status = (name: string, body: object) => service.internal.put(`/api/users/${name}/status`, body)

describe('[KEY-4] a screen that an API token paired loses its streams within a second, and shows nothing, once', () => {
  test.each<[what: string, limits: () => object, end: (owner: string) => Promise<unknown>]>([
    ['the token expires', () => ({ ...owned, expires_at: later(minute) }), async () => jump(minute)],
    ['its owner is disabled', () => owned, (name) => status(name, { disabled: true })],
    ['its owner is deleted', () => owned, (name) => service.internal.delete(`/api/users/${name}`)],
    [
      'its owner is no longer an admin',
      () => owned,
      (name) => service.internal.put(`/api/users/${name}/role`, { role: 'viewer' }),
    ],
    [
      'its owner, with whose password the token ends, gets another one',
      () => owned,
      (name) => service.internal.put(`/api/users/${name}/password`, { password: 'another long one' }),
    ],
  ])('%s', async (_what, limits, end) => {
    const { id, name, client } = await tokenScreen(limits())
    expect(await listed(id)).toMatchObject({ ended: false })
    expect(await closeCode(client, '/api/cameras/yard/live', () => end(name))).toBe(4401)
    expect((await client.get('/api/screen')).status).toBe(401)
    expect(await listed(id)).toMatchObject({ ended: true })
    expect((await service.internal.delete(`/api/screens/${id}`)).status).toBe(204)
  })

  test('its owner expires', async () => {
    const { id, name, client } = await tokenScreen()
    expect((await status(name, { expires_at: later(minute) })).status).toBe(200)
    expect(await closeCode(client, '/api/cameras/yard/live', async () => jump(minute))).toBe(4401)
    expect(await listed(id)).toMatchObject({ ended: true })
  })

  test('its owner is disabled, and shows its cameras again once the owner is enabled', async () => {
    const { id, name, client } = await tokenScreen()
    await status(name, { disabled: true })
    expect((await client.get('/api/cameras/yard')).status).toBe(401)
    await status(name, { disabled: false })
    expect((await client.get('/api/cameras/yard')).status).toBe(200)
    expect(await listed(id)).toMatchObject({ ended: false })
  })
})

test('[KEY-6] a screen that an admin paired without a token belongs to no user, and stays without the admin', async () => {
  const { id, client } = await pairedBy(await service.user('installer', 'admin'))
  expect((await service.internal.delete('/api/users/installer')).status).toBe(204)
  expect((await client.get('/api/cameras/yard')).status).toBe(200)
  expect(await listed(id)).toMatchObject({ confirmed_by: 'installer', ended: false })
})
