import { distinctValues } from '../../shared/distinct-values.ts'
import type { Store } from '../../store/store.ts'

/** Ids of all volumes in the index, with one lookup for each. */
export const recordedVolumes = ({ db }: Pick<Store, 'db'>): Promise<string[]> =>
  distinctValues(async (after) => {
    const row = await db
      .selectFrom('recording')
      .where('volume', '>', after)
      .select('volume')
      .orderBy('volume')
      .limit(1)
      .executeTakeFirst()
    return row?.volume
  })
