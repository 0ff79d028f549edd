import { cpus } from 'node:os'
import pLimit from 'p-limit'
import { everyCamera, noCamera, type CameraLeases } from '../shared/cluster/camera-leases.ts'
import { innerProtocol } from '../shared/cluster/protocol.ts'
import type { Instance, Instances } from '../shared/cluster/instances.ts'
import type { DiskSpace } from '../shared/storage/disk-space.ts'
import type { Runtime } from '../shared/runtime.ts'
import type { Changes } from '../store/store.ts'
import {
  isClusterNews,
  type ClusterStore,
  type Heartbeat,
  type InstanceLoad,
  type ReportedInstance,
} from './cluster-store.sql.ts'
import { createDirectory } from './directory.ts'
import { createHeartbeats } from './heartbeats.ts'
import { createLeases, type LeasesDeps } from './leases.ts'
import { leaseTimes, type ClusterView } from './lease.ts'
import { refuseSameVolume, SameInstance } from './other-runs.ts'
import { createProcessorUse } from './processor-use.ts'
import { markUnrenewed, noRowsSeen, untilUnrenewed } from './unrenewed.ts'
import { hour } from '../shared/time/durations.ts'
import type { CameraKey } from '../shared/camera/camera-keys.ts'

export interface ClusterDeps extends Runtime, Pick<LeasesDeps, 'toPull' | 'onDatabaseLoss'> {
  readonly store: ClusterStore
  readonly changes: Pick<Changes, 'subscribe'>
  readonly self: Omit<ReportedInstance, 'load'>
  /** The run of this instance before this one; null: none that is known. */
  readonly replaces: string | null
  /** The disk with the recordings; null: it doesn't respond. Its id is the same for every instance that uses it. */
  readonly disk: () => Promise<(DiskSpace & { readonly id: string | null }) | null>
  /** Whether this instance can't use the newest configuration, and keeps an earlier one. */
  readonly isConfigOutdated: () => boolean
}

/** The instances that share the database, and the cameras that this one pulls. */
export interface Cluster {
  readonly instances: Instances
  readonly leases: CameraLeases
  /** The last read of the database, for display; undefined before the first one. */
  view(): ClusterView | undefined
  loadOf(instance: string): InstanceLoad | undefined
  /** Sets what is awaited before a lease ends: once everything that was recorded of a camera is in the index. */
  onRelease(settled: (camera: CameraKey) => Promise<unknown>): void
  /** Sets how the bytes of this instance's recordings are read, which it reports. */
  onStorage(read: () => StorageLoad): void
  /** Reads the database again soon, because the cameras may have changed, and decides again without it. */
  changed(): void
  /** No camera is pulled here from now on; the leases are kept until {@link stop}. */
  leave(): void
  /** Hands over all cameras. */
  stop(): Promise<void>
}

/** Bytes of an instance's recordings. */
export type StorageLoad = Pick<InstanceLoad, 'recordings_bytes' | 'objects_bytes'>

/** Milliseconds. */
const times = { afterExpiry: 50, forget: hour, clockDifference: 10_000 }

/**
 * Reports this instance and renews its leases every two seconds, with one statement. Without an address it has no
 * leases: a recorder pulls every camera, whatever the other instances do.
 *
 * @throws StartError if another run reports as this instance or with its volume
 */
export async function openCluster(deps: ClusterDeps): Promise<Cluster> {
  const { store, changes, self, replaces, clock, log } = deps
  const serialized: LeasesDeps['serialized'] = pLimit(1)
  const directory = createDirectory(self.id, log)
  const leases = self.address === null ? undefined : createLeases({ ...deps, self: self.id, serialized })
  const warnings = [warnWithoutAddress(self, log), warnOfSameName(self, log)]
  const ownLoad = createOwnLoad(deps)
  const reads = createReads(clock)
  let stopped = false

  const beat = async (): Promise<void> => {
    const load = await ownLoad.read()
    await serialized(async () => {
      if (stopped) return
      const sentAt = clock.elapsed()
      const first = reads.view() ? undefined : { replaces }
      const heartbeat = await store.heartbeat({ ...self, load }, first, leases?.held() ?? [])
      if (first) await refuseSameVolume(store, self)
      const view = reads.took(heartbeat, sentAt)
      directory.set(view.instances)
      leases?.heartbeat({ ...heartbeat, view }, sentAt)
      ownLoad.compareClocks(view.now)
      if (heartbeat.isReplaced) throw new SameInstance(self.name)
    })
    for (const warnOf of warnings) warnOf(directory.all())
  }
  const untilNext = () => (leases ? reads.untilNext(self.id) : leaseTimes.renew)
  const heartbeats = createHeartbeats({ beat, untilNext, clock, log })

  await heartbeats.start()
  const unsubscribe = changes.subscribe((change) => {
    if (change === 'resync' || isClusterNews(change.message)) heartbeats.soon()
  })
  const stopForgetting = clock.every(times.forget, () => void store.forget().catch(() => undefined))
  await store.announce().catch((err: unknown) => log.warn({ err }, 'failed to announce instance'))

  return {
    instances: directory,
    leases: leases ?? (self.jobs.includes('recorder') ? everyCamera(self.id) : noCamera),
    view: () => leases?.view() ?? reads.view(),
    loadOf: (instance) => reads.loads().get(instance),
    onRelease: (settled) => leases?.onRelease(settled),
    onStorage: ownLoad.onStorage,
    changed() {
      leases?.changed()
      heartbeats.now()
    },
    leave: () => leases?.leave(),
    async stop() {
      if (stopped) return
      leases?.leave()
      stopped = true
      heartbeats.stop()
      stopForgetting()
      unsubscribe()
      leases?.stop()
      await serialized(() => store.stop(self)).catch((err: unknown) => log.warn({ err }, 'failed to hand over cameras'))
    },
  }
}

