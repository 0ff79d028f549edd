import { execFileSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { linkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFfmpeg } from '../server/src/media/ffmpeg/find-ffmpeg.ts'
import type { Counted, Crowd } from './crowd-child.ts'
import { median, withoutTarget, type Bench, type Figure } from './figure.ts'
import { requestText, startLoader } from './load.ts'
import { cpuOf, end, memoryOf, startNode } from './process.ts'
import { makeClip } from './revocation.ts'
import { createSandbox, quietCameras, startService, type Service } from './service.ts'

const watched = ['yard', 'gate', 'door', 'office']
const viewers = 200
const eventStreams = 2000
const users = 20
const framesPerSecond = 25
/** Milliseconds from one sample to the next. */
const every = 10_000

interface Sample {
  readonly minute: number
  /** Megabytes. */
  readonly memory: number
  /** Share of a core. */
  readonly processor: number
  /** Frames per second of the live view that received the fewest, and of the median one. */
  readonly slowest: number
  readonly middle: number
  /** Milliseconds from a change of a role to the event on the last of the streams. */
  readonly event: number
  /** Of gated requests in between, milliseconds. */
  readonly p99: number
  readonly closed: number
}

/** Keeps thousands of streams open for ten minutes: event streams and live views, with a change of access every ten seconds. */
export const crowd: Bench = {
  name: 'crowd',
  async run({ quick, scratch, print }) {
    const ffmpeg = findFfmpeg()
    if (!ffmpeg) throw new Error('no ffmpeg: there are no live views without it')
    const minutes = quick ? 1 : 10
    const sandbox = await createSandbox(scratch, {
      auth: { roles: { guard: watched } },
      cameras: {
        ...Object.fromEntries(
          watched.map((name) => [
            name,
            { source: `file:${name}.mp4`, record: { enabled: false }, motion: { enabled: false } },
          ]),
        ),
        ...quietCameras(['hall']),
      },
    })
    makeClips(ffmpeg, sandbox.mediaDir, minutes)
    const service = await startService(sandbox, 'any')
    const child = startNode([join(import.meta.dirname, 'crowd-child.ts')], {
      core: 'any',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const loader = startLoader(true)
    try {
      const cookies: string[] = []
      for (let i = 0; i < users; i += 1) cookies.push((await service.user(`user${i}`, 'guard')).cookie)
      const requests = cookies.map((cookie) => requestText('GET', '/api/cameras', service.gatePort, { cookie }))
      const ask = async () =>
        (
          await loader.send({
            port: service.gatePort,
            requests,
            connections: 8,
            duration: every / 2,
            rate: 50,
            status: 200,
          })
        ).p99
      await ask()
      const idle = { memory: memoryOf(service.pid), p99: await ask() }
      print(`crowd: ${eventStreams} event streams and ${viewers} live views, ${minutes} minutes …`)
      child.send({
        port: service.gatePort,
        cookies,
        live: Array.from({ length: viewers }, (_, i) => `/api/cameras/${watched[i % watched.length]}/live`),
        events: eventStreams,
      } satisfies Crowd)
      await once(child, 'message')
      const samples: Sample[] = []
      const began = performance.now()
      while (performance.now() - began < minutes * 60_000) {
        samples.push({
          ...(await sample(service, child, samples.length, ask)),
          minute: (performance.now() - began) / 60_000,
        })
        const { minute, memory, slowest, event } = samples.at(-1)!
        print(
          `crowd: ${minute.toFixed(1)} min, ${memory.toFixed(0)} MB, ${slowest.toFixed(1)} frames/s at least, event ${event.toFixed(0)} ms`,
        )
      }
      return figures(idle, samples)
    } finally {
      await Promise.all([service.stop(), end(child), loader.stop()])
    }
  },
}

/** One file for each camera, longer than the bench: a file that begins again would be a gap. */
function makeClips(ffmpeg: string, folder: string, minutes: number): void {
  const [short, long] = [join(folder, 'short.mp4'), join(folder, 'long.mp4')]
  makeClip(ffmpeg, short, { size: '640x360', bitrate: '300k' })
  const times = String(minutes * 6 + 24)
  execFileSync(ffmpeg, ['-v', 'error', '-stream_loop', times, '-i', short, '-c', 'copy', '-y', long])
  for (const name of watched) linkSync(long, join(folder, `${name}.mp4`))
}

async function sample(
  service: Service,
  child: ChildProcess,
  nth: number,
  ask: () => Promise<number>,
): Promise<Omit<Sample, 'minute'>> {
  const count = async () => {
    const counted = once(child, 'message')
    child.send('count')
    return ((await counted) as [Counted])[0]
  }
  await count()
  const [used, began] = [cpuOf(service.pid), performance.now()]
  const p99 = await ask()
  await sleep(every / 2)
  const seconds = (performance.now() - began) / 1000
  const processor = (cpuOf(service.pid) - used) / 1000 / seconds
  const { frames } = await count()
  const perSecond = frames.map((each) => each / seconds)

  const before = process.hrtime.bigint()
  await service.manage('PUT', '/api/roles/guard', { cameras: nth % 2 === 0 ? [...watched, 'hall'] : watched })
  await sleep(2000)
  const { lastEvent, silent, closed } = await count()
  if (silent > 0) throw new Error(`${silent} event streams received nothing within two seconds of a change`)
  return {
    memory: memoryOf(service.pid),
    processor,
    slowest: Math.min(...perSecond),
    middle: median(perSecond),
    event: Number(BigInt(lastEvent) - before) / 1e6,
    p99,
    closed,
  }
}

function figures(idle: { memory: number; p99: number }, samples: readonly Sample[]): Figure[] {
  const of = (key: keyof Sample) => samples.map((each) => each[key])
  const early = median(samples.filter(({ minute }) => minute >= 1 && minute <= 3).map(({ memory }) => memory))
  const late = median(of('memory').slice(-6))
  const closed = samples.at(-1)?.closed ?? Number.NaN
  const streams = `${eventStreams} event streams and ${viewers} live views`
  return [
    {
      what: `${streams}: resident memory at the end, against after two minutes`,
      ours: `${late.toFixed(0)} MB`,
      peer: `${early.toFixed(0)} MB`,
      ratio: late / early,
      target: '≤ 1.10',
      met: late / early <= 1.1,
    },
    withoutTarget(
      'the same against without streams',
      `${late.toFixed(0)} MB`,
      `${idle.memory.toFixed(0)} MB`,
      late / idle.memory,
    ),
    {
      what: 'streams that the service closed in this time',
      ours: String(closed),
      peer: '',
      ratio: undefined,
      target: '0',
      met: closed === 0,
    },
    {
      what: 'frames of a live view in the worst ten seconds (median of all), against those of its camera',
      ours: `${Math.min(...of('slowest')).toFixed(1)} (${median(of('middle')).toFixed(1)}) /s`,
      peer: `${framesPerSecond} /s`,
      ratio: Math.min(...of('slowest')) / framesPerSecond,
      target: '≥ 0.95',
      met: Math.min(...of('slowest')) / framesPerSecond >= 0.95,
    },
    {
      what: `a role gets a camera: event on the last of ${eventStreams} streams, at worst (median)`,
      ours: `${Math.max(...of('event')).toFixed(0)} (${median(of('event')).toFixed(0)}) ms`,
      peer: '',
      ratio: undefined,
      target: '≤ 1000 ms',
      met: Math.max(...of('event')) <= 1000,
    },
    withoutTarget(
      'p99 of a gated request beside them, against without streams',
      `${median(of('p99')).toFixed(2)} ms`,
      `${idle.p99.toFixed(2)} ms`,
      median(of('p99')) / idle.p99,
    ),
    withoutTarget(
      'processor of the service, without ffmpeg',
      `${(median(of('processor')) * 100).toFixed(1)} % of a core`,
    ),
  ]
}
