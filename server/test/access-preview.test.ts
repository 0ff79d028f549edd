import { afterAll, expect, test } from 'vitest'
import { stopAll } from './support/cleanups.ts'
import { bearer, createToken } from './support/create-token.ts'
import { makeLink } from './support/make-link.ts'
import { pairScreen } from './support/pair-screen.ts'
import { startService, type InProcessService } from './support/start-service.ts'

afterAll(stopAll)

const now = Date.parse('2026-11-23T12:00:00Z')
const config = {
  tls: { enabled: false },
  time_zone: 'UTC',
  auth: {
    roles: {
      guard: { cameras: ['yard'], allow: ['live', 'history'] },
      sharer: { cameras: ['yard'], allow: ['live', 'audio', 'share'], hours: [{ from: '06:00', to: '22:00' }] },
    },
  },
}

async function running(): Promise<InProcessService> {
  const service = await startService({ config })
  service.clock.setWallTime(now)
  return service
}
const previewIn =
  ({ internal }: InProcessService) =>
  async (body: object) =>
    (await internal.post('/api/access/try', body)).json
const refused = (code: string) => ({
  user: null,
  role: null,
  reason: { code },
  actions: [],
  allowed_cameras: [],
})

test('[PROXY-4] [GRANT-4] a user who is disabled or has expired is previewed as refused, and says why', async () => {
  const service = await running()
  const preview = previewIn(service)
  await service.user('gill', 'guard')
  const granted = { user: 'gill', role: 'guard', reason: { code: 'given-by-admin' }, allowed_cameras: ['yard'] }
  const status = (body: object) => service.internal.put('/api/users/gill/status', body)

  expect(await preview({ user: 'gill' })).toMatchObject(granted)
  await status({ expires_at: '2026-11-24T00:00:00Z' })
  expect(await preview({ user: 'gill' })).toMatchObject(granted)
  expect(await preview({ user: 'gill', at: '2026-11-23T23:59:59Z' })).toMatchObject(granted)
  expect(await preview({ user: 'gill', at: '2026-11-24T00:00:00Z' })).toMatchObject(refused('user-expired'))
  service.clock.setWallTime(Date.parse('2026-11-24T00:00:00Z'))
  expect(await preview({ user: 'gill' })).toMatchObject(refused('user-expired'))

  await status({ expires_at: null, disabled: true })
  for (const at of [{}, { at: '2026-11-23T12:00:00Z' }, { at: '2030-01-01T00:00:00Z' }]) {
    expect(await preview({ user: 'gill', ...at })).toMatchObject(refused('user-disabled'))
  }
})

test('[PROXY-4] [KEY-6] a screen is previewed with its cameras and audio, and nothing else', async () => {
  const service = await running()
  const preview = previewIn(service)
  const { id } = await pairScreen(service, { name: 'Hall', cameras: ['door'] })
  const hall = { user: 'Hall', reason: { code: 'chosen-for-screen' }, actions: ['live'], allowed_cameras: ['door'] }
  expect(await preview({ screen: id })).toMatchObject(hall)
  expect(await preview({ screen: id, at: '2030-01-01T00:00:00Z' })).toMatchObject(hall)
  expect(await preview({ screen: id, at: '2026-12-31T23:59:60Z' })).toMatchObject({
    status: 400,
    problems: [{ field: 'at' }],
  })
  await service.internal.request('PATCH', `/api/screens/${id}`, { body: { audio: true, cameras: ['yard'] } })
  expect(await preview({ screen: id })).toMatchObject({ actions: ['audio', 'live'], allowed_cameras: ['yard'] })
  await service.internal.delete(`/api/screens/${id}`)
  expect(await preview({ screen: id })).toMatchObject({ status: 404, reason: { code: 'no-such-screen' } })
})

