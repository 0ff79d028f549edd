import { sql, type SchemaModule } from 'kysely'
import type { Migration } from './migration.ts'

/** Instances that share cameras, recordings and one configuration. */
export const severalInstances: readonly Migration[] = [
  {
    name: '0024-several-instances',
    up: async (within, engine) => {
      const { schema } = within
      const texts = ['address', 'jobs', 'labels', 'version', 'volume', 'load']
      for (const column of texts) await schema.alterTable('instance').addColumn(column, 'text').execute()
      await schema.alterTable('instance').addColumn('capacity', 'integer').execute()
      for (const column of ['drained_at', 'stopped_at'])
        await schema.alterTable('instance').addColumn(column, 'bigint').execute()
      await schema
        .createTable('camera_lease')
        .addColumn('camera', 'text', (column) => column.primaryKey())
        .addColumn('instance', 'text')
        .addColumn('epoch', 'bigint', (column) => column.notNull())
        .addColumn('valid_until', 'bigint', (column) => column.notNull())
        .addColumn('since', 'bigint', (column) => column.notNull())
        .addColumn('requested', 'text')
        .execute()
      await schema
        .createTable('config_version')
        .addColumn('number', 'bigint', (column) => column.primaryKey())
        .addColumn('document', 'text', (column) => column.notNull())
        .addColumn('author', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .execute()
      // With SQLite, failed logins are counted in memory.
      const times = engine === 'postgres' ? sql`bigint[]` : ('text' as const)
      await schema
        .createTable('failed_login')
        .addColumn('address', 'text', (column) => column.primaryKey())
        .addColumn('failures', times, (column) => column.notNull())
        .addColumn('checking', times, (column) => column.notNull())
        .addColumn('longest_window', 'bigint', (column) => column.notNull())
        .addColumn('largest_count', 'integer', (column) => column.notNull())
        .addColumn('ends_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema.createIndex('failed_login_by_end').on('failed_login').column('ends_at').execute()
      for (const table of ['recording', 'review_item']) {
        await schema
          .alterTable(table)
          .addColumn('epoch', 'bigint', (column) => column.notNull().defaultTo(0))
          .execute()
      }
      for (const table of ['recording', 'export']) await schema.alterTable(table).addColumn('object', 'text').execute()
      await schema
        .createTable('deleted_file')
        .addColumn('volume', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('file', 'text', (column) => column.notNull())
        .addColumn('start', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('deleted_file_key', ['volume', 'kind', 'file'])
        .execute()
      // With SQLite there is only one volume, which the other indexes begin with.
      if (engine === 'postgres') await onAnyVolume(schema)
      await schema
        .createIndex('recording_not_stored_away')
        .on('recording')
        .columns(['volume', 'start'])
        .where(sql.ref('object'), 'is', null)
        .execute()
    },
  },
]

/** Indexes for queries of every volume. They contain what the queries of one volume find in theirs. */
async function onAnyVolume(schema: SchemaModule): Promise<void> {
  await schema
    .createIndex('recording_on_any_volume')
    .on('recording')
    .columns(['camera', 'start', 'end', 'motion', 'stream_id', 'bytes', 'volume', 'epoch', 'object'])
    .execute()
  await schema
    .createIndex('review_item_on_any_volume')
    .on('review_item')
    .columns(['camera', 'severity', 'start', 'id'])
    .execute()
  await schema
    .createIndex('review_seen_on_any_volume')
    .on('review_seen')
    .columns(['auth_method', 'user_key', 'camera', 'severity', 'start'])
    .execute()
  await schema.createIndex('export_on_any_volume').on('export').columns(['created_at', 'id']).execute()
}
