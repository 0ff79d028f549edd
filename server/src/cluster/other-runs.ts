import { StartError } from '../shared/errors.ts'
import type { Runtime } from '../shared/runtime.ts'
import type { ClusterStore, ReportedInstance, ReportingRun } from './cluster-store.sql.ts'
import { leaseTimes } from './lease.ts'

export interface OtherRunsDeps extends Runtime {
  readonly store: Pick<ClusterStore, 'runsOf'>
  /** Id of this instance. */
  readonly instance: string
  /** Id of the volume on its disk. */
  readonly volume: string
}

/** Milliseconds. `longest`: what a killed run had sent can still be committed, so its row can change once more. */
const times = { betweenReads: 250, longest: 2 * leaseTimes.valid }

/**
 * Waits until no other run reports as this instance or with its volume. One that was killed counts for as long as a lease
 * is valid. One that goes on is on a machine with copied files: the two would take each other's cameras, and each would
 * remove from the index what only the other one has on its disk.
 *
 * @returns the last run of this instance, which this one replaces; null: none that is known
 * @throws StartError if one goes on
 */
export async function awaitOtherRuns({ store, instance, volume, clock, log }: OtherRunsDeps): Promise<string | null> {
  const began = clock.elapsed()
  const reports = new Map<string, { readonly seenAt: number; readonly since: number }>()
  /** By the own clock, too: after a failover, that of the database can be behind. */
  const isReporting = ({ id, seenAt, isStopped, now }: ReportingRun): boolean => {
    const before = reports.get(id)
    const report = before?.seenAt === seenAt ? before : { seenAt, since: clock.elapsed() }
    reports.set(id, report)
    return !isStopped && now - seenAt < leaseTimes.valid && clock.elapsed() - report.since < leaseTimes.valid
  }
  for (let isFirst = true; ; isFirst = false) {
    const runs = await store.runsOf(instance, volume)
    const [other] = runs.filter(isReporting)
    if (!other) return runs.find(({ id }) => id === instance)?.run ?? null
    if (clock.elapsed() - began >= times.longest)
      throw other.id === instance ? new SameInstance(other.name) : sameVolume(other.name)
    if (isFirst) log.info({ instance: other.id, name: other.name }, 'waiting for the end of an earlier run')
    await clock.sleep(times.betweenReads)
  }
}

/**
 * Looks once more when this instance has reported, before it takes cameras: of two that start at the same time with one
 * volume, at least one sees the other.
 *
 * @throws StartError if another instance reports with the volume; this one then counts as stopped
 */
export async function refuseSameVolume(
  store: Pick<ClusterStore, 'runsOf' | 'stop'>,
  self: Pick<ReportedInstance, 'id' | 'run' | 'volume'>,
): Promise<void> {
  const runs = await store.runsOf(self.id, self.volume)
  const other = runs.find((run) => run.id !== self.id && reportsNow(run))
  if (!other) return
  await store.stop(self)
  throw sameVolume(other.name)
}

/** A report later than now is of a run that ended before the database's clock was set back. */
const reportsNow = ({ seenAt, isStopped, now }: ReportingRun): boolean =>
  !isStopped && seenAt <= now && now - seenAt < leaseTimes.valid

/** Another start helps once the other run has ended, so a supervisor repeats it. */
const startsLater = { status: 1 } as const

/** Another run reports as this instance, which has no cameras until that one has ended. */
export class SameInstance extends StartError {
  constructor(name: string) {
    super(
      `An instance with the id of this one is running (${name}): the file .instance next to config.yml was copied. Delete it on one of the two machines. If the media folder was copied too, start with an empty one (MEDIA_DIR).`,
      startsLater,
    )
  }
}

const sameVolume = (name: string): StartError =>
  new StartError(
    `Another instance (${name}) is running with the recordings of this one: the media folder, with recordings/.library, is a copy or the same one. Start with an empty one (MEDIA_DIR).`,
    startsLater,
  )
