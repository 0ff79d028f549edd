import type { Instances } from '../../shared/cluster/instances.ts'
import type { Store } from '../../store/store.ts'
import { volumesIn } from '../../shared/storage/volumes-in.sql.ts'
import { hour } from '../../shared/time/durations.ts'

/** Tables with rows of files on volumes. */
const tables = ['recording', 'review_item', 'export', 'deleted_file'] as const
type Table = (typeof tables)[number]

/**
 * Volumes that a table names and no instance has: the disk is lost, or its instance was removed. They are known from the
 * last read of the tables, and which instances run from memory.
 */
export interface UnownedVolumes {
  /** Whether other instances can have volumes, also one that is unavailable for long; false with SQLite. */
  readonly hasInstances: boolean
  /**
   * Those that no instance has that ran in the last hour: one that is only restarting keeps what it has.
   *
   * @param table default: the index of recordings
   */
  lasting(table?: Table | 'any'): readonly string[]
  /** Reads the tables again. */
  read(): Promise<void>
}

/** Milliseconds for which an instance that is unavailable is waited for. */
const grace = hour

/**
 * @param own id of the volume of this instance
 * @param instances undefined with SQLite: no other instance has a volume
 */
export async function openUnownedVolumes(
  store: Pick<Store, 'db'>,
  own: string,
  instances: Pick<Instances, 'self' | 'all' | 'find'> | undefined,
): Promise<UnownedVolumes> {
  let found: ReadonlyMap<Table | 'any', readonly string[]> = new Map()
  const lasting: UnownedVolumes['lasting'] = (table = 'recording') => {
    const others = found.get(table) ?? []
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
      const byTable = new Map<Table | 'any', readonly string[]>()
      for (const table of tables) {
        byTable.set(
          table,
          (await volumesIn(store.db, table)).filter((volume) => volume !== own),
        )
      }
      found = byTable.set('any', [...new Set([...byTable.values()].flat())])
    },
  }
  await volumes.read()
  return volumes
}
