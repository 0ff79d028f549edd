import type { Clock, Timers } from '../shared/time/clock.ts'
import type { CameraFigures } from './camera-figures.ts'
import { cpuSecondsOf, ownCpuSeconds } from './process-usage.ts'
import { createRateSampler } from './rate-sampler.ts'

export interface SamplesDeps {
  readonly everyCamera: () => readonly CameraFigures[]
  readonly clock: Clock & Timers
}

/** Rates, from samples of what only grows. */
export interface Samples {
  /** CPU of a process in percent of one core; null while unknown. */
  cpuOf(pid: number): number | null
  /** Bytes per second of a camera; null while unknown. */
  receivedOf(camera: string): number | null
  stop(): void
}

/** Milliseconds between two samples. */
const interval = 5000

export function createSamples({ everyCamera, clock }: SamplesDeps): Samples {
  const cpu = createRateSampler({
    counters: () => {
      const used = new Map([[process.pid, ownCpuSeconds()]])
      for (const { pid } of everyCamera()) {
        const seconds = pid === undefined ? undefined : cpuSecondsOf(pid)
        if (pid !== undefined && seconds !== undefined) used.set(pid, seconds)
      }
      return used
    },
    clock,
    every: interval,
  })
  const received = createRateSampler({
    counters: () => new Map(everyCamera().map(({ name, bytes }) => [name, bytes])),
    clock,
    every: interval,
  })
  return {
    cpuOf(pid) {
      const seconds = cpu.perSecond(pid)
      return seconds === null ? null : Math.round(seconds * 1000) / 10
    },
    receivedOf: (camera) => received.perSecond(camera),
    stop() {
      cpu.stop()
      received.stop()
    },
  }
}
