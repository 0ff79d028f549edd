import type { CameraKey } from '../shared/camera/camera-keys.ts'
import { sql, type RawBuilder, type Transaction } from 'kysely'
import type { AuditEntry } from '../shared/audit/audit.ts'
import { instanceJobs, type Instance, type InstanceJob } from '../shared/cluster/instances.ts'
import type { Message, Store } from '../store/store.ts'
import type { CameraLeaseTable, InstanceTable, Tables } from '../store/tables.ts'
import { leaseTimes, type ClusterView, type Lease } from './lease.ts'
import { stateOf } from './instance-state.ts'
import { day } from '../shared/time/durations.ts'

/** What an instance reports about itself. */
export interface ReportedInstance extends Pick<
  Instance,
  'id' | 'name' | 'address' | 'jobs' | 'labels' | 'capacity' | 'version' | 'volume'
> {
  readonly load: InstanceLoad
  /** New at every start: two machines with the same id are told apart. */
  readonly run: string
}

/** A run that reports, or did, as an instance or with a volume. */
export interface ReportingRun {
  readonly id: string
  readonly name: string
  /** null: of an earlier version. */
  readonly run: string | null
  /** Its last report, and the time of the read. Unix milliseconds of the database's clock. */
  readonly seenAt: number
  readonly now: number
  readonly isStopped: boolean
}

/** Figures of an instance, to show. */
export interface InstanceLoad {
  /** Of all processors, percent. */
  readonly cpu_percent: number | null
  /** Bytes of memory that the service uses. */
  readonly memory_bytes: number
  /** Bytes that are free on the disk with the recordings; null: unknown. */
  readonly disk_free_bytes: number | null
  /** Size of that disk in bytes; null: unknown. */
  readonly disk_total_bytes: number | null
  /** The same for the folders of one disk; null: unknown. */
  readonly disk_id: string | null
  /** Bytes of the recordings on that disk; null: not counted yet. */
  readonly recordings_bytes: number | null
  /** Bytes of its recordings in the object storage; null: not counted yet. */
  readonly objects_bytes: number | null
  /** Seconds by which its clock is ahead of the database's; null: they agree. */
  readonly clock_ahead_seconds: number | null
  /** Of its inner server; null: unknown. */
  readonly protocol: number | null
  /** Whether it can't use the newest configuration, and keeps an earlier one; null: unknown. */
  readonly config_outdated: boolean | null
}

/** A lease that an instance renews, and the epoch that it has. */
export type HeldLease = readonly [camera: CameraKey, epoch: number]

export type UnrenewedLease = Pick<Lease, 'camera' | 'epoch' | 'validUntil'>

export interface Heartbeat {
  readonly view: ClusterView
  /** Figures by instance. */
  readonly loads: ReadonlyMap<string, InstanceLoad>
  /** Cameras whose lease was renewed; the others have another owner. */
  readonly renewed: readonly CameraKey[]
  /** Whether another run reports as this instance. Then nothing was renewed, and the view doesn't contain the instance. */
  readonly isReplaced: boolean
}

/** Instances and leases in the database they share. All times are of the database's clock. */
export interface ClusterStore {
  /**
   * Reports this instance, renews its leases, and reads all instances and leases: one statement.
   *
   * @param first of the first heartbeat of a run: the run that it replaces; null: none that is known
   */
  heartbeat(
    self: ReportedInstance,
    first: { readonly replaces: string | null } | undefined,
    held: readonly HeldLease[],
  ): Promise<Heartbeat>
  /** The last run of an instance, and those of others with its volume. */
  runsOf(instance: string, volume: string): Promise<ReportingRun[]>
  /** Tells the others that an instance has started. */
  announce(): Promise<void>
  /**
   * Takes the cameras that no other instance has a valid lease for.
   *
   * @param unrenewed leases that are taken if they are still the same, even if they are valid by the database's clock
   * @returns their epochs
   */
  take(
    instance: string,
    cameras: readonly CameraKey[],
    unrenewed?: readonly UnrenewedLease[],
  ): Promise<ReadonlyMap<CameraKey, number>>
  /** Ends leases, so that another instance takes the cameras at once. */
  release(instance: string, held: readonly HeldLease[]): Promise<void>
  /** Ends all leases of an instance that is about to stop, unless another run of it reports. */
  stop(self: Pick<ReportedInstance, 'id' | 'run'>): Promise<void>
  /** Moves a camera to an instance; null: to whichever suits. */
  request(camera: CameraKey, instance: string | null, entry: AuditEntry): Promise<void>
  /** @returns whether the instance exists */
  drain(instance: string, isDrained: boolean, entry: AuditEntry): Promise<boolean>
  /** Deletes instances that have been unavailable for long, and the positions of their audit outputs. */
  forget(): Promise<void>
}

