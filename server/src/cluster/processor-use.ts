/** Times of one processor, milliseconds since the machine started, as `os.cpus()` gives them. */
export interface ProcessorTimes {
  readonly times: { readonly idle: number; readonly [kind: string]: number }
}

interface Sample {
  /** Milliseconds, of all processors together. */
  readonly total: number
  readonly idle: number
}

/** Samples between the two that are compared: with a report every two seconds, half a minute. */
const kept = 15

/**
 * Measures the CPU usage of the machine, across all processes and cores.
 *
 * @param processors reads the times
 * @returns takes a sample: percent of the CPU time that was used since an earlier one; null for the first
 */
export function createProcessorUse(processors: () => readonly ProcessorTimes[]): () => number | null {
  const samples: Sample[] = []
  return () => {
    const all = processors().map(({ times }) => times)
    const now: Sample = {
      total: sum(all.flatMap((times) => Object.values(times))),
      idle: sum(all.map(({ idle }) => idle)),
    }
    samples.push(now)
    if (samples.length > kept + 1) samples.shift()
    const before = samples[0] ?? now
    const total = now.total - before.total
    const used = total - (now.idle - before.idle)
    // The counters go back when a processor is taken away.
    return total <= 0 ? null : Math.round(Math.min(1, Math.max(0, used / total)) * 100)
  }
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
