/** In this order, what has been opened is stopped. A phase begins once everything of the one before it has stopped. */
const phases = [
  /** Open streams, what only requests need, and the pulling of cameras: other instances take them. */
  'streams',
  /** What other instances and the certificate's check do here. */
  'connections',
  /** Ports, cameras, jobs and the configuration: nothing new arrives. */
  'sources',
  /** Everything received is written. */
  'recordings',
  'review',
  /** Everything recorded is in the index: other instances can record. */
  'leases',
  /** Users, audit log and registry, after the last request. */
  'records',
  /** Database and object storage. */
  'storage',
] as const

export type Phase = (typeof phases)[number]

/** What has been opened. Each part is registered as soon as it exists. */
export interface Opened {
  /** Registers how a part is stopped. */
  onStop(phase: Phase, stop: () => unknown): void
}

/** The order in which everything stops, also after a startup that fails. */
export interface Shutdown extends Opened {
  /**
   * Stops each part once: those of a phase at the same time, beginning with the last one.
   *
   * @param failed called with the error of a part; the others are stopped nevertheless
   */
  stop(failed: (error: unknown, phase: Phase) => void): Promise<void>
}

export function createShutdown(): Shutdown {
  const parts = new Map<Phase, (() => unknown)[]>()
  let stopping: Promise<void> | undefined

  async function stopAll(failed: (error: unknown, phase: Phase) => void): Promise<void> {
    for (const phase of phases) {
      const stops = parts.get(phase)?.toReversed() ?? []
      await Promise.all(stops.map(async (stop) => stop()).map((each) => each.catch((error) => failed(error, phase))))
    }
  }
  return {
    onStop: (phase, stop) => void parts.set(phase, [...(parts.get(phase) ?? []), stop]),
    stop: (failed) => (stopping ??= stopAll(failed)),
  }
}
