import type { Migration } from './migration.ts'

/** Share links, invitations, and what the audit log says of them. */
export const linksAndAudit: readonly Migration[] = [
  {
    name: '0019-share-links',
    up: async ({ schema }) => {
      await schema
        .createTable('share_link')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('camera', 'text', (column) => column.notNull())
        .addColumn('start', 'bigint')
        .addColumn('end', 'bigint')
        .addColumn('export_id', 'text')
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('revoked_at', 'bigint')
        .addColumn('secret_hash', 'text', (column) => column.notNull())
        .addColumn('code_hash', 'text')
        .addColumn('wrong_codes', 'integer', (column) => column.notNull())
        .addColumn('opens', 'integer', (column) => column.notNull())
        .addColumn('max_opens', 'integer')
        .addColumn('max_viewers', 'integer')
        .addColumn('download', 'integer', (column) => column.notNull())
        .addColumn('audio', 'integer', (column) => column.notNull())
        .addColumn('note', 'text', (column) => column.notNull())
        .addColumn('token_id', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('last_opened_at', 'bigint')
        .execute()
      await schema.createIndex('share_link_by_user').on('share_link').columns(['user_id', 'created_at', 'id']).execute()
      await schema.createIndex('share_link_by_export').on('share_link').column('export_id').execute()
      await schema.createIndex('share_link_by_expiry').on('share_link').column('expires_at').execute()
      await schema
        .createTable('share_link_viewer')
        .addColumn('link_id', 'text', (column) => column.notNull().references('share_link.id').onDelete('cascade'))
        .addColumn('viewer', 'text', (column) => column.notNull())
        .addColumn('seen_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('share_link_viewer_by_link', ['link_id', 'viewer'])
        .execute()
    },
  },
  {
    name: '0020-invitations',
    up: async ({ schema }) => {
      await schema
        .createTable('invitation')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('secret_hash', 'text', (column) => column.notNull())
        .addColumn('role', 'text')
        .addColumn('username', 'text')
        .addColumn('user_id', 'text')
        .addColumn('credential_version', 'integer')
        .addColumn('created_by', 'text', (column) => column.notNull())
        .addColumn('created_via', 'text', (column) => column.notNull())
        .addColumn('creator_id', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('ended', 'text')
        .execute()
    },
  },
  {
    name: '0021-audit-credential',
    up: async ({ schema }) => {
      for (const column of ['credential_id', 'credential', 'owner', 'camera']) {
        await schema.alterTable('audit').addColumn(column, 'text').execute()
      }
      await schema.createIndex('audit_by_owner').on('audit').columns(['owner', 'action', 'at', 'id']).execute()
      await schema.createIndex('audit_by_camera').on('audit').columns(['camera', 'action', 'at', 'id']).execute()
    },
  },
  {
    name: '0022-invitation-token',
    up: async ({ schema }) => {
      await schema.alterTable('invitation').addColumn('token_id', 'text').execute()
    },
  },
  {
    name: '0023-audit-outputs',
    up: async ({ schema }) => {
      await schema.alterTable('audit').addColumn('instance', 'text').execute()
      await schema.alterTable('audit').addColumn('sequence', 'bigint').execute()
      await schema
        .createIndex('audit_by_sequence')
        .on('audit')
        .columns(['instance', 'sequence'])
        .where('instance', 'is not', null)
        .execute()
      await schema
        .createTable('audit_output')
        .addColumn('instance', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('position', 'bigint', (column) => column.notNull())
        .addColumn('missed', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('audit_output_key', ['instance', 'name'])
        .execute()
    },
  },
]
