/** One measured promise: our value against a peer's from the same run. */
export interface Figure {
  readonly what: string
  readonly ours: string
  /** Empty if the target is not a ratio. */
  readonly peer: string
  readonly ratio: number | undefined
  /** The target for `ratio`; undefined for a figure that only explains another one. */
  readonly target: string | undefined
  readonly met: boolean | undefined
}

/** A figure that only explains another one. */
export const withoutTarget = (what: string, ours: string, peer = '', ratio?: number): Figure => ({
  what,
  ours,
  peer,
  ratio,
  target: undefined,
  met: undefined,
})

export interface BenchDeps {
  /** Fewer and shorter rounds: enough to notice large regressions, too noisy to quote. */
  readonly quick: boolean
  /** An empty folder, deleted after the benchmark. */
  readonly scratch: string
  readonly print: (line: string) => void
}

export interface Bench {
  readonly name: string
  run(deps: BenchDeps): Promise<readonly Figure[]>
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** Measures our value and the peer's alternately, so that other load affects both equally. */
export async function alternating<T>(
  rounds: number,
  ours: () => Promise<T>,
  peer: () => Promise<T>,
): Promise<{ ours: T[]; peer: T[] }> {
  const all: { ours: T[]; peer: T[] } = { ours: [], peer: [] }
  for (let round = 0; round < rounds; round += 1) {
    // The second of the two finds a warmer machine, so the order alternates.
    const first = round % 2 === 0
    if (first) all.ours.push(await ours())
    all.peer.push(await peer())
    if (!first) all.ours.push(await ours())
  }
  return all
}

/** The median of the rounds' ratios, and their interquartile spread. */
export function ratioOf(ours: readonly number[], peer: readonly number[]): { ratio: number; spread: number } {
  const ratios = ours.map((each, round) => each / (peer[round] ?? Number.NaN)).toSorted((a, b) => a - b)
  const at = (share: number) => ratios[Math.min(ratios.length - 1, Math.floor(ratios.length * share))] ?? Number.NaN
  return { ratio: median(ratios), spread: at(0.75) - at(0.25) }
}