test('[PROXY-4] [KEY-2] a token is previewed within its limits, and as refused once it has ended', async () => {
  const service = await running()
  const preview = previewIn(service)
  const ann = await service.user('ann', 'viewer')
  const { id: token } = await createToken(ann, {
    name: 'NAS',
    cameras: ['yard'],
    actions: ['live'],
    expires_at: '2026-11-24T00:00:00Z',
  })
  const allowed = { user: 'ann', role: 'viewer', actions: ['live'], allowed_cameras: ['yard'] }
  expect(await preview({ token })).toMatchObject({ ...allowed, reason: { code: 'within-token' } })
  expect(await preview({ token, at: '2026-11-23T23:59:59Z' })).toMatchObject(allowed)
  expect(await preview({ token, at: '2026-11-24T00:00:00Z' })).toMatchObject(refused('token-over'))

  const disabled = (disabled: boolean) => service.internal.put('/api/users/ann/status', { disabled })
  await disabled(true)
  expect(await preview({ token })).toMatchObject(refused('token-over'))
  await disabled(false)
  await service.internal.put('/api/users/ann/role', { role: 'guard' })
  expect(await preview({ token })).toMatchObject({ ...allowed, role: 'guard' })
  await service.internal.delete(`/api/tokens/${token}`)
  expect(await preview({ token })).toMatchObject({ status: 404, reason: { code: 'no-such-token' } })
})

test('[PROXY-4] [KEY-4] a screen that a token paired is previewed as refused once the token has ended', async () => {
  const service = await running()
  const preview = previewIn(service)
  const ann = await service.user('ann', 'admin')
  const limits = { actions: ['live', 'screens.manage'], expires_at: '2026-11-24T00:00:00Z' }
  const { token } = await createToken(ann, limits)
  const { id: screen } = await pairScreen(
    service,
    { name: 'Hall', cameras: ['door'] },
    service.gate.with(bearer(token)),
  )
  const hall = { user: 'Hall', reason: { code: 'chosen-for-screen' }, allowed_cameras: ['door'] }
  expect(await preview({ screen })).toMatchObject(hall)
  expect(await preview({ screen, at: '2026-11-23T23:59:59Z' })).toMatchObject(hall)
  expect(await preview({ screen, at: '2026-11-24T00:00:00Z' })).toMatchObject(refused('screen-over'))
  await service.internal.put('/api/users/ann/status', { disabled: true })
  expect(await preview({ screen })).toMatchObject(refused('screen-over'))
})

test('[PROXY-4] [LINK-3] a share link is previewed as what its viewers see, and as refused once it has ended', async () => {
  const service = await running()
  const preview = previewIn(service)
  const ann = await service.user('ann', 'sharer')
  const live = { kind: 'live', camera: 'yard', expires_at: '2026-11-24T12:00:00Z' }
  const { id: link } = await makeLink(ann, live)
  const { id: withAudio } = await makeLink(ann, { ...live, audio: true })
  const shown = { user: 'ann', role: 'sharer', actions: ['live'], allowed_cameras: ['yard'] }
  const nothing = { user: 'ann', actions: [], allowed_cameras: [] }
  expect(await preview({ link })).toMatchObject({ ...shown, reason: { code: 'within-link' } })
  expect(await preview({ link })).not.toHaveProperty('range')
  expect(await preview({ link: withAudio })).toMatchObject({ actions: ['audio', 'live'] })
  expect(await preview({ link, at: '2026-11-24T11:59:59Z' })).toMatchObject(shown)
  expect(await preview({ link, at: '2026-11-24T12:00:00Z' })).toMatchObject(refused('link-over'))
  expect(await preview({ link, at: '2026-11-23T23:00:00Z' })).toMatchObject({ ...nothing, suspended: 'hours' })

  await service.internal.put('/api/users/ann/role', { role: 'guard' })
  expect(await preview({ link })).toMatchObject(nothing)
  await service.internal.put('/api/users/ann/role', { role: 'sharer' })
  await service.internal.put('/api/users/ann/status', { disabled: true })
  expect(await preview({ link })).toMatchObject(refused('link-over'))
  await service.internal.put('/api/users/ann/status', { disabled: false })
  await service.internal.delete(`/api/links/${link}`)
  expect(await preview({ link })).toMatchObject(refused('link-over'))
  expect(await preview({ link: 'f'.repeat(32) })).toMatchObject({ status: 404, reason: { code: 'no-such-link' } })
})
