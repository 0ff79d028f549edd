import { Type, type Static } from 'typebox'
import { inScope, type CameraScope } from '../access/grant.ts'
import { aboutPathCamera } from '../access/rule.ts'
import { auditEntry } from '../http/caller.ts'
import { route, type Route } from '../http/route.ts'
import type { CameraKeys } from '../shared/camera/camera-keys.ts'
import { ServiceError } from '../shared/errors.ts'
import { instanceJobs, type Instance } from '../shared/cluster/instances.ts'
import { innerProtocol } from '../shared/cluster/protocol.ts'
import type { Cluster } from './cluster.ts'
import type { ClusterStore } from './cluster-store.sql.ts'
import { isValid, type CameraToPull, type Lease } from './lease.ts'
import { hasLabels } from './placement.ts'
import type { ClusterReasons } from './reasons.ts'
import { Timestamp, timestampOf } from '../shared/http/timestamp.ts'
import { nullable } from '../shared/nullable.ts'
import { CameraPath } from '../shared/camera/camera-path.ts'

const InstanceResponse = Type.Object({
  id: Type.String(),
  name: Type.String(),
  current: Type.Boolean({ description: 'Whether this instance sent the response.' }),
  address: nullable(Type.String()),
  jobs: Type.Array(Type.Enum([...instanceJobs])),
  labels: Type.Array(Type.String()),
  capacity: nullable(Type.Integer({ description: 'Maximum number of cameras that it pulls; null: no limit.' })),
  cameras: Type.Array(Type.String(), { description: 'The cameras that it pulls now.' }),
  requested: Type.Array(Type.String(), { description: 'The cameras that an admin moved to it.' }),
  load: nullable(
    Type.Object({
      cpu_percent: nullable(
        Type.Number({
          description: 'CPU usage of the machine over the last 30 seconds, percent. 100: all cores.',
        }),
      ),
      memory_bytes: Type.Integer(),
      disk_free_bytes: nullable(Type.Integer({ description: 'Free space on the disk with its recordings.' })),
      disk_total_bytes: nullable(Type.Integer({ description: 'Size of the disk with its recordings.' })),
      disk_id: nullable(
        Type.String({
          description: 'The same for instances whose recordings are on the same disk; null if not known.',
        }),
      ),
      recordings_bytes: nullable(
        Type.Integer({ description: 'Size of the recordings on its disk; null until they are counted after a start.' }),
      ),
      objects_bytes: nullable(
        Type.Integer({
          description: 'Size of its recordings in the object storage; null until they are counted after a start.',
        }),
      ),
    }),
    'As last reported; null: nothing was reported.',
  ),
  clock_ahead_seconds: nullable(
    Type.Integer({
      description:
        'How far its clock is ahead of that of the database, negative if it is behind; null if they differ by at most ten seconds.',
    }),
  ),
  version: Type.String(),
  other_protocol: Type.Boolean({
    description:
      'Whether its version uses another protocol between instances than the one that sent the response, so that neither gets video from the other.',
  }),
  unreachable: Type.Boolean({
    description:
      'Whether the instance that sent the response can’t reach it at its address, so that its cameras and recordings aren’t available there. False if it has no address, or is `away`.',
  }),
  config_outdated: Type.Boolean({
    description:
      'Whether it can’t use the newest configuration, and keeps an earlier one. Its log has the problems. False if it’s `away`.',
  }),
  started_at: Timestamp,
  last_seen_at: Timestamp,
  drained_at: nullable(Timestamp),
  state: Type.Enum(['running', 'draining', 'drained', 'away'], {
    description:
      '`draining`: it hands over its cameras one by one. `drained`: it has none, and gets none. `away`: it was stopped, or cannot reach the database.',
  }),
})
export type InstanceResponse = Static<typeof InstanceResponse>

const InstancePath = Type.Object({ id: Type.String() })
const CameraMove = Type.Object(
  { instance: nullable(Type.String({ description: 'Id of the instance; null: chosen automatically.' })) },
  { additionalProperties: false },
)
export type CameraMove = Static<typeof CameraMove>

export interface InstanceRoutesDeps {
  /** undefined if the database isn't shared. */
  readonly cluster: Cluster | undefined
  readonly store: Pick<ClusterStore, 'drain' | 'request'>
  readonly keys: CameraKeys
  readonly cameraExists: (name: string) => boolean
  readonly toPull: () => readonly CameraToPull[]
  /** Whether this instance tries to reach another one, and can't. */
  readonly isUnreachable: (instance: string) => boolean
}

/** The instances that share the database, and where their cameras are pulled. */
export function instanceRoutes(deps: InstanceRoutesDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/instances',
      access: { service: 'system.read', about: 'no-camera' },
      schema: {
        summary:
          "List the instances that share the database, each with the caller's cameras that it pulls; empty if not shared.",
        response: { 200: Type.Array(InstanceResponse) },
      },
      handle: (_input, { scope }) => instanceResponses(deps, scope),
    }),
    drainRoute('POST', 'Drain an instance: it gets no camera, and hands over its cameras one by one.', deps),
    drainRoute('DELETE', 'End the draining of an instance: it gets cameras again.', deps),
    moveRoute(deps),
  ]
}

