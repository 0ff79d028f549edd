import { execFileSync, type ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { descendantsOf } from '../server/test/support/children.ts'
import { findFfmpeg } from '../server/src/media/ffmpeg/find-ffmpeg.ts'
import { createCpuGroup, weightOfUnit, type CpuGroup } from './cpu-group.ts'
import { median, type Bench, type Figure } from './figure.ts'
import { end, startNode } from './process.ts'
import type { Ended, Watch } from './viewers-child.ts'
import { createSandbox, startService, type Service } from './service.ts'

const userCount = 10
/** Processes that only compute, beside the service and its viewers. */
const busyLoops = 16

/** Streams of one camera, which end together. */
interface Crowd {
  readonly camera: 'yard' | 'gate'
  readonly streams: number
}
/** 25 frames per second. */
const main: Crowd = { camera: 'yard', streams: 1000 }
/** Streams that end by the clock. */
const timed: Crowd = { camera: 'yard', streams: 500 }
/** 5 frames per second, as many cameras send for overviews. */
const sub: Crowd = { camera: 'gate', streams: 2000 }

/** From the change, milliseconds. */
interface Round {
  /** To the last byte of a stream. */
  readonly byte: number
  /** To the end of the last connection. */
  readonly end: number
  /** To the response: the change is on disk. 0: of a moment, which has none. */
  readonly response: number
}

/** Measures the time from a change, or a moment, that revokes a camera to the last byte of it that any client receives. */
export const revocation: Bench = {
  name: 'revocation',
  async run({ quick, scratch, print }) {
    const ffmpeg = findFfmpeg()
    if (!ffmpeg) throw new Error('no ffmpeg: there are no streams without it')
    const cameras = {
      yard: { source: 'file:main.mp4' },
      gate: { source: 'file:sub.mp4' },
      door: { source: 'demo:door', enabled: false },
    }
    const sandbox = await createSandbox(scratch, { auth: { roles: { guard: both } }, cameras })
    mkdirSync(sandbox.mediaDir, { recursive: true })
    makeClip(ffmpeg, join(sandbox.mediaDir, 'main.mp4'), { size: '640x360', bitrate: '300k' })
    makeClip(ffmpeg, join(sandbox.mediaDir, 'sub.mp4'), { size: '320x180', bitrate: '60k', rate: 5 })
    const service = await startService(sandbox)
    const viewers = startNode([join(import.meta.dirname, 'viewers-child.ts')], {
      core: 'measuring',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    try {
      const revocations = await revocationsOf(service, viewers)
      return [
        ...(await quietRounds(revocations, quick ? 2 : 5, print)),
        ...(await besideLoops(revocations, { service: service.pid, viewers: viewers.pid ?? 0 }, print)),
      ]
    } finally {
      await Promise.all([service.stop(), end(viewers)])
    }
  },
}

const both = ['yard', 'gate']

type Print = (line: string) => void

/** The ways in which a crowd loses its camera. */
interface Revocations {
  byRole(crowd: Crowd): Promise<Round>
  byUser(crowd: Crowd): Promise<Round>
  byClock(crowd: Crowd): Promise<Round>
}

async function revocationsOf(service: Service, viewers: ChildProcess): Promise<Revocations> {
  const cookies: string[] = []
  for (let i = 0; i < userCount; i += 1) cookies.push((await service.user(`user${i}`, 'guard')).cookie)
  await service.manage('PUT', '/api/roles/other', { cameras: ['door'] })
  const round = (crowd: Crowd, change: () => Promise<number | void>, undo: () => Promise<void>) =>
    measure(viewers, { port: service.gatePort, cookies, crowd }, change, undo)
  const setRole = (role: object) => service.manage('PUT', '/api/roles/guard', role)
  /** Until a moment soon after the change has reached all streams. */
  const setEnd = async () => {
    const until = Date.now() + 2000
    await setRole({ cameras: both, valid_until: new Date(until).toISOString() })
    return until
  }
  const setUsers = async (role: string) => {
    await Promise.all(cookies.map((_, i) => service.manage('PUT', `/api/users/user${i}/role`, { role })))
  }
  return {
    byRole: (crowd) =>
      round(
        crowd,
        () => setRole({ cameras: ['door'] }),
        () => setRole({ cameras: both }),
      ),
    byUser: (crowd) =>
      round(
        crowd,
        () => setUsers('other'),
        () => setUsers('guard'),
      ),
    byClock: (crowd) => round(crowd, setEnd, () => setRole({ cameras: both, valid_until: null })),
  }
}

async function quietRounds(revocations: Revocations, count: number, print: Print): Promise<Figure[]> {
  const { byRole, byUser, byClock } = revocations
  const taken: Record<'role' | 'users' | 'clock' | 'roleSub' | 'usersSub', Round[]> = {
    role: [],
    users: [],
    clock: [],
    roleSub: [],
    usersSub: [],
  }
  for (let i = 0; i < count; i += 1) {
    print(`revocation: round ${i + 1} of ${count} …`)
    taken.role.push(await byRole(main))
    taken.users.push(await byUser(main))
    taken.clock.push(await byClock(timed))
    taken.roleSub.push(await byRole(sub))
    taken.usersSub.push(await byUser(sub))
  }
  return [
    figure(`a role loses its camera: last byte at ${main.streams} open streams`, taken.role),
    figure(`${userCount} users get another role: last byte at ${main.streams} open streams`, taken.users),
    figure(`a role's time ends: last byte at ${timed.streams} open streams`, taken.clock),
    figure(`a role loses its camera: last byte at ${sub.streams} of 5 frames per second`, taken.roleSub),
    figure(`${userCount} users get another role: last byte at ${sub.streams} of 5 frames per second`, taken.usersSub),
  ]
}

/** @param beside what the loops are to the service */
async function busyRounds({ byRole, byUser }: Revocations, beside: string, print: Print): Promise<Figure[]> {
  const taken: Record<'role' | 'users', Round[]> = { role: [], users: [] }
  // Each takes minutes, because the streams also open slowly.
  for (let i = 0; i < 2; i += 1) {
    print(`revocation: round ${i + 1} of 2 beside ${beside} …`)
    taken.role.push(await byRole(sub))
    taken.users.push(await byUser(sub))
  }
  const busy = `${sub.streams} of 5 frames per second, beside ${beside}`
  return [
    figure(`a role loses its camera: last byte at ${busy}`, taken.role),
    figure(`${userCount} users get another role: last byte at ${busy}`, taken.users),
  ]
}

/** Revocations beside busy loops: as programs of the same service, and as those of another one. */
async function besideLoops(
  revocations: Revocations,
  { service, viewers }: { service: number; viewers: number },
  print: Print,
): Promise<Figure[]> {
  const loops = Array.from({ length: busyLoops }, () => startNode(['-e', 'for (;;);'], { core: 'any' }))
  const weight = weightOfUnit()
  const groups: CpuGroup[] = []
  const group = (name: string, share: number, pids: readonly number[]): boolean => {
    const made = createCpuGroup(name, share)
    if (made) groups.push(made)
    made?.add(...pids)
    return made !== undefined
  }
  try {
    const figures = await busyRounds(revocations, `${busyLoops} busy loops`, print)
    // The viewers are other machines, which the loops don't slow down.
    const isGrouped =
      group('service', weight, [service, ...descendantsOf(service)]) &&
      group('viewers', weight, [viewers]) &&
      group(
        'loops',
        100,
        loops.flatMap(({ pid }) => pid ?? []),
      )
    if (!isGrouped) {
      print('revocation: no scheduling groups here, so that the service gets no share')
      return figures
    }
    const apart = `${busyLoops} busy loops of another service, with the CPUWeight of the Debian package`
    return [...figures, ...(await busyRounds(revocations, apart, print))]
  } finally {
    await Promise.all(loops.map(end))
    for (const each of groups) each.release()
  }
}

/**
 * Opens streams, waits until they flow, makes a change, and waits until the last one ends.
 *
 * @param change resolves to the Unix milliseconds from which to measure; undefined: from before the change
 */
async function measure(
  viewers: ChildProcess,
  { port, cookies, crowd }: { port: number; cookies: readonly string[]; crowd: Crowd },
  change: () => Promise<number | void>,
  undo: () => Promise<void>,
): Promise<Round> {
  const path = `/api/cameras/${crowd.camera}/live`
  viewers.send({ port, path, cookies, streams: crowd.streams } satisfies Watch)
  await once(viewers, 'message')
  await sleep(1500)
  const before = process.hrtime.bigint()
  const beforeAt = Date.now()
  const ended = once(viewers, 'message')
  const changed = await change()
  const response = changed === undefined ? Date.now() - beforeAt : 0
  const moment = changed ?? beforeAt
  const [last] = (await ended) as [Ended]
  await undo()
  const since = (at: string) => Math.max(0, Number(BigInt(at) - before) / 1e6 - (moment - beforeAt))
  return { byte: since(last.lastByte), end: since(last.lastEnd), response }
}

/** The worst round counts, not the median. */
function figure(what: string, rounds: readonly Round[]): Figure {
  const worst = Math.max(...rounds.map(({ byte }) => byte))
  const closed = Math.max(...rounds.map(({ end }) => end))
  const middle = median(rounds.map(({ byte }) => byte))
  const late = Math.max(...rounds.map(({ byte, response }) => byte - response))
  const detail = `median ${Math.round(middle)}; ${Math.round(Math.max(0, late))} after the response; all closed ${Math.round(closed)}`
  return {
    what,
    ours: `${Math.round(worst)} ms (${detail})`,
    peer: '',
    ratio: undefined,
    target: '≤ 1000 ms',
    met: worst <= 1000,
  }
}

/** Ten seconds of moving video with one key frame per second. `rate`: frames per second. */
export function makeClip(
  ffmpeg: string,
  file: string,
  { size, bitrate, rate = 25 }: { size: string; bitrate: string; rate?: number },
): void {
  const source = `testsrc2=size=${size}:rate=${rate}:duration=10`
  const encode = ['-c:v', 'libx264', '-preset', 'veryfast', '-b:v', bitrate, '-g', String(rate), '-bf', '0']
  const args = ['-v', 'error', '-f', 'lavfi', '-i', source, ...encode, '-pix_fmt', 'yuv420p', '-y', file]
  execFileSync(ffmpeg, args)
}