/** Announced when a camera may have become free or must move: every instance reads again. */
export const clusterNews = { kind: 'cluster' } satisfies Message

export const isClusterNews = (message: Message): boolean =>
  typeof message === 'object' && message !== null && 'kind' in message && message.kind === clusterNews.kind

const now: RawBuilder<number> = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** Milliseconds after which an instance that is unavailable is forgotten: 30 days. */
const forgotten = 30 * day

export function clusterStore(store: Store): ClusterStore {
  const { db } = store
  const announced = (work: (within: Transaction<Tables>) => Promise<unknown>): Promise<void> =>
    store.transaction(async (within) => {
      await work(within)
      await store.changes.announce(clusterNews, within)
    })

  return {
    heartbeat: async (self, first, held) => heartbeatFrom(await heartbeat(self, first, held).execute(db), self.id),

    async runsOf(instance, volume) {
      const rows = await db
        .selectFrom('instance')
        .select(['id', 'name', 'run', 'seen_at as seenAt', 'stopped_at', now.as('now')])
        .where(({ eb, or }) => or([eb('id', '=', instance), eb('volume', '=', volume)]))
        .execute()
      return rows.map(({ stopped_at, ...row }) => ({ ...row, isStopped: stopped_at !== null }))
    },

    announce: () => announced(() => Promise.resolve()),

    async take(instance, cameras, unrenewed = []) {
      const rows: { camera: CameraKey; epoch: number }[] = []
      await announced(async (within) => {
        rows.splice(0, Infinity, ...(await taking(instance, cameras, unrenewed).execute(within)).rows)
      })
      return new Map(rows.map(({ camera, epoch }) => [camera, epoch]))
    },

    release: (instance, held) =>
      announced((within) =>
        sql`
          update camera_lease set instance = null, valid_until = 0
          from ${leasesOf(held)} where camera_lease.camera = own.camera and camera_lease.epoch = own.epoch
            and camera_lease.instance = ${instance}`.execute(within),
      ),

    stop: ({ id, run }) =>
      announced(async (within) => {
        const own = within.selectFrom('instance').select('id').where('id', '=', id).where('run', '=', run)
        const free = { instance: null, valid_until: 0 }
        await within.updateTable('camera_lease').set(free).where('instance', 'in', own).execute()
        await within.updateTable('instance').set({ stopped_at: now }).where('id', 'in', own).execute()
      }),

    request: (camera, instance, entry) =>
      announced(async (within) => {
        await within
          .insertInto('camera_lease')
          .values({ camera, instance: null, epoch: 0, valid_until: 0, since: now, requested: instance })
          .onConflict((conflict) => conflict.column('camera').doUpdateSet({ requested: instance }))
          .execute()
        await store.audit.insert(entry, within)
      }),

    async drain(instance, isDrained, entry) {
      let exists = false
      await announced(async (within) => {
        const { numUpdatedRows } = await within
          .updateTable('instance')
          .set({ drained_at: isDrained ? sql<number>`coalesce(drained_at, ${now})` : null })
          .where('id', '=', instance)
          .executeTakeFirst()
        exists = numUpdatedRows > 0n
        if (exists) await store.audit.insert(entry, within)
      })
      return exists
    },

    async forget() {
      await db
        .deleteFrom('instance')
        .where('seen_at', '<', sql<number>`${now} - ${sql.lit(forgotten)}`)
        .execute()
      await forgetOutputs(db)
    },
  }
}

