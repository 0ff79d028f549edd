import type { Instances } from '../../shared/cluster/instances.ts'
import type { Store } from '../../store/store.ts'
import { volumesIn } from '../../shared/storage/volumes-in.sql.ts'

/**
 * Volumes that the index names and no instance has: the disk is lost, or its instance was removed. They are known from the
 * last read of the index, and which instances run from memory.
 */
export interface UnownedVolumes {
  /** Whether other instances can have volumes, also one that is away for long; false with SQLite. */
  readonly hasInstances: boolean
  /** Those that no instance has that ran in the last hour: one that is only restarting keeps what it has. */
  lasting(): readonly string[]
  /** Reads the index again. */
  read(): Promise<void>
}

/** Milliseconds for which an instance that is away is waited for. */
const grace = 60 * 60_000

/**
 * @param own id of the volume of this instance
 * @param instances undefined with SQLite: no other instance has a volume
 */
export async function openUnownedVolumes(
  store: Pick<Store, 'db'>,
  own: string,
  instances: Pick<Instances, 'self' | 'all' | 'find'> | undefined,
): Promise<UnownedVolumes> {
  let others: readonly string[] = []
  const lasting = (): readonly string[] => {
    if (!instances) return others
    const self = instances.find(instances.self)
    // Before the first report, no instance is known.
    if (!self) return []
    // `seenAt` is of the database's clock.
    const owned = instances.all().filter(({ state, seenAt }) => state !== 'away' || seenAt > self.seenAt - grace)
    return others.filter((volume) => !owned.some((each) => each.volume === volume))
  }
  const volumes: UnownedVolumes = {
    hasInstances: instances !== undefined,
    lasting,
    async read() {
      others = (await volumesIn(store.db, 'recording')).filter((volume) => volume !== own)
    },
  }
  await volumes.read()
  return volumes
}
