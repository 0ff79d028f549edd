import type { CamerasConfig } from '../cameras/cameras.config.ts'
import { openCluster, type ClusterDeps } from '../cluster/cluster.ts'
import { noOthers } from '../cluster/directory.ts'
import type { CameraToPull } from '../cluster/lease.ts'
import { nameOfNode, type NodeConfig } from '../cluster/node.config.ts'
import type { CameraKeys } from '../shared/camera/camera-keys.ts'
import { everyCamera } from '../shared/cluster/camera-leases.ts'
import { version } from '../shared/package.ts'
import type { Random } from '../shared/random.ts'
import { newId } from '../shared/random-id.ts'
import type { Runtime } from '../shared/runtime.ts'
import type { Store } from '../store/store.ts'
import { createDiskReport } from '../system/disk.ts'
import type { Opened } from './lifecycle.ts'

export interface InstancesDeps {
  /** Id of this instance. */
  readonly instance: string
  /** The run of this instance before this one; null: none that is known. */
  readonly replaces: string | null
  /** The volume on its disk. */
  readonly volume: { readonly id: string }
  readonly store: Store
  readonly clusterRows: ClusterDeps['store']
  readonly mediaDir: string
  readonly random: Random
  readonly registry: Pick<CameraKeys, 'keyOf'>
  readonly runtime: (logger: string) => Runtime
  readonly started: { readonly node: NodeConfig }
  readonly configStore: { isOutdated(): boolean }
  readonly config: () => { readonly node: NodeConfig; readonly cameras: CamerasConfig }
}

/** The instances that share the database and the cameras. With SQLite there are no others. */
export async function openInstances(deps: InstancesDeps, opened: Opened) {
  const { instance, store, config, registry } = deps
  const toPull = (): CameraToPull[] =>
    [...config().cameras].flatMap(([name, { enabled, labels }]) =>
      enabled ? [{ camera: registry.keyOf(name), labels }] : [],
    )
  const cluster = store.engine === 'postgres' ? await openCluster(clusterDeps(deps, toPull)) : undefined
  if (cluster) {
    opened.add('pulling', { stop: cluster.leave })
    opened.add('cluster', cluster)
  }
  return {
    cluster,
    toPull,
    instances: cluster?.instances ?? noOthers(instance),
    leases: cluster?.leases ?? everyCamera(instance),
    /** Epoch of this instance's lease of a camera, by key; undefined: cameras have no leases. */
    epochOf: cluster && deps.started.node.address !== null ? cluster.leases.ownEpoch : undefined,
  }
}

function clusterDeps(
  {
    instance,
    replaces,
    volume,
    store,
    clusterRows,
    mediaDir,
    random,
    started: { node },
    configStore,
    config,
    runtime,
  }: InstancesDeps,
  toPull: ClusterDeps['toPull'],
): ClusterDeps {
  const { address, jobs, labels, capacity } = node
  return {
    store: clusterRows,
    changes: store.changes,
    self: {
      id: instance,
      run: newId(random),
      name: nameOfNode(node),
      address,
      jobs,
      labels,
      capacity,
      version,
      volume: volume.id,
    },
    replaces,
    disk: createDiskReport(mediaDir),
    isConfigOutdated: configStore.isOutdated,
    toPull,
    onDatabaseLoss: () => config().node.on_database_loss,
    ...runtime('service.instances'),
  }
}
