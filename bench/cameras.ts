import { execFileSync, spawn } from 'node:child_process'
import { linkSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFfmpeg } from '../server/src/media/ffmpeg/find-ffmpeg.ts'
import { median, ratioOf, type Bench, type Figure } from './figure.ts'
import { cpuOf, end, memoryOf, startNode, treeCpuOf } from './process.ts'
import { makeClip } from './revocation.ts'
import { createSandbox, startService, type Service } from './service.ts'
import type { Watch } from './viewers-child.ts'

const more = 50

/** Which features of a camera are on; by default, all of them. */
const parts = {
  watched: { record: { enabled: false }, motion: { enabled: false } },
  recorded: { motion: { enabled: false } },
  whole: {},
}
type Part = keyof typeof parts

/** Measures what a recorded camera with motion detection costs beyond bare ffmpeg, and what each viewer adds. */
export const cameras: Bench = {
  name: 'cameras',
  async run({ quick, scratch, print }) {
    const ffmpeg = findFfmpeg()
    if (!ffmpeg) throw new Error('no ffmpeg: there are no streams without it')
    const [rounds, duration] = quick ? [2, 5000] : [5, 20_000]
    const clip = join(scratch, 'clip.mp4')
    // Long enough not to loop: a camera never does, and ffmpeg 5 then warns about every frame.
    makeLongClip(ffmpeg, clip, 60 + (2 * rounds * (duration + 3000)) / 1000)
    const children: ReturnType<typeof startNode>[] = []
    const services = new Map<Part, Service>()
    const bare = startBare(ffmpeg, clip, join(scratch, 'bare'))
    const watch = async ({ gatePort }: Service, cookie: string, streams: number) => {
      const viewers = startNode([join(import.meta.dirname, 'viewers-child.ts')], {
        core: 'any',
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      children.push(viewers)
      const path = '/api/cameras/yard/live'
      viewers.send({ port: gatePort, path, cookies: [cookie], streams } satisfies Watch)
      await once(viewers, 'message')
    }
    try {
      let cookie = ''
      for (const part of Object.keys(parts) as Part[]) {
        const dir = join(scratch, part)
        mkdirSync(dir)
        const sandbox = await createSandbox(dir, { cameras: { yard: { source: 'file:clip.mp4', ...parts[part] } } })
        linkSync(clip, join(sandbox.mediaDir, 'clip.mp4'))
        const service = await startService(sandbox, 'any')
        services.set(part, service)
        ;({ cookie } = await service.user('erin', 'viewer'))
        await watch(service, cookie, 1)
      }
      const whole = services.get('whole')!
      /** Percents of a core, over the same seconds. @param used milliseconds of processor time so far */
      const loads = async <Name extends string>(used: Record<Name, () => number>) => {
        const names = Object.keys(used) as Name[]
        const before = names.map((name) => [name, used[name]()] as const)
        const began = performance.now()
        await sleep(duration)
        const took = performance.now() - began
        const percents = before.map(([name, once]) => [name, ((used[name]() - once) * 100) / took])
        return Object.fromEntries(percents) as Record<Name, number>
      }
      // Start-up work is not part of a camera's cost.
      await sleep(quick ? 3000 : 15_000)
      const one: Record<Part | 'own' | 'bare', number>[] = []
      const own = () => cpuOf(whole.pid)
      const trees = Object.fromEntries(
        [...services].map(([part, { pid }]) => [part, () => treeCpuOf(pid)] as const),
      ) as Record<Part, () => number>
      for (let round = 0; round < rounds; round += 1) {
        one.push(await loads({ ...trees, own, bare: () => cpuOf(bare.pid!) }))
      }
      const of = (name: keyof (typeof one)[number]) => one.map((each) => each[name])
      const memory = memoryOf(whole.pid)
      print(`cameras: ${more} more viewers …`)
      await watch(whole, cookie, more)
      await sleep(3000)
      const crowd = []
      for (let round = 0; round < rounds; round += 1) crowd.push((await loads({ own })).own)
      const each = (median(crowd) - median(of('own'))) / more
      const bytes = (memoryOf(whole.pid) - memory) / more
      const [ours, peer] = [median(of('whole')), median(of('bare'))]
      return [
        {
          what: 'a 1080p camera, recorded, with motion detection and one viewer, against bare ffmpeg that writes both',
          ours: percent(ours),
          peer: percent(peer),
          ratio: ratioOf(of('whole'), of('bare')).ratio,
          target: '≤ 1.10 × peer + 2 % of a core',
          met: ours <= peer * 1.1 + 2,
        },
        figure('of this, viewing alone', percent(median(of('watched')))),
        figure('of this, recording', percent(median(one.map(({ recorded, watched }) => recorded - watched)))),
        figure('of this, motion detection', percent(median(one.map(({ whole, recorded }) => whole - recorded)))),
        figure(`each further viewer (of ${more}), processor`, percent(each), '< 1 % of a core', each < 1),
        figure(`each further viewer (of ${more}), memory`, `${bytes.toFixed(2)} MB`, '< 4 MB', bytes < 4),
      ]
    } finally {
      bare.kill('SIGKILL')
      await Promise.all([...[...services.values()].map((service) => service.stop()), ...children.map(end)])
    }
  },
}

const percent = (of: number): string => `${of.toFixed(2)} % of a core`

const figure = (what: string, ours: string, target?: string, met?: boolean): Figure => ({
  what,
  ours,
  peer: '',
  ratio: undefined,
  target,
  met,
})

/** Loops ten seconds of video into one file. */
export function makeLongClip(ffmpeg: string, file: string, seconds: number): void {
  const short = `${file}.short.mp4`
  makeClip(ffmpeg, short, { size: '1920x1080', bitrate: '4M' })
  const times = Math.ceil(seconds / 10)
  execFileSync(ffmpeg, ['-v', 'error', '-stream_loop', String(times), '-i', short, '-c', 'copy', '-y', file])
}

/** The same work without supervision: frames into a pipe, and ten-second files. */
function startBare(ffmpeg: string, clip: string, folder: string) {
  mkdirSync(folder)
  const flags = '+frag_every_frame+empty_moov+default_base_moof'
  const live = ['-map', '0:v:0', '-c:v', 'copy', '-f', 'mp4', '-movflags', flags, '-flush_packets', '1', 'pipe:1']
  const segments = ['-f', 'segment', '-segment_time', '10', '-segment_format_options', `movflags=${flags}`]
  const files = ['-map', '0:v:0', '-c:v', 'copy', ...segments, join(folder, '%d.mp4')]
  const child = spawn(ffmpeg, ['-v', 'error', '-re', '-i', clip, ...live, ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.resume()
  return child
}
