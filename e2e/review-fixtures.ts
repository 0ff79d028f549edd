import type { Page } from 'playwright-core'
import type { Export } from '../server/src/exports/export-response.ts'
import type { ReviewItemResponse } from '../server/src/review/review-response.ts'
import type { SeededService } from './seeded-service.ts'

/** Unix seconds of a time of day (UTC), `daysAgo` days ago. */
function at(daysAgo: number, time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  const date = new Date()
  date.setUTCHours(0, 0, 0, 0)
  return date.getTime() / 1000 - daysAgo * 86_400 + hours * 3600 + minutes * 60 + seconds
}

const one = (id: number, more: Partial<Export> & Pick<Export, 'state'>): Export => ({
  id: String(id).padStart(32, '0'),
  camera: 'front_door',
  name: '',
  start: at(1, '16:02:11'),
  end: at(1, '16:04:40'),
  progress: more.state === 'done' ? 100 : 0,
  duration: more.state === 'done' ? 149 : null,
  bytes: more.state === 'done' ? 38_200_000 : null,
  created_at: new Date(at(0, '00:00') * 1000 - id * 3_600_000).toISOString(),
  created_by: 'vera',
  own: false,
  ...more,
})

/** Exports in every state. */
export const someExports: readonly Export[] = [
  one(1, { state: 'running', progress: 42, own: true, created_by: 'ada', name: 'Package at the door' }),
  one(2, { state: 'queued', own: true, created_by: 'ada', camera: 'loading_bay', end: at(1, '18:30') }),
  one(3, { state: 'done', own: true, created_by: 'ada', name: 'The fox, and what it did to the flower bed this time' }),
  one(4, { state: 'done', camera: 'side_yard', duration: 120 }),
  one(5, {
    state: 'failed',
    camera: 'barn',
    own: true,
    created_by: 'ada',
    reason: { code: 'recording-deleted' },
    detail: 'The recording was removed before it could be exported.',
  }),
  one(6, { state: 'done', camera: 'old_shed', camera_removed: true, created_by: 'maximiliane.oberhuber@example.org' }),
]

/** Mocks the service's exports with these. */
export const withExports =
  (exports: readonly Export[]) =>
  (page: Page): Promise<unknown> =>
    page.route('**/api/exports?**', (route) => route.fulfill({ json: { items: exports, cursor: null } }))

const item = (
  id: number,
  more: Partial<ReviewItemResponse> & Pick<ReviewItemResponse, 'start'>,
): ReviewItemResponse => ({
  id: String(id).padStart(32, '0'),
  camera: 'front_door',
  end: more.start + 14,
  severity: 'alert',
  data: { motion: 9, box: { x: 0.4, y: 0.3, width: 0.15, height: 0.4 } },
  thumbnail: more.start + 5,
  seen: false,
  ...more,
})

/** Recent review items, newest first. */
export const someItems = (): readonly ReviewItemResponse[] => [
  item(1, { start: Date.now() / 1000 - 40, end: null }),
  item(2, { start: at(0, '00:40:02'), camera: 'side_yard', end: at(0, '00:41:44') }),
  item(3, { start: at(0, '00:12:50'), severity: 'detection', seen: true }),
  item(4, { start: at(1, '17:20:31'), camera: 'loading_bay', severity: 'detection' }),
  item(5, { start: at(1, '14:02:11') }),
  item(6, { start: at(1, '11:47:09'), seen: true, camera: 'side_yard' }),
  item(7, { start: at(1, '08:15:20'), seen: true, severity: 'detection', thumbnail: null }),
  item(8, { start: at(3, '19:01:33'), camera: 'loading_bay', end: at(3, '19:04:01') }),
]

/** Mocks the service's review items, since a new installation has none. */
export const withReview =
  (items: () => readonly ReviewItemResponse[]) =>
  async (page: Page, { service }: SeededService): Promise<void> => {
    const days = items().map(({ start, camera, severity, seen }) => ({
      day: new Date(start * 1000).toLocaleDateString('sv', { timeZone: 'Europe/Berlin' }),
      camera,
      severity,
      total: 1,
      unseen: seen ? 0 : 1,
    }))
    // New items of the cameras would mix with the mocked ones.
    await page.routeWebSocket('**/api/events', (socket) => {
      socket.connectToServer().onMessage((message) => {
        if (!/"type":"(?:review|seen)"/.test(String(message))) socket.send(message)
      })
    })
    await page.route('**/api/review/summary?**', (route) => route.fulfill({ json: { days } }))
    await page.route('**/api/review?**', (route) => {
      const query = new URL(route.request().url()).searchParams
      const [severity, seen, camera] = ['severity', 'seen', 'cameras'].map((name) => query.get(name))
      const found = items()
        .filter((each) => severity === null || each.severity === severity)
        .filter((each) => seen === null || `${each.seen}` === seen)
        .filter((each) => camera === null || each.camera === camera)
      return route.fulfill({ json: { items: found, cursor: null } })
    })
    await page.route('**/api/review/*/seen', (route) => route.fulfill({ status: 204 }))
    await page.route('**/api/review/*/thumbnail.jpg?**', async (route) => {
      const id = /review\/(\w+)\//.exec(route.request().url())?.[1]
      const camera = items().find((each) => each.id === id)?.camera ?? ''
      const snapshot = await service.internal.get(`/api/cameras/${camera}/latest.jpg?height=360`)
      return route.fulfill({ status: snapshot.status, contentType: 'image/jpeg', body: snapshot.body })
    })
  }
