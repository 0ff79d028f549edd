import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFfmpeg } from '../server/src/media/ffmpeg/find-ffmpeg.ts'
import { median, type Bench } from './figure.ts'
import { childrenOf, memoryOf, treeCpuOf } from './process.ts'
import { makeClip } from './revocation.ts'
import { createSandbox, startService, type Service } from './service.ts'

/** Measures what motion detection costs for one camera: the same service with and without it, alternately. */
export const motionCost: Bench = {
  name: 'motion-cost',
  async run({ quick, scratch }) {
    const ffmpeg = findFfmpeg()
    if (!ffmpeg) throw new Error('no ffmpeg: there are no streams without it')
    const start = async (name: string, motion: object): Promise<Service> => {
      const yard = { source: 'file:clip.mp4', record: { enabled: false }, motion }
      const sandbox = await createSandbox(join(scratch, name), { cameras: { yard } })
      mkdirSync(sandbox.mediaDir, { recursive: true })
      makeClip(ffmpeg, join(sandbox.mediaDir, 'clip.mp4'), { size: '1920x1080', bitrate: '4M' })
      makeClip(ffmpeg, join(sandbox.mediaDir, 'small.mp4'), { size: '640x360', bitrate: '500k' })
      return startService(sandbox, 'any')
    }
    const services = [
      await start('without', { enabled: false }),
      await start('keys', {}),
      await start('stream', { detect_source: 'file:small.mp4' }),
    ]
    try {
      await sleep(5000)
      const duration = quick ? 5000 : 15_000
      const loadOf = async (service: Service): Promise<number> => {
        const used = (): number => treeCpuOf(service.pid)
        const [before, began] = [used(), performance.now()]
        await sleep(duration)
        return ((used() - before) * 100) / (performance.now() - began)
      }
      const loads: number[][] = services.map(() => [])
      for (let round = 0; round < (quick ? 2 : 4); round++) {
        for (const [i, service] of services.entries()) loads[i]?.push(await loadOf(service))
      }
      const [without = 0, keys = 0, stream = 0] = loads.map(median)
      const [plainMemory = 0, keysMemory = 0] = services.map(({ pid }) => Math.max(0, ...childrenOf(pid).map(memoryOf)))
      const figure = (what: string, all: number, max: number | undefined) => ({
        what,
        ours: `${(all - without).toFixed(2)} % of a core (${all.toFixed(2)} with, ${without.toFixed(2)} without)`,
        peer: '',
        ratio: undefined,
        target: max === undefined ? undefined : `≤ ${max} % of a core`,
        met: max === undefined ? undefined : all - without <= max,
      })
      return [
        figure('motion detection at a 1080p camera of 4 Mbit/s, by its key frames, one per second', keys, 3),
        figure(
          'motion detection at the same by a separate stream, 640×360 at 25 per second, 2 of them analyzed',
          stream,
          undefined,
        ),
        {
          what: 'largest child process with it, memory',
          ours: `${keysMemory.toFixed(0)} MB (without ${plainMemory.toFixed(0)} MB)`,
          peer: '',
          ratio: undefined,
          target: undefined,
          met: undefined,
        },
      ]
    } finally {
      await Promise.all(services.map((service) => service.stop()))
    }
  },
}
