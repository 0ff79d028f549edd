import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Several instances, and cameras that keep their identity. */
export const instancesAndCameras: readonly Migration[] = [
  {
    name: '0005-roles-of-instances',
    up: async ({ schema }) => {
      await schema
        .createTable('deleted_role')
        .addColumn('role', 'text', (column) => column.notNull())
        .addColumn('owner', 'text', (column) => column.notNull())
        .addColumn('deleted_at', 'bigint', (column) => column.notNull())
        .addColumn('deleted_by', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('deleted_role_by_owner', ['role', 'owner'])
        .execute()
      await schema
        .createTable('instance')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('started_at', 'bigint', (column) => column.notNull())
        .addColumn('seen_at', 'bigint', (column) => column.notNull())
        .addColumn('roles', 'text', (column) => column.notNull())
        .execute()
    },
  },
  {
    name: '0006-export-owners',
    up: async (within) => {
      const { schema } = within
      await schema
        .alterTable('export')
        .addColumn('promised', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
      await schema.alterTable('export').addColumn('owner_user', 'text').execute()
      // Only a user who existed when the export was created is its owner.
      await sql`update export set owner_user = coalesce(
        (select u.id from "user" as u where u.key = export.owner_key and u.created_at <= export.created_at), '')
        where owner_source = 'password'`.execute(within)
    },
  },
  {
    name: '0007-segment-starts',
    up: async (within) => {
      // The API identifies segments by their start. After the clock was set back, two of a camera could have the same.
      for (;;) {
        const { numAffectedRows = 0n } = await sql`update recording set start = start + 1
          where exists (select 1 from recording as other where other.library = recording.library
          and other.camera = recording.camera and other.start = recording.start and other.id < recording.id)`.execute(
          within,
        )
        if (numAffectedRows === 0n) break
      }
    },
  },
  {
    name: '0008-audit-counts',
    up: async ({ schema }) => {
      await schema
        .alterTable('audit')
        .addColumn('count', 'bigint', (column) => column.notNull().defaultTo(1))
        .execute()
      for (const column of ['duration', 'start', 'end']) {
        await schema.alterTable('audit').addColumn(column, 'bigint').execute()
      }
      await schema.createIndex('audit_by_result').on('audit').columns(['result', 'at', 'id']).execute()
    },
  },
  {
    name: '0009-cameras',
    up: async ({ schema }) => {
      await schema
        .createTable('camera')
        .addColumn('library', 'text', (column) => column.notNull())
        .addColumn('key', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('source', 'text', (column) => column.notNull())
        .addColumn('added_at', 'bigint', (column) => column.notNull())
        .addColumn('removed_at', 'bigint')
        .addColumn('withheld', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('camera_by_key', ['library', 'key'])
        .execute()
      await schema
        .createTable('camera_listing')
        .addColumn('library', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('role', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('camera_listing_by_name', ['library', 'name', 'role'])
        .execute()
    },
  },
  {
    name: '0010-users-by-time',
    up: async (within) => {
      await within.schema.createIndex('user_by_age').on('user').columns(['created_at', 'key']).execute()
      await sql`create index user_by_login on "user" (coalesce(last_login_at, 0), "key")`.execute(within)
    },
  },
]
