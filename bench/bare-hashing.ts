import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { median, ratioOf, withoutTarget, type Figure } from './figure.ts'
import { end, printed, startNode } from './process.ts'

/** PBKDF2 in a process that has nothing to do with the service, on all cores. */
export interface BareHashing {
  /** @returns hashes per second */
  run(milliseconds: number): Promise<number>
  stop(): Promise<void>
}

export async function startBareHashing(): Promise<BareHashing> {
  const child = startNode([join(import.meta.dirname, 'peers/pbkdf2.ts')], {
    core: 'any',
    env: { UV_THREADPOOL_SIZE: String(availableParallelism() + 4) },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  await printed(child, /ready/)
  return {
    run: (duration) =>
      new Promise((done) => {
        child.once('message', (hashes: number) => done(hashes))
        child.send({ duration })
      }),
    stop: () => end(child),
  }
}

/** p99 of requests in rounds, milliseconds: beside a load, and idle. */
export interface Beside {
  readonly ours: readonly number[]
  readonly peer: readonly number[]
}

/**
 * What a load of logins takes from other requests, against what bare hashing takes: what any busy process takes from its
 * neighbors is not ours to give back, and nothing may come on top of it.
 */
export function besideFigures(load: string, flooded: Beside, hashing: Beside): Figure[] {
  const [wait, bare] = [ratioOf(flooded.ours, flooded.peer), ratioOf(hashing.ours, hashing.peer)]
  const row = (what: string, { ours, peer }: Beside, { ratio, spread }: typeof wait) =>
    withoutTarget(`${what} (±${(spread / 2).toFixed(2)})`, milliseconds(ours), milliseconds(peer), ratio)
  const ratio = wait.ratio / bare.ratio
  return [
    row(`p99 of a gated request beside ${load}, against idle`, flooded, wait),
    row('the same beside bare PBKDF2 in another process on all cores', hashing, bare),
    {
      what: 'the first of these two ratios against the second',
      ours: wait.ratio.toFixed(2),
      peer: bare.ratio.toFixed(2),
      ratio,
      target: '≤ 1.25',
      met: ratio <= 1.25,
    },
  ]
}

const milliseconds = (values: readonly number[]) => `${median(values).toFixed(2)} ms`