/** Deletes how far the outputs of deleted instances are, if none of their audit entries waits to be written (AUD-7). */
const forgetOutputs = async (db: Store['db']): Promise<void> =>
  void (await db
    .deleteFrom('audit_output as output')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('instance').select('id').whereRef('instance.id', '=', 'output.instance'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('audit')
            .select('audit.id')
            .whereRef('audit.instance', '=', 'output.instance')
            .whereRef('audit.sequence', '>', 'output.position'),
        ),
      ),
    )
    .execute())

/** Leases as a table `own (camera, epoch)`. */
const leasesOf = (held: readonly HeldLease[]) =>
  sql`unnest(${held.map(([camera]) => camera)}::text[], ${held.map(([, epoch]) => epoch)}::bigint[]) as own (camera, epoch)`

const rowsOf = (leases: readonly UnrenewedLease[]) => sql`unnest(
  ${leases.map(({ camera }) => camera)}::text[],
  ${leases.map(({ epoch }) => epoch)}::bigint[],
  ${leases.map(({ validUntil }) => validUntil)}::bigint[]
)`

interface HeartbeatRow {
  readonly now: number
  readonly self: InstanceTable | null
  readonly instances: readonly InstanceTable[]
  readonly leases: readonly CameraLeaseTable[]
  readonly renewed: readonly CameraKey[]
}

/**
 * Rows are locked in the order of cameras, like those that an index write locks, so that neither waits for the other. A
 * lease with another epoch was taken by someone; an expired one that no one took is still this instance's. If another run
 * reports as this instance, nothing is written.
 */
const heartbeat = (
  self: ReportedInstance,
  first: { readonly replaces: string | null } | undefined,
  held: readonly HeldLease[],
) => sql<HeartbeatRow>`
  with clock as materialized (select ${now} as now),
  reported as (
    insert into instance (id, name, started_at, seen_at, roles, address, jobs, labels, version, volume, load, capacity,
      run)
    select ${self.id}::text, ${self.name}::text, clock.now, clock.now, '[]', ${self.address}::text,
      ${JSON.stringify(self.jobs)}::text, ${JSON.stringify(self.labels)}::text, ${self.version}::text,
      ${self.volume}::text, ${JSON.stringify(self.load)}::text, ${self.capacity}::integer,
      ${self.run}::text
    from clock
    on conflict (id) do update set
      started_at = case when ${first !== undefined}::boolean then excluded.started_at else instance.started_at end,
      name = excluded.name, seen_at = excluded.seen_at, address = excluded.address, jobs = excluded.jobs,
      labels = excluded.labels, version = excluded.version, volume = excluded.volume, load = excluded.load,
      capacity = excluded.capacity, stopped_at = null, run = excluded.run
    where instance.run = excluded.run or instance.run is not distinct from ${first ? first.replaces : self.run}::text
      or instance.stopped_at is not null or instance.seen_at <= excluded.seen_at - ${sql.lit(leaseTimes.valid)}
    returning *
  ),
  locked as (
    select lease.camera, lease.epoch from camera_lease lease
    join ${leasesOf(held)} on lease.camera = own.camera and lease.epoch = own.epoch
    join reported on reported.id = lease.instance
    where lease.instance = ${self.id} order by lease.camera for update of lease
  ),
  renewed as (
    update camera_lease lease set valid_until = clock.now + ${sql.lit(leaseTimes.valid)} from clock, locked
    where lease.camera = locked.camera and lease.epoch = locked.epoch and lease.instance = ${self.id}
    returning lease.camera
  )
  select clock.now as now,
    (select to_json(reported) from reported) as self,
    (select coalesce(json_agg(instance), '[]') from instance where jobs is not null) as instances,
    (select coalesce(json_agg(camera_lease), '[]') from camera_lease) as leases,
    (select coalesce(json_agg(camera), '[]') from renewed) as renewed
  from clock`

/**
 * A camera without a lease, as after a restore, continues with an epoch after the one of its newest recording, so that
 * what it records is newer than that.
 */
