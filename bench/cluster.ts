import { mkdirSync, linkSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFfmpeg } from '../server/src/media/ffmpeg/find-ffmpeg.ts'
import { postgresPrograms, startPostgres } from '../server/test/support/postgres-server.ts'
import { makeLongClip } from './cameras.ts'
import { alternating, median, ratioOf, withoutTarget, type Bench, type Figure } from './figure.ts'
import { cpuOf, end, startNode } from './process.ts'
import { createSandbox, freePort, startService, type Service } from './service.ts'
import type { Watch } from './viewers-child.ts'

const viewers = 50
const env = { SERVICE_JWT_SECRET: 'a secret that both instances share, as long as required for a secret' }

/** Milliseconds. `unused`: until the stream between the instances has ended, after its last viewer. */
const times = { start: 2000, unused: 12_000 } as const

/** Milliseconds of a measurement, and before the first: what runs 25 times per second is compiled late. */
interface Duration {
  readonly measure: number
  readonly warmUp: number
}

/** Measures what a live viewer costs who watches through an instance that doesn't pull the camera. */
export const cluster: Bench = {
  name: 'cluster',
  async run({ quick, scratch, print }) {
    const ffmpeg = findFfmpeg()
    if (!ffmpeg || !postgresPrograms) throw new Error('no ffmpeg, or no PostgreSQL')
    const rounds = quick ? 2 : 4
    const duration = quick ? { measure: 4000, warmUp: 20_000 } : { measure: 8000, warmUp: 60_000 }
    const clip = join(scratch, 'clip.mp4')
    makeLongClip(ffmpeg, clip, 60 + (duration.warmUp + 3 * rounds * (duration.measure + times.unused)) / 1000)
    const figures: Figure[] = []
    for (const tls of [true, false]) {
      const postgres = await startPostgres(postgresPrograms)
      const services: Service[] = []
      const start = async (name: string, jobs: readonly string[]): Promise<Service> => {
        const dir = join(scratch, tls ? `${name}-tls` : name)
        mkdirSync(dir)
        const cameras = { yard: { source: 'file:clip.mp4', record: { enabled: false }, motion: { enabled: false } } }
        const node = { name, jobs, address: `https://127.0.0.1:${await freePort()}` }
        const sandbox = await createSandbox(dir, { cameras, node, database: { url: postgres.url } }, tls)
        linkSync(clip, join(sandbox.mediaDir, 'clip.mp4'))
        const service = await startService(sandbox, 'any', env)
        services.push(service)
        return service
      }
      try {
        const owner = await start('owner', ['gate', 'recorder'])
        const gate = await start('gate', ['gate'])
        figures.push(...(await compare({ owner, gate, tls, rounds, duration, print })))
      } finally {
        await Promise.all(services.map((service) => service.stop()))
        postgres.remove()
      }
    }
    return figures
  },
}

interface Compared {
  readonly owner: Service
  readonly gate: Service
  readonly tls: boolean
  readonly rounds: number
  readonly duration: Duration
  readonly print: (line: string) => void
}

async function compare({ owner, gate, tls, rounds, duration, print }: Compared): Promise<Figure[]> {
  const how = tls ? 'TLS' : 'plain HTTP'
  const { cookie } = await owner.user('erin', 'viewer')
  const used = () => [owner, gate].reduce((sum, { pid }) => sum + cpuOf(pid), 0)
  /** Milliseconds of processor time that both instances use in a second. */
  const load = async (): Promise<number> => {
    const [before, began] = [used(), performance.now()]
    await sleep(duration.measure)
    return ((used() - before) * 1000) / (performance.now() - began)
  }
  const watch = async ({ gatePort }: Service, streams: number) => {
    const child = startNode([join(import.meta.dirname, 'viewers-child.ts')], {
      core: 'any',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child.send({ port: gatePort, path: '/api/cameras/yard/live', cookies: [cookie], streams, tls } satisfies Watch)
    await once(child, 'message')
    await sleep(times.start)
    return child
  }
  const report = (what: string, ms: number): void =>
    print(`cluster: ${how}, ${what}: ${ms.toFixed(1)} ms of processor time per second`)
  const idleLoads: number[] = []
  const loadWith = async (service: Service, streams: number): Promise<number> => {
    const child = await watch(service, streams)
    const busy = await load()
    await end(child)
    if (service === gate) await sleep(times.unused)
    report(`${streams} viewers ${service === gate ? 'through the second instance' : 'where the camera is'}`, busy)
    return busy
  }
  print(`cluster: ${how}, ${viewers} viewers at each of two instances …`)
  const warm = [await watch(owner, viewers), await watch(gate, viewers)]
  await sleep(duration.warmUp)
  await Promise.all(warm.map(end))
  await sleep(times.unused)
  const all = await alternating(
    rounds,
    () => loadWith(gate, viewers),
    async () => {
      const unwatched = await load()
      report('no viewer', unwatched)
      idleLoads.push(unwatched)
      return loadWith(owner, viewers)
    },
  )
  const idle = median(idleLoads)
  const [ours, peer] = [all.ours.map((each) => each - idle), all.peer.map((each) => each - idle)]
  const { ratio, spread } = ratioOf(ours, peer)
  const single = (await loadWith(gate, 1)) - idle
  const each = (loads: readonly number[]) => `${(median(loads) / viewers).toFixed(2)} ms/s`
  const what = `a live viewer over ${how} through a second instance (of ${viewers}), both instances together, against one where the camera is: processor time for each viewer (±${(spread / 2).toFixed(2)})`
  // As the gate is by default; without TLS, a viewer costs less and the stream between the instances the same.
  const target = tls ? { target: '≤ 1.20', met: ratio <= 1.2 } : { target: undefined, met: undefined }
  return [
    { what, ours: each(ours), peer: each(peer), ratio, ...target },
    withoutTarget(
      `the only viewer through a second instance, over ${how}, with the stream between the instances: processor time`,
      `${single.toFixed(1)} ms/s`,
    ),
  ]
}
