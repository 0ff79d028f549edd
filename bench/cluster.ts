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

/** At one instance at a time. What all but the first of them add is the cost of a viewer. */
const viewers = 50
const env = { SERVICE_JWT_SECRET: 'a secret that both instances share, as long as required for a secret' }

/** Milliseconds. `unused`: until the stream between the instances has ended, after its last viewer. */
const times = { start: 2000, unused: 12_000 } as const

/** Milliseconds of a measurement, and before the first: what runs 25 times per second is compiled late. */
interface Duration {
  readonly measure: number
  readonly warmUp: number
}

/**
 * Measures what a live viewer costs who watches through an instance that doesn't pull the camera, and apart from that
 * what the stream between the two instances costs, which all viewers of the second one share.
 */
export const cluster: Bench = {
  name: 'cluster',
  async run({ quick, scratch, print }) {
    const ffmpeg = findFfmpeg()
    if (!ffmpeg || !postgresPrograms) throw new Error('no ffmpeg, or no PostgreSQL')
    const rounds = quick ? 2 : 6
    const duration = quick ? { measure: 4000, warmUp: 20_000 } : { measure: 8000, warmUp: 60_000 }
    const clip = join(scratch, 'clip.mp4')
    makeLongClip(ffmpeg, clip, 120 + (duration.warmUp + rounds * (5 * duration.measure + 20_000)) / 1000)
    const postgres = await startPostgres(postgresPrograms)
    const services: Service[] = []
    const start = async (name: string, jobs: readonly string[]): Promise<Service> => {
      const dir = join(scratch, name)
      mkdirSync(dir)
      const cameras = { yard: { source: 'file:clip.mp4', record: { enabled: false }, motion: { enabled: false } } }
      const node = { name, jobs, address: `https://127.0.0.1:${await freePort()}` }
      const sandbox = await createSandbox(dir, { cameras, node, database: { url: postgres.url } }, true)
      linkSync(clip, join(sandbox.mediaDir, 'clip.mp4'))
      const service = await startService(sandbox, 'any', env)
      services.push(service)
      return service
    }
    try {
      const owner = await start('owner', ['gate', 'recorder'])
      const gate = await start('gate', ['gate'])
      return await compare({ owner, gate, rounds, duration, print })
    } finally {
      await Promise.all(services.map((service) => service.stop()))
      postgres.remove()
    }
  },
}

interface Compared {
  readonly owner: Service
  readonly gate: Service
  readonly rounds: number
  readonly duration: Duration
  readonly print: (line: string) => void
}

/** Milliseconds of processor time per second of both instances, without what they use when no one watches. */
interface Loads {
  readonly one: number
  readonly all: number
}

async function compare({ owner, gate, rounds, duration, print }: Compared): Promise<Figure[]> {
  const { cookie } = await owner.user('erin', 'viewer')
  const used = () => [owner, gate].reduce((sum, { pid }) => sum + cpuOf(pid), 0)
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
    child.send({
      port: gatePort,
      path: '/api/cameras/yard/live',
      cookies: [cookie],
      streams,
      tls: true,
    } satisfies Watch)
    await once(child, 'message')
    await sleep(times.start)
    return child
  }
  const loads = async (service: Service): Promise<Loads> => {
    const idle = await load()
    const first = await watch(service, 1)
    const one = (await load()) - idle
    const others = await watch(service, viewers - 1)
    const all = (await load()) - idle
    await Promise.all([first, others].map(end))
    if (service === gate) await sleep(times.unused)
    const where = service === gate ? 'through the second instance' : 'where the camera is'
    print(`cluster: ${where}, ms of processor time per second: none ${ms(idle)}, one ${ms(one)}, ${viewers} ${ms(all)}`)
    return { one, all }
  }
  print(`cluster: ${viewers} viewers at each of two instances …`)
  const warm = [await watch(owner, viewers), await watch(gate, viewers)]
  await sleep(duration.warmUp)
  await Promise.all(warm.map(end))
  await sleep(times.unused)
  const { ours, peer } = await alternating(
    rounds,
    () => loads(gate),
    () => loads(owner),
  )
  return figuresOf(ours, peer)
}

const ms = (value: number): string => value.toFixed(1)

function figuresOf(ours: readonly Loads[], peer: readonly Loads[]): Figure[] {
  const further = (all: readonly Loads[]) => all.map((each) => (each.all - each.one) / (viewers - 1))
  const together = (all: readonly Loads[]) => all.map((each) => each.all / viewers)
  const compared = (what: string, value: (all: readonly Loads[]) => number[]) => {
    const { ratio, spread } = ratioOf(value(ours), value(peer))
    const each = (all: readonly Loads[]) => `${median(value(all)).toFixed(2)} ms/s`
    return { what: `${what} (±${(spread / 2).toFixed(2)})`, ours: each(ours), peer: each(peer), ratio }
  }
  const added = compared(
    'a further live viewer through a second instance, both instances together, against one where the camera is: processor time',
    further,
  )
  const shared = compared(
    `one of ${viewers} viewers, each with an equal part of the stream between the instances, against one where the camera is`,
    together,
  )
  const stream = median(ours.map(({ one }) => one)) - median(peer.map(({ one }) => one))
  return [
    { ...added, target: '≤ 1.20', met: added.ratio <= 1.2 },
    withoutTarget(shared.what, shared.ours, shared.peer, shared.ratio),
    withoutTarget('the stream between the instances, both ends: processor time', `${ms(stream)} ms/s`),
  ]
}