const taking = (instance: string, cameras: readonly CameraKey[], unrenewed: readonly UnrenewedLease[]) => sql<{
  camera: CameraKey
  epoch: number
}>`
  with clock as materialized (select ${now} as now)
  insert into camera_lease as lease (camera, instance, epoch, valid_until, since)
  select free.camera, ${instance}::text, 1 + coalesce(newest.epoch, 0), clock.now + ${sql.lit(leaseTimes.valid)}, clock.now
  from clock, unnest(${cameras}::text[]) as free (camera)
  left join camera_lease known on known.camera = free.camera
  left join lateral (
    select epoch from recording where known.camera is null and recording.camera = free.camera order by start desc limit 1
  ) newest on true
  order by free.camera
  on conflict (camera) do update set instance = excluded.instance, epoch = lease.epoch + 1,
    valid_until = excluded.valid_until, since = excluded.since
  where lease.instance is null or lease.valid_until <= excluded.since or lease.instance = excluded.instance
    or (lease.camera, lease.epoch, lease.valid_until) in (select * from ${rowsOf(unrenewed)})
  returning lease.camera, lease.epoch`

function heartbeatFrom({ rows: [row] }: { readonly rows: readonly HeartbeatRow[] }, self: string): Heartbeat {
  if (!row) throw new Error('a heartbeat has one row')
  const { renewed } = row
  // Rows are shown as they were before the statement.
  const instances = [...row.instances.filter(({ id }) => id !== self), ...(row.self ? [row.self] : [])]
  const renewedUntil = row.now + leaseTimes.valid
  const leases = row.leases.map((lease) => leaseFrom(lease, renewed.includes(lease.camera) ? renewedUntil : undefined))
  const byCamera = new Map(leases.map((lease) => [lease.camera, lease]))
  return {
    view: {
      now: row.now,
      instances: instances
        .map((each) => instanceFrom(each, row.now, leases))
        .toSorted((one, other) => one.name.localeCompare(other.name) || (one.id < other.id ? -1 : 1)),
      leases: byCamera,
    },
    loads: new Map(instances.flatMap(({ id, load }) => (load ? [[id, loadFrom(load)]] : []))),
    renewed,
    isReplaced: row.self === null,
  }
}

const leaseFrom = ({ valid_until: validUntil, ...row }: CameraLeaseTable, renewedUntil: number | undefined): Lease => ({
  ...row,
  validUntil: renewedUntil ?? validUntil,
})

/** An earlier version reports fewer figures, a newer one others. */
function loadFrom(text: string): InstanceLoad {
  const load = JSON.parse(text) as Partial<InstanceLoad>
  const known = (name: Exclude<keyof InstanceLoad, 'disk_id' | 'config_outdated'>) => load[name] ?? null
  return {
    cpu_percent: known('cpu_percent'),
    memory_bytes: load.memory_bytes ?? 0,
    disk_free_bytes: known('disk_free_bytes'),
    disk_total_bytes: known('disk_total_bytes'),
    disk_id: load.disk_id ?? null,
    recordings_bytes: known('recordings_bytes'),
    objects_bytes: known('objects_bytes'),
    clock_ahead_seconds: known('clock_ahead_seconds'),
    protocol: known('protocol'),
    config_outdated: load.config_outdated ?? null,
  }
}

const isJob = (job: string): job is InstanceJob => instanceJobs.some((each) => each === job)

const instanceFrom = (row: InstanceTable, at: number, leases: readonly Lease[]): Instance => ({
  id: row.id,
  name: row.name,
  address: row.address,
  // Written by an instance, which wrote valid JSON. One of a newer version can have other jobs, too.
  jobs: (JSON.parse(row.jobs ?? '[]') as string[]).filter(isJob),
  labels: JSON.parse(row.labels ?? '[]') as string[],
  capacity: row.capacity,
  version: row.version ?? '',
  volume: row.volume ?? '',
  startedAt: row.started_at,
  seenAt: row.seen_at,
  drainedAt: row.drained_at,
  state: stateOf(row, at, leases),
})
