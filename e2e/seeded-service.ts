import { holdExports, type HeldExports } from '../server/test/support/held-exports.ts'
import { writeRecordings } from '../server/test/support/write-recordings.ts'
import { seedReview, type Seeded } from '../server/test/support/review-seed.ts'
import type { Service } from '../server/test/support/service.ts'
import { startService } from '../server/test/support/start-service.ts'
import type { TestClient } from '../server/test/support/test-client.ts'
import { recordDays, type RecordedStretch } from './recorded-days.ts'
import { wait } from '../server/test/support/wait.ts'

/** The user of a browser: signed out, a signed-in user, or the first admin with the password from the log. */
export type Who = 'signed-out' | 'ada' | 'nina' | 'kim' | 'admin'

/** A service with users, roles, cameras, recordings and history. */
export interface SeededService {
  readonly service: Service
  /** The session token of a user, for the cookie of a browser. */
  readonly tokenOf: (who: Exclude<Who, 'signed-out'>) => Promise<string>
}

const cameras = {
  front_door: { source: 'demo:door', title: 'Front door' },
  side_yard: { source: 'demo:yard', title: 'Side yard' },
  office: { source: 'demo:office', title: 'Back office' },
  loading_bay: { source: 'demo:yard', title: 'Loading bay' },
  // Nothing listens on this port.
  barn: { source: 'rtsp://127.0.0.1:9/stream1', title: 'Barn' },
  north_gate: { source: 'demo:door', title: 'North gate behind the greenhouse', enabled: false },
}

const roles = {
  neighbor: ['side_yard'],
  night_guard: ['front_door', 'side_yard', 'loading_bay', 'barn'],
  // This camera does not exist, so the role grants nothing.
  keeper: ['old_barn'],
}

const seededUsers = {
  vera: 'viewer',
  bert: 'admin',
  'lin.wei': 'night_guard',
  gustav: 'night_guard',
  'maximiliane.oberhuber-schwarzenbach@example.org': 'neighbor',
  yusuf: 'viewer',
} as const

/** Midnight (UTC) some days ago, Unix seconds. */
export const daysAgo = (days: number): number => (Math.floor(Date.now() / 86_400_000) - days) * 86_400

const hour = 3600
const recordedBefore = (): readonly RecordedStretch[] => [
  { camera: 'side_yard', scene: 'yard', from: daysAgo(1) + 5 * hour, to: daysAgo(1) + 11 * hour },
  { camera: 'side_yard', scene: 'yard', from: daysAgo(1) + 12.5 * hour, to: daysAgo(1) + 20 * hour },
  { camera: 'front_door', scene: 'door', from: daysAgo(1) + 4 * hour, to: daysAgo(1) + 18 * hour },
  { camera: 'office', scene: 'office', from: daysAgo(1) + 7 * hour, to: daysAgo(1) + 17 * hour },
  { camera: 'side_yard', scene: 'yard', from: daysAgo(3) + 8 * hour, to: daysAgo(3) + 12 * hour },
]

/** @param tls without it, Chromium caches the scripts: not from a site whose certificate it doesn't trust */
export async function startSeededService({ tls = true }: { readonly tls?: boolean } = {}): Promise<SeededService> {
  const exporting = holdExports()
  const empty = await startService({
    held: exporting,
    config: {
      cameras,
      tls: { enabled: tls },
      auth: { roles, failed_login_rate_limit: null },
      proxy: { header_map: { user: 'x-forwarded-user', role: 'x-forwarded-groups' } },
    },
  })
  const admin = await empty.admin()
  await empty.stop()
  const recordedFrom = await recordMinute(empty)
  const service = await empty.restart()
  const who = { ada: 'admin', nina: 'neighbor', kim: 'keeper' } as const
  const signedIn = new Map<string, Promise<{ headers: Record<string, unknown> }>>()
  for (const [name, role] of Object.entries({ ...who, vera: seededUsers.vera, gustav: seededUsers.gustav })) {
    const person = await service.user(name, role)
    signedIn.set(name, Promise.resolve(person))
  }
  for (const [username, role] of Object.entries(seededUsers)) {
    if (username === 'vera' || username === 'gustav') continue
    await service.internal.post('/api/users', { username, password: 'correct horse battery staple', role })
  }
  for (const user of ['vera', 'root', 'administrator']) {
    await service.gate.post('/api/login', { user, password: 'hunter2' })
  }
  await service.printed(/recordings reconciled/)
  await recordDays(service, recordedBefore())
  await service.user('nina').then((nina) => nina.get('/api/users'))
  await addReviewItems(service)
  await addExports(service, exporting, recordedFrom)
  return {
    service,
    tokenOf: async (name) => {
      const person = await (name === 'admin' ? admin : signedIn.get(name))
      return /gatehouse_token=(.*)/.exec(String(person?.headers['cookie']))?.[1] ?? ''
    },
  }
}

