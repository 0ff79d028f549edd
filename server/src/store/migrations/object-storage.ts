import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Recordings in object storage. */
export const objectStorage: readonly Migration[] = [
  {
    name: '0025-object-storage',
    up: async ({ schema }) => {
      await schema
        .createTable('removed_object')
        .addColumn('key', 'text', (column) => column.primaryKey())
        .addColumn('due_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema
        .createIndex('recording_by_object')
        .on('recording')
        .column('object')
        .where(sql.ref('object'), 'is not', null)
        .execute()
      // Contains the bytes, so that they are summed up from the index alone.
      await schema
        .createIndex('recording_stored_away')
        .on('recording')
        .columns(['volume', 'camera', 'bytes'])
        .where(sql.ref('object'), 'is not', null)
        .execute()
    },
  },
]
