import { existsSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fixture, moved, old, recent, segmentsOf, stored, type Fixture } from './support/recordings-to-move.ts'
import { send } from './support/s3-server.ts'
import { filesOf } from './support/seen-recordings.ts'
import { advanceUntil } from './support/test-clock.ts'

const minute = 60_000

const never = () => {}
const half = (response: ServerResponse): void => void response.write(Buffer.alloc(50))

/** What the storage does instead of a response, and how that is shown. */
const faults: [string, (response: ServerResponse) => void, string][] = [
  ['accepts requests and never answers', never, 'timeout'],
  ['sends half of a response', half, 'timeout'],
  ['is full', (response) => send(response, 507, 'XMinioStorageFull'), 'full'],
  ['has a full quota', (response) => send(response, 403, 'QuotaExceeded'), 'full'],
  ['denies it', (response) => send(response, 403, 'AccessDenied'), 'denied'],
  ['asks for fewer requests', (response) => send(response, 503, 'SlowDown'), 'busy'],
]

async function stateOf({ service }: Fixture): Promise<unknown> {
  return ((await service.internal.get('/api/recordings/disk')).json as { object_storage: unknown }).object_storage
}

/** The requests of a method that the storage has and hasn't ended, and the most of them at one time. */
function countOpen({ s3 }: Fixture, method: string, respond: (response: ServerResponse) => void) {
  const count = { now: 0, most: 0, all: 0 }
  s3.fault = (request, response) => {
    if (request.method !== method) return false
    request.resume()
    count.all++
    count.most = Math.max(count.most, ++count.now)
    response.on('close', () => count.now--)
    respond(response)
    return true
  }
  return count
}

test.each(faults)(
  '[NODE-5] a storage that %s gets recordings later: until then all are on the disk, and few uploads wait',
  async (_what, respond, problem) => {
    const made = await fixture()
    const { service } = made
    const files = [...filesOf(service).keys()]
    expect(files).toHaveLength(old + recent)
    const open = countOpen(made, 'PUT', respond)
    await advanceUntil(
      service.clock,
      async () => expect(await stateOf(made)).toMatchObject({ state: 'failing', problem }),
      {
        step: 5_000,
      },
    )
    await advanceUntil(service.clock, () => expect(open.all).toBeGreaterThan(2), { step: minute })
    const before = open.all
    for (let passed = 0; passed < 10; passed++) await service.clock.advance(minute)
    expect(open.most).toBeLessThanOrEqual(2)
    // Two at a time, every two minutes minus up to a quarter.
    expect(open.all - before).toBeLessThanOrEqual(2 * Math.ceil(10 / 1.5))
    expect(files.filter((file) => !existsSync(join(service.mediaDir, 'recordings', file)))).toEqual([])
    const [segment] = await segmentsOf(made)
    expect((await made.guard.get(`/api/cameras/yard/segments/${segment!.id}/video.m4s?at=0`)).status).toBe(200)
    expect(stored(made)).toEqual([])
    await moved(made)
    expect(await stateOf(made)).toMatchObject({ state: 'ok' })
  },
)

test('[NODE-5] an object is compared with its checksum before the file is deleted, also if the storage answers slowly', async () => {
  const made = await fixture()
  const { s3, service } = made
  const before = filesOf(service).size
  // What it has stored is something else.
  s3.fault = (request, response) => {
    if (request.method !== 'PUT') return false
    request.resume().on('end', () => {
      s3.objects.set(decodeURIComponent(request.url!.split('/').slice(2).join('/')), {
        data: Buffer.of(1),
        modifiedAt: service.clock.now(),
      })
      service.clock.after(10_000, () => response.end())
    })
    return true
  }
  await advanceUntil(service.clock, () => expect(stored(made).length).toBe(old), { step: 2_000 })
  for (let passed = 0; passed < 5; passed++) await service.clock.advance(minute)
  expect(filesOf(service).size).toBe(before)
  await moved(made)
})

test.each([faults[0]!, faults[1]!])(
  '[NODE-5] a storage that %s keeps no one waiting for long: eight are read at a time, the others are refused, and it plays again afterward',
  async (_what, respond) => {
    const made = await fixture()
    const { service, guard, s3 } = made
    await moved(made)
    const [segment] = await segmentsOf(made)
    const path = `/api/cameras/yard/segments/${segment!.id}/video.m4s?at=0`
    const open = countOpen(made, 'GET', respond)
    const done: unknown[] = []
    // One user can't have that many segments.
    const guards = [guard, await service.user('second', 'guard')]
    const all = Array.from({ length: 80 }, async (_, at) => {
      const { status, json } = await guards[at % 2]!.get(path)
      done.push([status, (json as { reason?: { code: string } }).reason?.code])
    })
    const refused = [503, 'recording-unreachable']
    // One for each that can neither be read nor wait.
    await expect.poll(() => done).toEqual(Array.from({ length: 80 - 8 - 64 }, () => refused))
    await service.clock.advance(10_000)
    await expect.poll(() => done.length).toBe(80 - 8)
    await service.clock.advance(16_000)
    await Promise.all(all)
    expect(done).toEqual(all.map(() => refused))
    expect(open).toMatchObject({ most: 8, all: 8 })
    await expect.poll(() => open.now).toBe(0)
    s3.fault = undefined
    expect((await guard.get(path)).status).toBe(200)
  },
)
