import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFfmpeg } from '../server/src/media/ffmpeg-child.ts'
import { inTurns, median, ratioOf, type Bench } from './figure.ts'
import { childrenOf, cpuOf, end, memoryOf, startNode } from './process.ts'
import { makeClip } from './revocation.ts'
import { makePlace, startService } from './service.ts'
import type { Watch } from './viewers-child.ts'

const more = 50

/** What a live camera costs beyond ffmpeg, and what each who watches adds. */
export const cameras: Bench = {
  name: 'cameras',
  async run({ quick, scratch }) {
    const ffmpeg = findFfmpeg()
    if (!ffmpeg) throw new Error('no ffmpeg: there are no streams without it')
    const place = await makePlace(scratch, { cameras: { yard: { source: 'file:clip.mp4' } } })
    mkdirSync(place.mediaDir, { recursive: true })
    const clip = join(place.mediaDir, 'clip.mp4')
    makeClip(ffmpeg, clip, { size: '1920x1080', bitrate: '4M' })
    const service = await startService(place, 'any')
    const bare = startBare(ffmpeg, clip)
    const { cookie } = await service.user('erin', 'viewer')
    const watching: ReturnType<typeof startNode>[] = []
    const watch = async (streams: number) => {
      const viewers = startNode([join(import.meta.dirname, 'viewers-child.ts')], {
        core: 'any',
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      watching.push(viewers)
      viewers.send({
        port: service.gatePort,
        path: '/api/cameras/yard/live',
        cookies: [cookie],
        streams,
      } satisfies Watch)
      await once(viewers, 'message')
      await sleep(3000)
    }
    try {
      const duration = quick ? 5000 : 10_000
      /** Percent of a core. */
      const loadOf = async (pids: () => readonly number[]) => {
        const used = () => pids().reduce((sum, pid) => sum + cpuOf(pid), 0)
        const [before, began] = [used(), performance.now()]
        await sleep(duration)
        return ((used() - before) * 100) / (performance.now() - began)
      }
      const serving = () => [service.pid, ...childrenOf(service.pid)]
      const rounds = quick ? 2 : 4
      await watch(1)
      const one = await inTurns(
        rounds,
        () => loadOf(serving),
        () => loadOf(() => [bare.pid ?? 0]),
      )
      const own = await loadOf(() => [service.pid])
      const memory = memoryOf(service.pid)
      await watch(more)
      const crowd = []
      for (let i = 0; i < rounds; i += 1) crowd.push(await loadOf(() => [service.pid]))
      const each = (median(crowd) - own) / more
      const bytes = (memoryOf(service.pid) - memory) / more
      const [ours, peer] = [median(one.ours), median(one.peer)]
      return [
        {
          what: 'a 1080p camera with one viewer, beyond bare ffmpeg × 1.10',
          ours: `${ours.toFixed(2)} % of a core`,
          peer: `${peer.toFixed(2)} % of a core`,
          ratio: ratioOf(one.ours, one.peer).ratio,
          target: '≤ 1.10 × peer + 2 % of a core',
          met: ours <= peer * 1.1 + 2,
        },
        {
          what: `each further viewer (of ${more}), processor`,
          ours: `${each.toFixed(2)} % of a core`,
          peer: '',
          ratio: undefined,
          target: '< 1 % of a core',
          met: each < 1,
        },
        {
          what: `each further viewer (of ${more}), memory`,
          ours: `${bytes.toFixed(2)} MB`,
          peer: '',
          ratio: undefined,
          target: '< 4 MB',
          met: bytes < 4,
        },
      ]
    } finally {
      bare.kill('SIGKILL')
      await Promise.all([service.stop(), ...watching.map(end)])
    }
  },
}

/** The same work, with nobody to look after it. */
function startBare(ffmpeg: string, clip: string) {
  const input = ['-v', 'error', '-re', '-stream_loop', '-1', '-i', clip, '-map', '0:v:0', '-c:v', 'copy']
  const flags = '+frag_every_frame+empty_moov+default_base_moof'
  const child = spawn(ffmpeg, [...input, '-f', 'mp4', '-movflags', flags, '-flush_packets', '1', 'pipe:1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.resume()
  return child
}
