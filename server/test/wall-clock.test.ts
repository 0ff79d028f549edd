import { once } from 'node:events'
import { expect, test } from 'vitest'
import { openDatabase } from './support/service-database.ts'
import { password } from './support/sign-in.ts'
import { startService } from './support/start-service.ts'
import { quietCameras } from './support/quiet-cameras.ts'
import { writeRecordings } from './support/write-recordings.ts'
import { statusOf } from './support/test-client.ts'

const hour = 3_600_000

test('[TOK-3] [TOK-6] [TOK-7] [RATE-2] a clock that is set forward or back brings no ended session back, and lifts no limit', async () => {
  const service = await startService({
    config: { tls: { enabled: false }, auth: { failed_login_rate_limit: '3/hour' } },
  })
  const { clock, gate, internal } = service
  const names = ['ann', 'bob', 'cat', 'dan', 'eve']
  const [ann, bob, cat, dan, eve] = await Promise.all(names.map((name) => service.user(name)))
  const streams = [ann!, eve!].map((client) => client.socket('/api/cameras/yard/live'))
  const closed = Promise.all(streams.map((socket) => once(socket, 'close')))
  await Promise.all(streams.map((socket) => once(socket, 'open')))
  const realTime = clock.now()
  const setBy = (milliseconds: number) => clock.setWallTime(realTime + milliseconds)

  setBy(-2 * hour)
  expect(await Promise.all([ann!, bob!, cat!, dan!].map((client) => statusOf(client)))).toEqual([200, 200, 200, 200])
  expect((await bob!.post('/api/logout')).status).toBe(204)
  expect((await internal.put('/api/users/cat/password', { password: 'another long one' })).status).toBe(200)
  expect((await internal.delete('/api/users/dan')).status).toBe(204)
  for (let i = 0; i < 3; i++)
    expect((await gate.post('/api/login', { user: 'ann', password: 'wrong' })).status).toBe(401)
  const ended = async (when: string) => {
    expect([when, ...(await Promise.all([bob!, cat!, dan!].map((client) => statusOf(client))))]).toEqual([
      when,
      401,
      401,
      401,
    ])
    expect([when, (await gate.post('/api/login', { user: 'ann', password })).status]).toEqual([when, 429])
  }
  await ended('two hours back')

  setBy(3 * 24 * hour)
  expect(await statusOf(ann!)).toBe(401)
  expect((await closed).map(([code]) => code as unknown)).toEqual([4401, 4401])
  await ended('three days ahead')
  // Sessions that seem to have expired are deleted once an hour.
  await clock.skip(2 * hour)
  setBy(0)
  const { status } = await gate.post('/api/login', { user: 'ann', password })
  expect(status).toBe(200)
  expect(await Promise.all([bob!, cat!, dan!].map((client) => statusOf(client)))).toEqual([401, 401, 401])
})

test('[TOK-6] a clock that is ahead for a while ends no session, and one that it deleted stays ended', async () => {
  const service = await startService({ config: { tls: { enabled: false } } })
  const { clock } = service
  const [ann, bob] = await Promise.all(['ann', 'bob'].map((name) => service.user(name)))
  const rows = () => {
    const database = openDatabase(service, { readOnly: true })
    const found = database.prepare('select id from session').all()
    database.close()
    return found.length
  }
  const realTime = clock.now()
  expect(await Promise.all([ann!, bob!].map((client) => statusOf(client)))).toEqual([200, 200])

  clock.setWallTime(realTime + 3 * 24 * hour)
  await clock.skip(1.5 * hour)
  await service.printed(/nothing is removed by age for an hour/)
  clock.setWallTime(realTime)
  expect([await statusOf(ann!), await statusOf(bob!), rows()]).toEqual([200, 200, 2])
  expect((await ann!.post('/api/logout')).status).toBe(204)
  expect([await statusOf(ann!), await statusOf(bob!), rows()]).toEqual([401, 200, 1])

  // A clock that stays ahead is believed after an hour.
  clock.setWallTime(realTime + 3 * 24 * hour)
  await clock.skip(1.5 * hour)
  await clock.skip(1.5 * hour)
  await expect.poll(rows).toBe(0)
  clock.setWallTime(realTime)
  await expect.poll(() => statusOf(bob!)).toBe(401)
})

test('[ERR-3] what was recorded while the clock was ahead plays and downloads at once; an export says why it can’t be made yet', async () => {
  const empty = await startService({ config: { tls: { enabled: false }, cameras: quietCameras } })
  await empty.stop()
  const start = Math.floor(Date.now() / 1000) + 3600
  await writeRecordings(empty.mediaDir, { camera: 'yard', start: start * 1000, segments: 1 })
  const service = await empty.restart()
  await service.printed(/recordings reconciled/)
  const { internal } = service
  const at = '/api/cameras/yard'
  const listed = await internal.get(`${at}/recordings?after=${start}&before=${start + 10}`)
  expect((listed.json as { segments: unknown[] }).segments).toHaveLength(1)
  expect((await internal.get(`${at}/playback/${start}/${start + 10}/index.m3u8`)).status).toBe(200)
  expect((await internal.get(`${at}/clip.mp4?start=${start}&end=${start + 5}`)).status).toBe(200)
  const refused = await internal.post('/api/exports', { camera: 'yard', start, end: start + 5 })
  expect([refused.status, refused.json]).toEqual([
    400,
    expect.objectContaining({
      problems: [
        expect.objectContaining({
          field: 'end',
          code: 'in-future',
          message: expect.stringMatching(
            /clock was set back.*can be played and downloaded, but not exported/,
          ) as string,
        }),
      ],
    }),
  ])
})
