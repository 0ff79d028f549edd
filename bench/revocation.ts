import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFfmpeg } from '../server/src/media/ffmpeg/ffmpeg-child.ts'
import { median, type Bench, type Figure } from './figure.ts'
import { end, startNode } from './process.ts'
import type { Ended, Watch } from './viewers-child.ts'
import { createSandbox, startService } from './service.ts'

const streams = 1000
/** Streams that end by the clock together. */
const timed = 500
const people = 10

/** Measures the time from a change, or a moment, that revokes a camera to the last byte of it that any client receives. */
export const revocation: Bench = {
  name: 'revocation',
  async run({ quick, scratch, print }) {
    const ffmpeg = findFfmpeg()
    if (!ffmpeg) throw new Error('no ffmpeg: there are no streams without it')
    const cameras = { yard: { source: 'file:clip.mp4' }, door: { source: 'demo:door', enabled: false } }
    const sandbox = await createSandbox(scratch, { auth: { roles: { guard: ['yard'] } }, cameras })
    mkdirSync(sandbox.mediaDir, { recursive: true })
    makeClip(ffmpeg, join(sandbox.mediaDir, 'clip.mp4'), { size: '640x360', bitrate: '300k' })
    const service = await startService(sandbox)
    const viewers = startNode([join(import.meta.dirname, 'viewers-child.ts')], {
      core: 'measuring',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    try {
      const cookies: string[] = []
      for (let i = 0; i < people; i += 1) cookies.push((await service.user(`user${i}`, 'guard')).cookie)
      /**
       * Opens streams, waits until they flow, makes a change, and waits until the last one ends. Milliseconds.
       *
       * @param change resolves to the Unix milliseconds from which to measure; undefined: from before the change
       */
      const round = async (change: () => Promise<number | void>, undo: () => Promise<void>, count = streams) => {
        const watch: Watch = { port: service.gatePort, path: '/api/cameras/yard/live', cookies, streams: count }
        viewers.send(watch)
        await once(viewers, 'message')
        await sleep(1500)
        const before = process.hrtime.bigint()
        const beforeAt = Date.now()
        const ended = once(viewers, 'message')
        const moment = (await change()) ?? beforeAt
        const [last] = (await ended) as [Ended]
        await undo()
        const since = (at: string) => Math.max(0, Number(BigInt(at) - before) / 1e6 - (moment - beforeAt))
        return { byte: since(last.lastByte), end: since(last.lastEnd) }
      }
      const setRole = (...cameras: string[]) => service.manage('PUT', '/api/roles/guard', { cameras })
      /** Until a moment soon after the change has reached all streams. */
      const setEnd = async () => {
        const until = Date.now() + 2000
        await service.manage('PUT', '/api/roles/guard', {
          cameras: ['yard'],
          valid_until: new Date(until).toISOString(),
        })
        return until
      }
      const setNoEnd = () => service.manage('PUT', '/api/roles/guard', { cameras: ['yard'], valid_until: null })
      const setUsers = async (role: string) => {
        await Promise.all(cookies.map((_, i) => service.manage('PUT', `/api/users/user${i}/role`, { role })))
      }
      const rounds = quick ? 2 : 5
      const byRole = []
      const byUser = []
      const byClock = []
      for (let i = 0; i < rounds; i += 1) {
        print(`revocation: round ${i + 1} of ${rounds} …`)
        byRole.push(
          await round(
            () => setRole('door'),
            () => setRole('yard'),
          ),
        )
        await service.manage('PUT', '/api/roles/other', { cameras: ['door'] })
        byUser.push(
          await round(
            () => setUsers('other'),
            () => setUsers('guard'),
          ),
        )
        byClock.push(await round(setEnd, setNoEnd, timed))
      }
      return [
        figure(`a role loses its camera: last byte at ${streams} open streams`, byRole),
        figure(`${people} users get another role: last byte at ${streams} open streams`, byUser),
        figure(`a role's time ends: last byte at ${timed} open streams`, byClock),
      ]
    } finally {
      await Promise.all([service.stop(), end(viewers)])
    }
  },
}

/** The worst round counts, not the median. */
function figure(what: string, rounds: readonly { byte: number; end: number }[]): Figure {
  const worst = Math.max(...rounds.map(({ byte }) => byte))
  const closed = Math.max(...rounds.map(({ end }) => end))
  const middle = median(rounds.map(({ byte }) => byte))
  return {
    what,
    ours: `${Math.round(worst)} ms (median ${Math.round(middle)}; all closed ${Math.round(closed)})`,
    peer: '',
    ratio: undefined,
    target: '≤ 1000 ms',
    met: worst <= 1000,
  }
}

/** Ten seconds of moving video with one key frame per second. */
export function makeClip(ffmpeg: string, file: string, { size, bitrate }: { size: string; bitrate: string }): void {
  const source = `testsrc2=size=${size}:rate=25:duration=10`
  const encode = ['-c:v', 'libx264', '-preset', 'veryfast', '-b:v', bitrate, '-g', '25', '-bf', '0']
  const args = ['-v', 'error', '-f', 'lavfi', '-i', source, ...encode, '-pix_fmt', 'yuv420p', '-y', file]
  execFileSync(ffmpeg, args)
}