/** `POST` drains an instance, `DELETE` ends that. */
const drainRoute = (method: 'POST' | 'DELETE', summary: string, { cluster, store }: InstanceRoutesDeps): Route =>
  route({
    method,
    path: '/api/instances/:id/drain',
    access: { service: 'cameras.manage', about: 'all-cameras' },
    confirm: { never: 'it can be undone, and changes no access' },
    schema: { summary, params: InstancePath, otherResponses: { 204: null } },
    async handle({ params: { id } }, caller) {
      const isDrained = method === 'POST'
      const action = isDrained ? 'instance.drain' : 'instance.undrain'
      const target = instanceNamed(cluster, id).name
      if (!(await store.drain(id, isDrained, auditEntry(caller, action, target)))) throw noSuchInstance()
      cluster?.changed()
    },
  })

const moveRoute = ({ cluster, store, keys, cameraExists, toPull }: InstanceRoutesDeps): Route =>
  route({
    method: 'PUT',
    path: '/api/cameras/:camera/instance',
    access: { service: 'cameras.manage', about: aboutPathCamera },
    confirm: { never: 'it can be undone, and changes no access' },
    schema: {
      summary: 'Move a camera to an instance, or let the instances choose.',
      params: CameraPath,
      body: CameraMove,
      otherResponses: { 204: null },
    },
    async handle({ params: { camera }, body: { instance } }, caller) {
      if (!cameraExists(camera)) throw new ServiceError('not-found', { reason: 'no-such-camera' })
      const key = keys.keyOf(camera)
      const target = instance === null ? undefined : instanceNamed(cluster, instance)
      if (target) requireRecorder(target, toPull().find((each) => each.camera === key) ?? { camera: key, labels: [] })
      else if (!cluster) throw noSuchInstance()
      await store.request(key, instance, auditEntry(caller, 'camera.move', camera, target?.name ?? ''))
      cluster?.changed()
    },
  })

const noSuchInstance = () => new ServiceError<ClusterReasons>('not-found', { reason: 'no-such-instance' })

/** @throws ServiceError `not-found` */
function instanceNamed(cluster: Cluster | undefined, id: string): Instance {
  const found = cluster?.instances.find(id)
  if (!found) throw noSuchInstance()
  return found
}

/** @throws ServiceError `conflict` if the instance can't pull the camera */
function requireRecorder(instance: Instance, toPull: CameraToPull): void {
  const { name, address, jobs, drainedAt } = instance
  if (address === null || !jobs.includes('recorder') || drainedAt !== null)
    throw new ServiceError<ClusterReasons>('conflict', {
      reason: 'instance-gets-no-camera',
      values: { instance: name },
    })
  if (!hasLabels(instance, toPull))
    throw new ServiceError<ClusterReasons>('conflict', {
      reason: 'instance-without-labels',
      values: { instance: name, labels: toPull.labels.join(', ') },
    })
}

function loadOf(
  cluster: Cluster,
  { id, state }: Instance,
): Pick<InstanceResponse, 'load' | 'clock_ahead_seconds' | 'other_protocol' | 'config_outdated'> {
  const reported = cluster.loadOf(id)
  if (!reported) return { load: null, clock_ahead_seconds: null, other_protocol: false, config_outdated: false }
  const { clock_ahead_seconds, protocol, config_outdated, ...load } = reported
  return {
    load,
    clock_ahead_seconds,
    other_protocol: protocol !== null && protocol !== innerProtocol,
    config_outdated: state !== 'away' && (config_outdated ?? false),
  }
}

function instanceResponses(
  { cluster, keys, isUnreachable }: InstanceRoutesDeps,
  scope: CameraScope,
): InstanceResponse[] {
  const view = cluster?.view()
  if (!cluster || !view) return []
  const leases = [...view.leases.values()]
  const namesOf = (cameras: readonly Lease[]) =>
    cameras
      .map(({ camera }) => keys.nameOf(camera))
      .filter((name) => inScope(scope, name))
      .sort()
  return view.instances.map((each) => ({
    id: each.id,
    name: each.name,
    current: each.id === cluster.instances.self,
    address: each.address,
    jobs: [...each.jobs],
    labels: [...each.labels],
    capacity: each.capacity,
    cameras: namesOf(leases.filter((lease) => isValid(lease, view.now) && lease.instance === each.id)),
    requested: namesOf(leases.filter(({ requested }) => requested === each.id)),
    ...loadOf(cluster, each),
    unreachable: each.address !== null && each.state !== 'away' && isUnreachable(each.id),
    version: each.version,
    started_at: timestampOf(each.startedAt),
    last_seen_at: timestampOf(each.seenAt),
    drained_at: each.drainedAt === null ? null : timestampOf(each.drainedAt),
    state: each.state,
  }))
}
