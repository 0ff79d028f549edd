import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeConfig } from './support/change-config.ts'
import { stopAll } from './support/cleanups.ts'
import { linkPath, makeLink, openLink, type CreatedShareLink } from './support/make-link.ts'
import { first, last, sharedCameras, sharingRoles, startWithVideo } from './support/shared-video.ts'
import type { InProcessService } from './support/start-service.ts'
import type { TestClient } from './support/test-client.ts'

const hour = 60 * 60_000
const live = { kind: 'live', camera: 'yard' }
const range = { kind: 'history', camera: 'yard', start: first, end: last + 10 }

/** Minutes of the day in UTC, as roles have them. */
const clockText = (at: number): string => new Date(at).toISOString().slice(11, 16)

let service: InProcessService
let admin: TestClient
let keeper: TestClient
/** When the hours of the role end, Unix milliseconds, and begin again on the next day. */
let ends: number
let begins: number
beforeAll(async () => {
  const now = Math.floor(Date.now() / hour) * hour
  ends = now + 2 * hour
  begins = now + 23 * hour
  const hours = [{ from: clockText(begins), to: clockText(ends) }]
  const keeperRole = { ...sharingRoles.sharer, hours }
  service = await startWithVideo({
    time_zone: 'UTC',
    auth: { roles: { ...sharingRoles, keeper: keeperRole }, failed_login_rate_limit: null },
  })
  ;[admin, keeper] = [await service.user('boss', 'admin'), await service.user('kim', 'keeper')]
})
afterAll(stopAll)

const open = ({ id, secret }: CreatedShareLink) => service.gate.post(`/api/links/${id}/open`, { secret })
const reasonOf = (json: unknown) => (json as { reason?: { code: string } }).reason?.code
const stateOf = async (client: TestClient, { id }: CreatedShareLink) =>
  ((await client.get('/api/links/all')).json as { id: string; state: string }[]).find((each) => each.id === id)?.state

/** Opens the streams by which a page learns of the end. @returns a promise of their close codes */
async function streamsOf(viewer: TestClient, paths: readonly string[]): Promise<() => Promise<number[]>> {
  const sockets = paths.map((path) => viewer.socket(path))
  await Promise.all(sockets.map((socket) => once(socket, 'open')))
  const codes = sockets.map(async (socket) => ((await once(socket, 'close')) as [number])[0])
  return () => Promise.all(codes)
}

describe('[GRANT-4] [LINK-3] a link of a user whose role has hours', () => {
  test('ends when they end, says that it is unavailable, and works again when they begin', async () => {
    const expires_at = new Date(begins + 5 * hour).toISOString()
    const links = [await makeLink(keeper, { ...live, expires_at }), await makeLink(keeper, { ...range, expires_at })]
    const [liveLink, rangeLink] = links as [CreatedShareLink, CreatedShareLink]
    const viewers = [await openLink(service, liveLink), await openLink(service, rangeLink)]
    const [liveViewer, rangeViewer] = viewers as [TestClient, TestClient]
    const playlist = () => rangeViewer.get(linkPath(rangeLink, 'playback/index.m3u8'))
    const closed = [
      await streamsOf(liveViewer, [linkPath(liveLink, 'live'), linkPath(liveLink, 'events')]),
      await streamsOf(rangeViewer, [linkPath(rangeLink, 'events')]),
    ]
    expect((await playlist()).status).toBe(200)

    service.clock.setWallTime(ends)
    await service.clock.advance(1000)
    expect((await Promise.all(closed.map((codes) => codes()))).flat()).toEqual([4403, 4403, 4403])
    expect((await playlist()).status).toBe(403)
    for (const link of links) {
      const refused = await open(link)
      expect([refused.status, reasonOf(refused.json)]).toEqual([410, 'link-unavailable'])
      expect(await stateOf(admin, link)).toBe('unavailable')
    }

    service.clock.setWallTime(begins)
    await service.clock.advance(1000)
    expect((await playlist()).status).toBe(200)
    for (const link of links) {
      expect((await open(link)).status).toBe(200)
      expect(await stateOf(admin, link)).toBe('active')
    }
    const again = liveViewer.socket(linkPath(liveLink, 'live'))
    await once(again, 'open')
    again.terminate()
  })
})

describe('[LINK-3] a link to a camera that is disabled', () => {
  test('has no live video until the camera is enabled; its recordings are shown', async () => {
    const boss = await service.user('boss', 'admin')
    const [liveLink, rangeLink] = [await makeLink(boss, live), await makeLink(boss, range)]
    const [viewer, other] = [await openLink(service, liveLink), await openLink(service, rangeLink)]
    const enabled = (value: boolean) =>
      changeConfig(service, {
        cameras: { ...sharedCameras, yard: { ...sharedCameras['yard'], enabled: value } },
      })
    expect((await enabled(false)).status).toBe(200)
    const shown = await viewer.get(linkPath(liveLink, 'latest.jpg'))
    expect([shown.status, (await open(liveLink)).status]).toEqual([503, 200])
    expect((await other.get(linkPath(rangeLink, 'playback/index.m3u8'))).status).toBe(200)
    expect((await enabled(true)).status).toBe(200)
    await expect.poll(async () => (await viewer.get(linkPath(liveLink, 'latest.jpg'))).status).toBe(200)
  })
})
