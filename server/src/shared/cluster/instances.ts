/** What an instance does: serves users, pulls cameras. */
export const instanceJobs = ['gate', 'recorder'] as const
export type InstanceJob = (typeof instanceJobs)[number]

/** One of the services that share a PostgreSQL database. Times are Unix milliseconds of the database's clock. */
export interface Instance {
  /** Stable across restarts. */
  readonly id: string
  readonly name: string
  /** Address of its inner server, `https://host:port`; null: the others can't reach it. */
  readonly address: string | null
  readonly jobs: readonly InstanceJob[]
  readonly labels: readonly string[]
  /** Maximum number of cameras that it pulls; null: no limit. */
  readonly capacity: number | null
  readonly version: string
  /** Id of the volume on its disk. */
  readonly volume: string
  readonly startedAt: number
  readonly seenAt: number
  /** Since when it gets no more cameras; null: it does. */
  readonly drainedAt: number | null
  /** `away`: no report for longer than a lease is valid. */
  readonly state: 'running' | 'draining' | 'drained' | 'away'
}

/** The instances, from memory: at most a few seconds old. */
export interface Instances {
  /** Id of this instance. */
  readonly self: string
  /** Every known instance, this one included. */
  all(): readonly Instance[]
  find(id: string): Instance | undefined
  /** The instance that has a volume on its disk. */
  withVolume(volume: string): Instance | undefined
  /** Calls the listener when an instance appeared, changed or became unavailable. @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void
}
