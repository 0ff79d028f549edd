import { mkdirSync, linkSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFfmpeg } from '../server/src/media/ffmpeg/ffmpeg-child.ts'
import { postgresPrograms, startPostgres } from '../server/test/postgres-server.ts'
import { makeLongClip } from './cameras.ts'
import { alternating, median, ratioOf, type Bench } from './figure.ts'
import { cpuOf, end, startNode } from './process.ts'
import { createSandbox, freePort, startService, type Service } from './service.ts'
import type { Watch } from './viewers-child.ts'

const viewers = 50
const env = { SERVICE_JWT_SECRET: 'a secret that both instances share, as long as required for a secret' }

/** Measures what a live viewer costs who watches through an instance that doesn't pull the camera. */
export const cluster: Bench = {
  name: 'cluster',
  async run({ quick, scratch, print }) {
    const ffmpeg = findFfmpeg()
    if (!ffmpeg || !postgresPrograms) throw new Error('no ffmpeg, or no PostgreSQL')
    const [rounds, duration] = quick ? [3, 4000] : [7, 15_000]
    const clip = join(scratch, 'clip.mp4')
    makeLongClip(ffmpeg, clip, 120 + (4 * rounds * (duration + 5000)) / 1000)
    const postgres = await startPostgres(postgresPrograms)
    const services: Service[] = []
    const start = async (name: string, jobs: readonly string[]): Promise<Service> => {
      const dir = join(scratch, name)
      mkdirSync(dir)
      const cameras = { yard: { source: 'file:clip.mp4', record: { enabled: false }, motion: { enabled: false } } }
      const node = { name, jobs, address: `https://127.0.0.1:${await freePort()}` }
      const sandbox = await createSandbox(dir, { cameras, node, database: { url: postgres.url } })
      linkSync(clip, join(sandbox.mediaDir, 'clip.mp4'))
      const service = await startService(sandbox, 'any', env)
      services.push(service)
      return service
    }
    try {
      const owner = await start('owner', ['gate', 'recorder'])
      const gate = await start('gate', ['gate'])
      const { cookie } = await owner.user('erin', 'viewer')
      const used = () => [owner, gate].reduce((sum, { pid }) => sum + cpuOf(pid), 0)
      /** Milliseconds of processor time that both instances use in a second. */
      const load = async (): Promise<number> => {
        const [before, began] = [used(), performance.now()]
        await sleep(duration)
        return ((used() - before) * 1000) / (performance.now() - began)
      }
      /** The same with viewers at one of them, less what both use without any. */
      const added = async ({ gatePort }: Service, streams: number): Promise<number> => {
        const idle = await load()
        const child = startNode([join(import.meta.dirname, 'viewers-child.ts')], {
          core: 'any',
          stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        })
        child.send({ port: gatePort, path: '/api/cameras/yard/live', cookies: [cookie], streams } satisfies Watch)
        await once(child, 'message')
        await sleep(2000)
        const busy = await load()
        await end(child)
        // Until the stream between the instances has ended.
        await sleep(12_000)
        print(`cluster: ${streams} viewers, ${(busy - idle).toFixed(1)} ms of processor time per second`)
        return busy - idle
      }
      print(`cluster: ${viewers} viewers at each of two instances …`)
      await added(gate, viewers)
      const all = await alternating(
        rounds,
        () => added(gate, viewers),
        () => added(owner, viewers),
      )
      const { ratio, spread } = ratioOf(all.ours, all.peer)
      const single = median([await added(gate, 1), await added(gate, 1), await added(gate, 1)])
      const each = (loads: readonly number[]) => `${(median(loads) / viewers).toFixed(2)} ms/s`
      return [
        {
          what: `a live viewer through a second instance (of ${viewers}), both instances together, against one where the camera is: processor time for each viewer (±${(spread / 2).toFixed(2)})`,
          ours: each(all.ours),
          peer: each(all.peer),
          ratio,
          target: '≤ 1.20',
          met: ratio <= 1.2,
        },
        {
          what: 'the only viewer through a second instance, with the stream between the instances: processor time',
          ours: `${single.toFixed(1)} ms/s`,
          peer: '',
          ratio: undefined,
          target: undefined,
          met: undefined,
        },
      ]
    } finally {
      await Promise.all(services.map((service) => service.stop()))
      postgres.remove()
    }
  },
}
