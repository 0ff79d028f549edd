import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** What is in the object storage is counted day by day. PostgreSQL finds a day in `recording_on_any_volume`. */
export const usageByDay: readonly Migration[] = [
  {
    name: '0030-usage-by-day',
    up: async ({ schema }, engine) => {
      if (engine === 'postgres') return
      await schema.dropIndex('recording_stored_away').execute()
      await schema
        .createIndex('recording_stored_away')
        .on('recording')
        .columns(['volume', 'camera', 'start'])
        .where(sql.ref('object'), 'is not', null)
        .execute()
    },
  },
]
