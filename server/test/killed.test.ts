import { randomBytes } from 'node:crypto'
import { readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ffmpeg, until } from './support/cameras-alone.ts'
import { childrenReading, isStopped } from './support/children.ts'
import { stopAll } from './support/cleanups.ts'
import { holdExports } from './support/held-exports.ts'
import { SERVICE_JWT_SECRET } from './support/jwt-secret.ts'
import { ownTimeOf } from './support/own-time.ts'
import { askPostgres } from './support/postgres-server.ts'
import { postgresUrl } from './support/programs.ts'
import { shownBy, writeRecordings } from './support/write-recordings.ts'
import { roleOf } from './support/role-state.ts'
import { startRtspCamera, type RtspCamera } from './support/rtsp-camera.ts'
import { startGatehouse, type Gatehouse } from './support/start-gatehouse.ts'
import { startService } from './support/start-service.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

/** Kills of the whole process, whose child processes and connections remain for a while. */

const postgres = postgresUrl()

afterAll(stopAll)

describe('the processes that read a camera', () => {
  let cam: RtspCamera
  let service: Gatehouse
  const ofPort = (): number[] => childrenReading(cam.port)

  beforeAll(async () => {
    cam = await startRtspCamera({ ffmpeg })
    service = await startGatehouse({ config: { cameras: { yard: { source: cam.url() } } } })
    await until(async () => expect((await service.internal.get('/api/cameras/yard')).text).toContain('"online"'))
  })
  afterAll(async () => {
    await stopAll()
    await cam.stop()
  })

  test('are not left after a kill, or after a stop', async () => {
    expect(service.output()).toContain('ffmpeg sandboxed')
    // Without data to write, ffmpeg would not notice that its reader has ended.
    cam.stall()
    await service.kill()
    await until(() => expect(ofPort()).toEqual([]))
    cam.resume()
    service = await service.restart()
    await until(() => expect(ofPort()).toHaveLength(1))
    expect(await ownTimeOf(() => service.stop(), service.process.pid!)).toBeLessThan(5000)
    expect(ofPort()).toEqual([])
  })

  test('without setpriv and prlimit, are killed by the service at its next startup, which says so, and it records', async () => {
    const folder = temporaryFolder()
    symlinkSync(ffmpeg, join(folder, 'ffmpeg'))
    service = await service.restart({ env: { PATH: folder } })
    expect(service.output()).toMatch(/"missing":\["--no-new-privs".*"--core=0".*ffmpeg not fully sandboxed/)
    await until(async () =>
      expect((await service.internal.get('/api/cameras/yard')).json).toMatchObject({
        state: 'online',
        recording_state: 'recording',
      }),
    )
    let left: readonly number[] = []
    await until(() => {
      left = ofPort()
      expect(left).toHaveLength(1)
      // It writes nothing, so that it doesn't notice that its reader has ended. One that just ends can't be stopped.
      process.kill(left[0]!, 'SIGSTOP')
      expect(isStopped(left[0]!)).toBe(true)
    })
    await service.kill()
    // The kernel's list of connections can lack one while others come and go.
    await until(() => expect(ofPort()).toEqual(left))
    service = await service.restart()
    await until(() => expect(ofPort()).not.toContain(left[0]))
    await service.stop()
  })
})

const comesTo = ({ internal }: Gatehouse, id: string, condition: object): Promise<void> =>
  until(async () => expect((await internal.get(`/api/exports/${id}`)).json).toMatchObject(condition))

test('after a kill, running exports restart, waiting exports wait, and nothing else is left', async () => {
  const held = holdExports()
  const { hold, release } = held
  onTestFinished(release)
  const start = Math.floor(Date.now() / 1000) - 3600
  const empty = await startService()
  await empty.stop()
  await writeRecordings(empty.mediaDir, { camera: 'yard', start: start * 1000, segments: 4, audio: true })
  const service = await startGatehouse({ copyOf: empty, held })
  await service.printed(/recordings reconciled/)

  const request = async (from: number): Promise<string> => {
    const body = { camera: 'yard', start: start + from, end: start + from + 28 }
    const { status, text, json } = await service.internal.post('/api/exports', body)
    expect(status, text).toBe(202)
    return (json as { id: string }).id
  }
  const folder = join(service.mediaDir, 'exports')

  hold()
  const ids = [await request(2), await request(3), await request(4)]
  for (const id of ids.slice(0, 2)) await comesTo(service, id, { state: 'running' })
  await comesTo(service, ids[2]!, { state: 'queued', progress: 0 })
  // One that runs makes its file a moment later.
  await until(() => expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toHaveLength(2))
  await service.kill()
  const again = await service.restart()
  release()
  for (const [nth, id] of ids.entries()) {
    const from = 2 + nth
    await comesTo(again, id, { state: 'done', progress: 100 })
    const { first, last } = await shownBy(join(folder, `${id}.mp4`))
    expect([first, last]).toEqual([expect.closeTo(from, 1), expect.closeTo(from + 28, 1)])
  }
  expect(readdirSync(folder).sort()).toEqual(ids.map((id) => `${id}.mp4`).sort())
})

test.skipIf(postgres === undefined)(
  '[ROLE-7] with PostgreSQL, a deletion that is refused before a kill has not happened: the role and its users are as before',
  async () => {
    const name = `gatehouse_killed_${randomBytes(6).toString('hex')}`
    await askPostgres(postgres!, `create database ${name}`)
    const url = postgres!.replace(/\/[^/]*$/, `/${name}`)
    const optionsOf = (roles: Record<string, string[]>) => ({
      config: { tls: { enabled: false }, auth: { roles }, database: { url } },
      env: { SERVICE_JWT_SECRET },
    })
    const one = await startGatehouse(optionsOf({ guard: ['yard'] }))
    await one.user('gill', 'guard')
    await askPostgres(
      url,
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
       create trigger refused before update of role on "user" execute function refuse()`,
    )
    expect((await one.internal.delete('/api/roles/guard')).status).toBeGreaterThanOrEqual(500)
    await one.kill()
    await askPostgres(url, 'drop trigger refused on "user"')
    const other = await startService(optionsOf({}))
    for (const each of [other, await one.restart()]) {
      expect(await roleOf(each, 'gill')).toBe('guard')
      const roles = (await each.internal.get('/api/roles')).json
      expect(roles).toContainEqual(expect.objectContaining({ name: 'guard', cameras: ['yard'] }))
    }
    expect((await other.internal.delete('/api/roles/guard')).status).toBe(200)
    expect(await roleOf(other, 'gill')).toBe('viewer')
  },
)
