import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { AuditPage } from '../src/audit/audit.routes.ts'
import { stopAll } from './support/cleanups.ts'
import { count, first, last, withRecordings } from './support/grant-fixture.ts'
import { seedReview } from './support/review-seed.ts'
import { framesIn } from './support/seen-recordings.ts'
import { profileOf } from './support/role-state.ts'
import type { InProcessService } from './support/start-service.ts'
import { statusOf, type TestClient } from './support/test-client.ts'

afterAll(stopAll)

/** Seconds. */
const day = 86_400

/** Seconds of recorded video that a role can see: the limit is in the middle of a segment. */
const limit = 400 - ((last + 5) % 10)

const itemsOf = async (client: TestClient) =>
  ((await client.get('/api/review')).json as { items: { id: string; start: number }[] }).items

describe('[GRANT-3] limited history', () => {
  let service: InProcessService
  let short: TestClient
  /** Unix seconds. */
  let since: number
  beforeAll(async () => {
    service = await withRecordings({
      auth: {
        roles: {
          short: { cameras: ['yard'], history_days: limit / day },
          moment: { cameras: ['yard'], history_days: 1 / day },
          whole: ['yard'],
          janitor: { cameras: ['yard'], allow: ['history', 'delete'], history_days: limit / day },
        },
      },
    })
    // The beginning of a minute, so that the limit does not move while the tests run.
    const minute = Math.ceil(Date.now() / 60_000) * 60
    service.clock.setWallTime(minute * 1000)
    since = minute + 60 - limit
    short = await service.user('sue', 'short')
    await seedReview(service, [
      { camera: 'yard', start: (since - 30) * 1000 },
      { camera: 'yard', start: (since + 30) * 1000 },
    ])
  })
  const at = '/api/cameras/yard'
  const startsOf = async (client: TestClient) =>
    (
      (await client.get(`${at}/recordings?after=${first}&before=${last + 10}`)).json as {
        segments: { start: number }[]
      }
    ).segments.map(({ start }) => start)

  test('lists begin with the first segment that is not too old', async () => {
    const all = await startsOf(await service.user('will', 'whole'))
    const shown = await startsOf(short)
    expect(all).toHaveLength(count)
    expect(shown).toEqual(all.filter((start) => start >= since))
    expect(shown.length).toBeGreaterThan(3)
    expect(shown.length).toBeLessThan(count - 3)
  })

  test('playlist, timeline and summary contain nothing older', async () => {
    const playlist = (await short.get(`${at}/playback/${first}/${last + 10}/index.m3u8`)).text
    const ids = [...playlist.matchAll(/segments\/(\d+)\/video/g)].map(([, id]) => Number(id) / 1000)
    expect(ids.length).toBeGreaterThan(3)
    expect(Math.min(...ids)).toBeGreaterThanOrEqual(since)
    const { spans } = (await short.get(`${at}/timeline?after=${first}&before=${last + 10}`)).json as {
      spans: { start: number }[]
    }
    expect(spans.length).toBeGreaterThan(0)
    expect(Math.min(...spans.map(({ start }) => start))).toBeGreaterThanOrEqual(since)
    const summary = (await short.get(`${at}/recordings/summary?after=${first - 3600}&before=${last + 10}`)).json as {
      hours: { seconds: number }[]
    }
    const seconds = summary.hours.reduce((sum, hour) => sum + hour.seconds, 0)
    expect(seconds).toBeLessThanOrEqual(last + 10 - since)
  })

  /** Time of the first frame, also of one that an edit list hides: frames of a tenth of a second without a gap. */
  const firstFrame = async (video: Buffer): Promise<number> => {
    const file = join(service.dir, 'video.mp4')
    writeFileSync(file, video)
    return last + 10 - (await framesIn(file)) / 10
  }

  test('a clip and an export begin with the first frame of the first segment that is not too old', async () => {
    const [from] = await startsOf(short)
    expect((from! - since) % 10).toBe(5)
    const clip = await short.get(`${at}/clip.mp4?start=${first}&end=${last + 10}`)
    expect(await firstFrame(clip.body)).toBeCloseTo(from!, 3)
    const { json } = await short.post('/api/exports', { camera: 'yard', start: first, end: last + 10 })
    const path = `/api/exports/${(json as { id: string }).id}`
    await expect.poll(async () => (await short.get(path)).json, { timeout: 30_000 }).toMatchObject({ state: 'done' })
    expect(await firstFrame((await short.get(`${path}/video.mp4`)).body)).toBeCloseTo(from!, 3)
    expect((await short.get(path)).json).toMatchObject({ start: from })
  })

  test('of a segment that begins before the limit there is no clip and no export', async () => {
    const range = { start: since + 1, end: since + 4 }
    const clip = await short.get(`${at}/clip.mp4?start=${range.start}&end=${range.end}`)
    const made = await short.post('/api/exports', { camera: 'yard', ...range })
    for (const { status, json } of [clip, made])
      expect([status, json]).toMatchObject([404, { reason: { code: 'nothing-recorded' } }])
  })

  test('an export of something older is not seen', async () => {
    const whole = await service.user('will', 'whole')
    const { json } = await whole.post('/api/exports', { camera: 'yard', start: first, end: last })
    const { id } = json as { id: string }
    expect([await statusOf(whole, `/api/exports/${id}`), await statusOf(short, `/api/exports/${id}`)]).toEqual([
      200, 403,
    ])
    const listed = async (client: TestClient) =>
      ((await client.get('/api/exports')).json as { items: { id: string }[] }).items.some((one) => one.id === id)
    expect([await listed(whole), await listed(short)]).toEqual([true, false])
  })

  test('an export that has become too old can be canceled by its maker, and is not seen or renamed', async () => {
    const { json } = await short.post('/api/exports', { camera: 'yard', start: first, end: last + 10 })
    const path = `/api/exports/${(json as { id: string }).id}`
    await expect.poll(() => statusOf(short, path), { timeout: 30_000 }).toBe(200)
    const moment = await service.user('moe', 'moment')
    expect(await statusOf(moment, path)).toBe(403)
    expect((await moment.post(`${path}/cancel`)).status).toBe(403)
    await service.internal.put('/api/users/sue/role', { role: 'moment' })
    onTestFinished(async () => {
      await service.internal.put('/api/users/sue/role', { role: 'short' })
    })
    expect(await statusOf(short, path)).toBe(403)
    expect((await short.request('PATCH', path, { body: { name: 'mine' } })).status).toBe(403)
    const canceled = await short.post(`${path}/cancel`)
    // It may have ended before.
    if (canceled.status !== 204) {
      expect([canceled.status, canceled.json]).toMatchObject([409, { reason: { code: 'export-ended' } }])
    }
  })

  test('review items', async () => {
    const all = await itemsOf(await service.user('will', 'whole'))
    const shown = await itemsOf(short)
    expect([all.length, shown.length]).toEqual([2, 1])
    expect(shown[0]!.start).toBeGreaterThanOrEqual(since)
    const old = all.find(({ start }) => start < since)!
    expect(await statusOf(short, `/api/review/${old.id}`)).toBe(403)
    expect(await statusOf(short, `/api/review/${shown[0]!.id}`)).toBe(200)
    expect((await short.put('/api/review/seen', { ids: [shown[0]!.id, old.id], seen: true })).status).toBe(403)
    expect((await short.put('/api/review/seen', { ids: [shown[0]!.id], seen: true })).status).toBe(204)
    const { days } = (await short.get('/api/review/summary')).json as { days: { total: number }[] }
    expect(days.reduce((sum, { total }) => sum + total, 0)).toBe(1)
  })

  test('events of exports and review items', async () => {
    const socket = short.socket('/api/events')
    onTestFinished(() => socket.terminate())
    const sent = new Set<string>()
    socket.on('message', (data: Buffer) => {
      const { id, change } = JSON.parse(data.toString()) as { id?: string; change?: string }
      sent.add(`${change} ${id}`)
    })
    await once(socket, 'open')
    const admin = service.internal
    const gone: string[] = []
    const starts = [first, last - 60]
    const items = await seedReview(
      service,
      starts.map((start) => ({ camera: 'yard', start: start * 1000 })),
    )
    for (const [index, start] of starts.entries()) {
      const { json } = await admin.post('/api/exports', { camera: 'yard', start, end: last })
      const { id } = json as { id: string }
      await admin.delete(`/api/exports/${id}`)
      await admin.delete(`/api/review/${items[index]!.id}`)
      gone.push(id, items[index]!.id)
    }
    const [oldExport, oldItem, newExport, newItem] = gone
    await expect.poll(() => sent.has(`deleted ${newItem}`)).toBe(true)
    expect(sent).toContain(`deleted ${newExport}`)
    const text = [...sent].join()
    expect(text).not.toContain(oldExport)
    expect(text).not.toContain(oldItem)
  })

  test.each([
    ['a list', () => `${at}/recordings?after=${first}&before=${first + 60}`],
    ['a summary', () => `${at}/recordings/summary?after=${first}&before=${first + 60}`],
    ['a timeline', () => `${at}/timeline?after=${first}&before=${first + 60}`],
    ['a playlist', () => `${at}/playback/${first}/${first + 60}/index.m3u8`],
    ['a clip', () => `${at}/clip.mp4?start=${first}&end=${first + 60}`],
    ['a segment', () => `${at}/segments/${first * 1000}/video.m4s?at=0`],
    ['its init segment', () => `${at}/segments/${first * 1000}/init.mp4`],
    ['review', () => `/api/review?before=${first + 60}`],
    ['review of a day', () => `/api/review/summary?before=${first + 60}`],
  ])('%s wholly beyond the limit is 403', async (_what, path) => {
    expect(await statusOf(short, path())).toBe(403)
    expect(await statusOf(await service.user('will', 'whole'), path())).toBe(200)
  })
  test('an export of what is wholly beyond the limit, and marking it as seen, are 403', async () => {
    expect((await short.post('/api/exports', { camera: 'yard', start: first, end: first + 60 })).status).toBe(403)
    expect((await short.put('/api/review/seen', { filter: { before: first + 60 }, seen: true })).status).toBe(403)
  })
  test('neither that nor a part of it is deleted', async () => {
    const janitor = await service.user('jan', 'janitor')
    const whole = await service.user('will', 'whole')
    const before = await startsOf(whole)
    const deleted = (end: number) => janitor.delete(`${at}/recordings?after=${first}&before=${end}`)
    expect((await deleted(first + 60)).status).toBe(403)
    expect(await startsOf(whole)).toEqual(before)
    const [own] = before.filter((start) => start >= since)
    const { status, json } = await deleted(own! + 10)
    expect([status, json]).toMatchObject([200, { segments: 1 }])
    expect(await startsOf(whole)).toEqual(before.filter((start) => start !== own))
    // The entry names the range in which recordings were deleted, not what was requested.
    const { entries } = (await service.internal.get('/api/audit?action=recordings.delete&limit=1')).json as AuditPage
    const range = [since, own! + 10].map((time) => new Date(time * 1000).toISOString())
    expect(entries).toMatchObject([{ user: 'jan', detail: `${range.join(' – ')}, 1` }])
  })
  test('totals, which would include what is older, are left out', async () => {
    const { cameras } = (await short.get('/api/recordings/storage')).json as {
      cameras: { bytes: null; oldest: number }[]
    }
    expect(cameras).toHaveLength(1)
    expect(cameras[0]).toMatchObject({ bytes: null, segments: null, bytes_per_day: null })
    expect(cameras[0]!.oldest).toBeGreaterThanOrEqual(since)
  })
  test('the profile says how far back', async () => {
    expect(await profileOf(short)).toMatchObject({ history_days: limit / day })
  })
})
