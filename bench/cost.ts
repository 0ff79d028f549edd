import { alternating, median, ratioOf } from './figure.ts'
import type { Loader } from './load.ts'
import { cpuOf } from './process.ts'

/** A request whose cost is measured, and the process that answers it. */
export interface Costed {
  readonly pid: number
  readonly port: number
  readonly requests: readonly string[]
  readonly status: number
}

export interface Cost {
  /** CPU time of the responding process, microseconds per request. */
  readonly cpu: number
  /** Responses per second. */
  readonly rate: number
}

export interface Comparison {
  /** Of ours, when each request was sent for the first time. */
  readonly first: Cost
  readonly ours: Cost
  readonly peer: Cost
  readonly ratio: number
  readonly spread: number
}

const connections = 32

/**
 * Measures the cost of a request as the CPU time of the responding process. Other load on the machine distorts
 * wall-clock time more than CPU time.
 */
export async function compareCosts(
  loader: Loader,
  ours: Costed,
  peer: Costed,
  { rounds, duration }: { rounds: number; duration: number },
): Promise<Comparison> {
  /** @param during undefined: each request once */
  const measure = async ({ pid, port, requests, status }: Costed, during: number | undefined): Promise<Cost> => {
    const before = cpuOf(pid)
    const { count, took } = await loader.send({ port, requests, status, connections, duration: during })
    return { cpu: ((cpuOf(pid) - before) * 1000) / count, rate: (count * 1000) / took }
  }
  await measure(peer, undefined)
  const first = await measure(ours, undefined)
  // Compile and warm up before measuring.
  for (const each of [ours, peer, ours, peer]) await measure(each, duration)
  const all = await alternating(
    rounds,
    () => measure(ours, duration),
    () => measure(peer, duration),
  )
  return { first, ours: middle(all.ours), peer: middle(all.peer), ...ratioOf(cpus(all.ours), cpus(all.peer)) }
}

const cpus = (costs: readonly Cost[]) => costs.map(({ cpu }) => cpu)
const middle = (costs: readonly Cost[]): Cost => ({
  cpu: median(cpus(costs)),
  rate: median(costs.map(({ rate }) => rate)),
})

export const usualRounds = (quick: boolean) => (quick ? { rounds: 5, duration: 600 } : { rounds: 11, duration: 1000 })

export const costText = ({ cpu, rate }: Cost): string => `${cpu.toFixed(1)} µs (${Math.round(rate)}/s)`

/** A figure for the cost of a request, with an upper limit on its ratio to the peer's. */
export const costFigure = (what: string, { ours, peer, ratio, spread }: Comparison, max?: number) => ({
  what: `${what} (±${(spread / 2).toFixed(2)})`,
  ours: costText(ours),
  peer: costText(peer),
  ratio,
  target: max === undefined ? undefined : `≤ ${max.toFixed(2)}`,
  met: max === undefined ? undefined : ratio <= max,
})
