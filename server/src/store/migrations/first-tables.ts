import { sql } from 'kysely'
import type { Migration } from './migration.ts'
import { numbered } from './numbered.ts'

/** Accounts and the audit log, recordings, review items and exports. */
export const firstTables: readonly Migration[] = [
  {
    name: '0001-accounts-and-audit',
    up: async (within, engine) => {
      const { schema } = within
      // Byte order, as in SQLite, so that pages have the same order on both engines.
      const key = engine === 'postgres' ? sql`text collate "C"` : ('text' as const)

      await schema
        .createTable('user')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('key', key, (column) => column.notNull().unique())
        .addColumn('role', 'text', (column) => column.notNull())
        .addColumn('password_hash', 'text', (column) => column.notNull())
        .addColumn('credential_version', 'bigint', (column) => column.notNull())
        .addColumn('password_set_at', 'bigint', (column) => column.notNull())
        .addColumn('password_printed', 'integer', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('last_login_at', 'bigint')
        .execute()
      await schema.createIndex('user_by_role').on('user').columns(['role', 'key']).execute()

      await schema
        .createTable('session')
        .addColumn('id', key, (column) => column.primaryKey())
        .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
        .addColumn('credential_version', 'bigint', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('address', 'text', (column) => column.notNull())
        .addColumn('user_agent', 'text', (column) => column.notNull())
        .execute()
      await schema.createIndex('session_by_user').on('session').columns(['user_id', 'created_at', 'id']).execute()
      await schema.createIndex('session_by_age').on('session').columns(['created_at', 'id']).execute()
      await schema.createIndex('session_by_expiry').on('session').column('expires_at').execute()

      await numbered(schema.createTable('audit'), engine)
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('action', 'text', (column) => column.notNull())
        .addColumn('result', 'text', (column) => column.notNull())
        .addColumn('user', 'text')
        .addColumn('user_key', 'text')
        .addColumn('source', 'text')
        .addColumn('address', 'text')
        .addColumn('target', 'text')
        .addColumn('detail', 'text')
        .execute()
      await schema.createIndex('audit_by_time').on('audit').columns(['at', 'id']).execute()
      await schema.createIndex('audit_by_user').on('audit').columns(['user_key', 'at', 'id']).execute()
      await schema.createIndex('audit_by_action').on('audit').columns(['action', 'at', 'id']).execute()

      await schema
        .createTable('meta')
        .addColumn('key', 'text', (column) => column.primaryKey())
        .addColumn('value', 'text', (column) => column.notNull())
        .execute()
    },
  },
  {
    name: '0002-recordings',
    up: async ({ schema }, engine) => {
      await numbered(schema.createTable('recording'), engine)
        .addColumn('library', 'text', (column) => column.notNull())
        .addColumn('camera', 'text', (column) => column.notNull())
        .addColumn('start', 'bigint', (column) => column.notNull())
        .addColumn('end', 'bigint', (column) => column.notNull())
        .addColumn('bytes', 'bigint', (column) => column.notNull())
        .addColumn('init_bytes', 'integer', (column) => column.notNull())
        .addColumn('motion', 'integer', (column) => column.notNull())
        .addColumn('run', 'bigint', (column) => column.notNull())
        .addColumn('file', 'text', (column) => column.notNull())
        .execute()
      await schema.createIndex('recording_by_file').on('recording').columns(['library', 'file']).unique().execute()
      // Contains all that a timeline needs, so that a day is read from the index alone.
      await schema
        .createIndex('recording_by_camera')
        .on('recording')
        .columns(['library', 'camera', 'start', 'end', 'motion', 'run', 'bytes'])
        .execute()
      await schema.createIndex('recording_by_age').on('recording').columns(['library', 'start']).execute()
    },
  },
  {
    name: '0003-review',
    up: async ({ schema }, engine) => {
      const key = engine === 'postgres' ? sql`text collate "C"` : ('text' as const)
      await schema
        .createTable('review_item')
        .addColumn('id', key, (column) => column.primaryKey())
        .addColumn('library', 'text', (column) => column.notNull())
        .addColumn('camera', 'text', (column) => column.notNull())
        .addColumn('severity', 'text', (column) => column.notNull())
        .addColumn('start', 'bigint', (column) => column.notNull())
        .addColumn('end', 'bigint', (column) => column.notNull())
        .addColumn('open', 'integer', (column) => column.notNull())
        .addColumn('motion', 'integer', (column) => column.notNull())
        .addColumn('box', 'text')
        .addColumn('thumbnail_at', 'bigint')
        .execute()
      // Pages and counts for any cameras and severities are combined from ranges of this index.
      await schema
        .createIndex('review_item_by_camera')
        .on('review_item')
        .columns(['library', 'camera', 'severity', 'start', 'id'])
        .execute()
      await schema
        .createIndex('review_item_open')
        .on('review_item')
        .column('library')
        .where(sql.ref('open'), '=', sql.lit(1))
        .execute()

      const place = ['source', 'user_key', 'library', 'camera', 'severity', 'start', 'item'] as const
      const seen = schema
        .createTable('review_seen')
        .addColumn('source', 'text', (column) => column.notNull())
        .addColumn('user_key', key, (column) => column.notNull())
        .addColumn('user_id', 'text', (column) => column.references('user.id').onDelete('cascade'))
        .addColumn('library', 'text', (column) => column.notNull())
        .addColumn('camera', 'text', (column) => column.notNull())
        .addColumn('severity', 'text', (column) => column.notNull())
        .addColumn('start', 'bigint', (column) => column.notNull())
        .addColumn('item', key, (column) => column.notNull().references('review_item.id').onDelete('cascade'))
        .addPrimaryKeyConstraint('review_seen_by_place', [...place])
      // Without a rowid, SQLite stores the rows in the primary key; otherwise it stores everything twice.
      await (engine === 'sqlite' ? seen.modifyEnd(sql`without rowid`) : seen).execute()
      await schema.createIndex('review_seen_by_item').on('review_seen').column('item').execute()
      await schema
        .createIndex('review_seen_by_user')
        .on('review_seen')
        .column('user_id')
        .where('user_id', 'is not', null)
        .execute()
    },
  },
  {
    name: '0004-exports',
    up: async ({ schema }, engine) => {
      const key = engine === 'postgres' ? sql`text collate "C"` : ('text' as const)
      await schema
        .createTable('export')
        .addColumn('id', key, (column) => column.primaryKey())
        .addColumn('library', 'text', (column) => column.notNull())
        .addColumn('camera', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('start', 'bigint', (column) => column.notNull())
        .addColumn('end', 'bigint', (column) => column.notNull())
        .addColumn('expected', 'bigint', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('tries', 'integer', (column) => column.notNull())
        .addColumn('bytes', 'bigint')
        .addColumn('duration', 'bigint')
        .addColumn('problem', 'text')
        .addColumn('owner_source', 'text', (column) => column.notNull())
        .addColumn('owner_key', 'text', (column) => column.notNull())
        .addColumn('created_by', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('finished_at', 'bigint')
        .execute()
      await schema.createIndex('export_by_time').on('export').columns(['library', 'created_at', 'id']).execute()
      await schema
        .createIndex('export_by_camera')
        .on('export')
        .columns(['library', 'camera', 'created_at', 'id'])
        .execute()
      await schema.createIndex('export_by_state').on('export').columns(['library', 'state', 'finished_at']).execute()
    },
  },
]