const notCounted = (): StorageLoad => ({ recordings_bytes: null, objects_bytes: null })

/** The figures that this instance reports. */
function createOwnLoad({
  disk,
  isConfigOutdated,
  clock,
  log,
}: Pick<ClusterDeps, 'disk' | 'isConfigOutdated' | 'clock' | 'log'>) {
  const processorUse = createProcessorUse(cpus)
  const clocks = compareClocks({ clock, log })
  let storage = notCounted
  return {
    compareClocks: clocks.compare,
    onStorage(read: () => StorageLoad): void {
      storage = read
    },
    async read(): Promise<InstanceLoad> {
      const space = await disk()
      return {
        cpu_percent: processorUse(),
        memory_bytes: process.memoryUsage.rss(),
        disk_free_bytes: space?.free ?? null,
        disk_total_bytes: space?.total ?? null,
        disk_id: space?.id ?? null,
        ...storage(),
        clock_ahead_seconds: clocks.ahead(),
        protocol: innerProtocol,
        config_outdated: isConfigOutdated(),
      }
    },
  }
}

/** What the heartbeats read, with the rows that no one renews. */
function createReads(clock: Runtime['clock']) {
  let seen = noRowsSeen
  let last: ClusterView | undefined
  let loads: Heartbeat['loads'] = new Map()
  return {
    /** The last read; undefined before the first one. */
    view: () => last,
    loads: () => loads,
    took({ view, loads: read }: Heartbeat, sentAt: number): ClusterView {
      loads = read
      const marked = markUnrenewed(seen, { view, sentAt, receivedAt: clock.elapsed() })
      seen = marked.seen
      last = marked.view
      return last
    },
    /** Milliseconds until the next heartbeat: earlier if a lease of another instance ends before. */
    untilNext: (self: string): number =>
      Math.min(
        leaseTimes.renew,
        untilUnrenewed(seen, clock.elapsed()) + times.afterExpiry,
        ...(last ? untilOthersEnd(last, self) : []),
      ),
  }
}

/** Milliseconds until each lease of another instance ends. */
const untilOthersEnd = ({ now, leases }: ClusterView, self: string): number[] =>
  [...leases.values()]
    .filter(({ instance, validUntil }) => instance !== null && instance !== self && validUntil > now)
    .map(({ validUntil }) => validUntil - now + times.afterExpiry)

/**
 * Notices if the clock of this machine differs from that of the database: the next report says it, and the log once, until
 * they agree again. Leases don't depend on it, but tickets do: another instance refuses them.
 */
function compareClocks({ clock, log }: Runtime) {
  let ahead: InstanceLoad['clock_ahead_seconds'] = null
  return {
    ahead: () => ahead,
    compare(databaseTime: number): void {
      const difference = clock.now() - databaseTime
      const before = ahead
      ahead = Math.abs(difference) > times.clockDifference ? Math.round(difference / 1000) : null
      if (ahead !== null && before === null)
        log.warn({ ahead_seconds: ahead }, 'clock differs from that of the database')
      if (ahead === null && before !== null) log.info({}, 'clock agrees with that of the database')
    },
  }
}

/** Warns once if instances share the database, but not the cameras. */
function warnWithoutAddress({ id, address, jobs }: Pick<Instance, 'id' | 'address' | 'jobs'>, log: Runtime['log']) {
  let warned = false
  return (all: readonly Instance[]): void => {
    const others = all.filter((each) => each.id !== id && each.state !== 'away')
    if (warned || address !== null || others.length === 0) return
    warned = true
    const fields = {
      instances: others.map(({ name }) => name),
      hint: 'set node.address on each to share the cameras',
    }
    if (jobs.includes('recorder'))
      log.warn(fields, 'several instances share the database, and this one pulls every camera')
    else log.warn(fields, 'several instances share the database, and this one shows no camera')
  }
}

/** Warns once of each instance that has the name of this one: the log and the UI name instances, and would mean either. */
function warnOfSameName({ id, name }: Pick<Instance, 'id' | 'name'>, log: Runtime['log']) {
  const known = new Set<string>()
  return (all: readonly Instance[]): void => {
    for (const other of all) {
      if (other.id === id || other.name !== name || other.state === 'away' || known.has(other.id)) continue
      known.add(other.id)
      const hint =
        "give each instance its own node.name; if this one replaces the other, you don't have to do anything as long as you keep its configuration folder"
      const fields = { instance: other.id, name, address: other.address, hint }
      log.warn(fields, 'another instance has the same name')
    }
  }
}