/** Motion of the last days: hours ago, camera, seconds, maximum share of the frame in percent. */
const happened: readonly (readonly [hours: number, camera: keyof typeof cameras, seconds: number, percent: number])[] =
  [
    [0.4, 'side_yard', 14, 6],
    [0.9, 'front_door', 42, 18],
    [1.6, 'side_yard', 8, 3],
    [2.1, 'office', 95, 12],
    [3.2, 'loading_bay', 21, 9],
    [5.5, 'side_yard', 11, 4],
    [7.3, 'front_door', 9, 2],
    [7.4, 'front_door', 31, 14],
    [11.2, 'barn', 26, 11],
    [26, 'front_door', 18, 5],
    [27.5, 'side_yard', 210, 33],
    [30.1, 'loading_bay', 12, 3],
    [33, 'office', 7, 2],
    [49, 'side_yard', 16, 7],
    [52.3, 'front_door', 38, 21],
    [55, 'loading_bay', 10, 3],
    [74, 'side_yard', 64, 15],
    [79.5, 'office', 13, 4],
    [98, 'front_door', 22, 6],
    [121, 'side_yard', 19, 10],
  ]

/** Adds review items, with the camera's snapshot if it has one. User vera has seen all but the last six hours. */
async function addReviewItems(service: Service): Promise<void> {
  const snapshots = new Map<string, Buffer>()
  for (const camera of ['side_yard', 'front_door', 'office', 'loading_bay']) {
    for (let tries = 0; tries < 60 && !snapshots.has(camera); tries++) {
      const { status, body } = await service.internal.get(`/api/cameras/${camera}/latest.jpg?height=360`)
      if (status === 200) snapshots.set(camera, body)
      else await wait(250, 'asks again until there is a frame')
    }
  }
  const now = Date.now()
  const items = happened.map(([hours, camera, seconds, motion], each): Seeded => {
    const start = now - hours * 3_600_000
    const jpeg = snapshots.get(camera)
    return {
      camera,
      start,
      end: start + seconds * 1000,
      motion,
      severity: motion >= 8 || seconds >= 30 ? 'alert' : 'detection',
      box: { x: 0.1 + (each % 5) * 0.12, y: 0.3 + (each % 3) * 0.1, width: 0.12, height: 0.3 },
      ...(jpeg && { jpeg }),
    }
  })
  await seedReview(service, items)
  const vera = await service.user('vera')
  await vera.put('/api/review/seen', { seen: true, filter: { before: now / 1000 - 6 * 3600 } })
}

/** Records one minute on three cameras, three hours ago. @returns its start, Unix seconds */
async function recordMinute({ mediaDir }: Service): Promise<number> {
  const from = Math.floor(Date.now() / 1000) - 3 * 3600
  for (const camera of ['front_door', 'side_yard', 'loading_bay']) {
    await writeRecordings(mediaDir, { camera, start: from * 1000, segments: 6, size: '320x192' })
  }
  return from
}

/** Adds exports that have ended. The end of a running one would show a notification on whatever page is open. */
async function addExports(service: Service, { hold, release }: HeldExports, from: number): Promise<void> {
  const [ada, nina] = await Promise.all(['ada', 'nina'].map((name) => service.user(name)))
  const stateOf = async (id: string): Promise<string> =>
    ((await service.internal.get(`/api/exports/${id}`)).json as { state: string }).state
  const make = async (
    client: TestClient,
    camera: string,
    begin: number,
    end: number,
    name?: string,
  ): Promise<string> => {
    const body = { camera, start: from + begin, end: from + end, ...(name !== undefined && { name }) }
    const { status, text, json } = await client.post('/api/exports', body)
    if (status !== 202) throw new Error(`export failed: ${status} ${text}`)
    return (json as { id: string }).id
  }
  const comesTo = async (id: string, state: string): Promise<void> => {
    while ((await stateOf(id)) !== state) await wait(50, 'asks again until the export has come so far')
  }
  for (const id of [
    await make(ada!, 'front_door', 4, 31, 'The parcel, and who took it'),
    await make(nina!, 'side_yard', 2, 48),
    await make(
      ada!,
      'loading_bay',
      12,
      20,
      'Delivery note 4711: the whole unloading of pallets at the back of the bay',
    ),
  ]) {
    await comesTo(id, 'done')
  }
  hold()
  const canceled = await make(nina!, 'side_yard', 10, 40, 'Fox')
  await comesTo(canceled, 'running')
  await nina!.post(`/api/exports/${canceled}/cancel`)
  release()
}
