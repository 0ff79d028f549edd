import { sql, type CreateTableBuilder, type Expression, type Transaction } from 'kysely'
import { StartError } from '../shared/errors.ts'
import type { Engine, Store } from './store.ts'
import type { Tables } from './tables.ts'

interface Migration {
  readonly name: string
  readonly up: (within: Transaction<Tables>, engine: Engine) => Promise<void>
}

/** Migrations in the order in which they run. A released migration is never changed; a new one is added instead. */
export const migrations: readonly Migration[] = [
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
  {
    name: '0011-standard-names',
    up: async (within) => {
      const { schema } = within
      const columns = [
        ['user', 'password_printed', 'password_origin'],
        ['audit', 'source', 'auth_method'],
        ['review_seen', 'source', 'auth_method'],
        ['export', 'owner_source', 'owner_auth_method'],
        ['recording', 'run', 'stream_id'],
        ...['recording', 'review_item', 'review_seen', 'export', 'camera', 'camera_listing'].map(
          (table) => [table, 'library', 'volume'] as const,
        ),
      ] as const
      for (const [table, before, after] of columns) await schema.alterTable(table).renameColumn(before, after).execute()

      await sql`update review_seen set auth_method = 'internal' where auth_method = 'inside'`.execute(within)
      await sql`update export set owner_auth_method = 'internal' where owner_auth_method = 'inside'`.execute(within)
      // The detail of a failed action is an error code; that of a missing role is a list of usernames.
      await sql`update audit set
        result = ${renamed(sql.ref('result'), { ok: 'success', refused: 'denied', failed: 'failure' })},
        action = ${renamed(sql.ref('action'), { request: 'request.denied', 'session.end': 'session.revoke' })},
        auth_method = ${renamed(sql.ref('auth_method'), { inside: 'internal' })},
        detail = case when result = 'ok' or action = 'role.missing' then detail
          else ${renamed(sql.ref('detail'), errorCodes)} end`.execute(within)
      await renameExportProblems(within, exportProblems)
      await sql`update deleted_role set deleted_by =
        replace(replace(deleted_by, '"source":', '"auth_method":'), '"auth_method":"inside"', '"auth_method":"internal"')`.execute(
        within,
      )
    },
  },
  {
    name: '0012-error-codes',
    up: async (within) => {
      await renameExportProblems(within, {
        'disk-refuses': 'disk-error',
        'interrupted-often': 'too-many-interruptions',
        'file-gone': 'file-missing',
      })
      const detail = renamed(sql.ref('detail'), {
        'https-needed': 'https-required',
        'many-exports': 'too-many-exports',
        'many-own-exports': 'too-many-own-exports',
        'many-streams': 'too-many-streams',
      })
      // The detail of a missing role is a list of usernames.
      await sql`update audit set detail = ${detail}
        where result <> 'success' and action <> 'role.missing'`.execute(within)
    },
  },
  {
    name: '0013-no-frame',
    up: async (within) => {
      await sql`update audit set detail = 'no-frame'
        where action = 'camera.test' and result = 'failure' and detail = 'no-picture'`.execute(within)
    },
  },
  {
    name: '0014-user-status',
    up: async ({ schema }) => {
      await schema
        .alterTable('user')
        .addColumn('disabled', 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
      await schema.alterTable('user').addColumn('expires_at', 'bigint').execute()
    },
  },
  {
    name: '0015-api-tokens',
    up: async ({ schema }) => {
      await schema
        .createTable('api_token')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('secret_hash', 'text', (column) => column.notNull())
        .addColumn('cameras', 'text')
        .addColumn('actions', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint')
        .addColumn('credential_version', 'integer')
        .addColumn('last_used_at', 'bigint')
        .addColumn('last_used_from', 'text')
        .execute()
      await schema.createIndex('api_token_user').on('api_token').columns(['user_id', 'created_at', 'id']).execute()
      await schema.createIndex('api_token_created').on('api_token').columns(['created_at', 'id']).execute()
    },
  },
  {
    name: '0016-screens',
    up: async ({ schema }) => {
      await schema
        .createTable('screen')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('cameras', 'text', (column) => column.notNull())
        .addColumn('audio', 'integer', (column) => column.notNull())
        .addColumn('layout', 'text', (column) => column.notNull())
        .addColumn('secret_hash', 'text')
        .addColumn('confirmed_by', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('last_seen_at', 'bigint')
        .addColumn('address', 'text')
        .execute()
      await schema
        .createTable('pairing')
        .addColumn('id_hash', 'text', (column) => column.primaryKey())
        .addColumn('code', 'text', (column) => column.notNull().unique())
        .addColumn('address', 'text', (column) => column.notNull())
        .addColumn('user_agent', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('screen_id', 'text')
        .execute()
    },
  },
  {
    name: '0017-oidc',
    up: async ({ schema }) => {
      await schema.alterTable('user').addColumn('issuer', 'text').execute()
      await schema.alterTable('user').addColumn('subject', 'text').execute()
      await schema.alterTable('session').addColumn('provider_sid', 'text').execute()
      await schema.alterTable('session').addColumn('provider_token', 'text').execute()
      await schema.alterTable('session').addColumn('id_token', 'text').execute()
      await schema.alterTable('session').addColumn('recheck_at', 'bigint').execute()
      await schema.createIndex('session_by_recheck').on('session').column('recheck_at').execute()
      await schema.createIndex('session_by_provider_sid').on('session').column('provider_sid').execute()
      await schema.alterTable('session').addColumn('recheck_lease', 'bigint').execute()
      await schema.alterTable('user').addColumn('recheck_at', 'bigint').execute()
      await schema
        .createTable('logout_token')
        .addColumn('hash', 'text', (column) => column.primaryKey())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
    },
  },
  {
    name: '0018-factors',
    up: async ({ schema }) => {
      await schema
        .alterTable('user')
        .addColumn('has_factor', 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
      await schema
        .alterTable('user')
        .addColumn('factor_version', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
      await schema.alterTable('user').addColumn('factors_reset_by', 'text').execute()
      await schema.alterTable('user').addColumn('factors_reset_at', 'bigint').execute()
      await schema.alterTable('session').addColumn('confirmed_at', 'bigint').execute()
      await createFactorTables(schema)
    },
  },
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

async function createFactorTables(schema: Transaction<Tables>['schema']): Promise<void> {
  await schema
    .createTable('totp')
    .addColumn('user_id', 'text', (column) => column.primaryKey().references('user.id').onDelete('cascade'))
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_step', 'bigint', (column) => column.notNull())
    .addColumn('failures', 'bigint', (column) => column.notNull())
    .addColumn('failed_at', 'bigint')
    .execute()
  await schema
    .createTable('new_totp')
    .addColumn('session_id', 'text', (column) => column.primaryKey().references('session.id').onDelete('cascade'))
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createTable('recovery_code')
    .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
    .addColumn('hash', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('recovery_code_key', ['user_id', 'hash'])
    .execute()
  await schema
    .createTable('passkey')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
    .addColumn('credential_id', 'text', (column) => column.notNull().unique())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('counter', 'bigint', (column) => column.notNull())
    .addColumn('transports', 'text', (column) => column.notNull())
    .addColumn('rp_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute()
  await schema.createIndex('passkey_by_user').on('passkey').columns(['user_id', 'created_at']).execute()
  await schema
    .createTable('remembered_device')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
    .addColumn('credential_version', 'bigint', (column) => column.notNull())
    .addColumn('secret_hash', 'text', (column) => column.notNull().unique())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('user_agent', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema.createIndex('remembered_device_by_user').on('remembered_device').column('user_id').execute()
  await schema
    .createTable('used_ticket')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema.createIndex('used_ticket_by_expiry').on('used_ticket').column('expires_at').execute()
}

/** Error codes of 0011: those that were in the audit log. */
const errorCodes = {
  invalid: 'invalid-request',
  'sign-in': 'unauthenticated',
  'foreign-origin': 'cross-origin',
  'changed-meanwhile': 'precondition-failed',
  'proxy-only': 'proxy-secret-required',
  'no-way': 'no-route',
  'picture-changed': 'video-format-changed',
  silent: 'no-data',
}

/** Error codes of 0011: those of failed exports. */
const exportProblems = {
  cancelled: 'canceled',
  'recording-gone': 'recording-deleted',
  'picture-changed': 'video-format-changed',
}

async function renameExportProblems(
  within: Transaction<Tables>,
  codes: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [before, after] of Object.entries(codes)) {
    const [from, to] = [`{"code":"${before}"`, `{"code":"${after}"`]
    await sql`update export set problem = replace(problem, ${from}, ${to}) where problem like ${`${from}%`}`.execute(
      within,
    )
  }
}

/** The value of a column, or the one that replaces it. */
const renamed = (column: Expression<unknown>, values: Readonly<Record<string, string>>) =>
  sql`case ${column} ${sql.join(
    Object.entries(values).map(([before, after]) => sql`when ${sql.lit(before)} then ${sql.lit(after)}`),
    sql` `,
  )} else ${column} end`

/** An id column whose numbers are never reused, not even after deletion. */
const numbered = <Table extends string>(table: CreateTableBuilder<Table>, engine: Engine) =>
  engine === 'postgres'
    ? table.addColumn('id', 'bigint', (column) => column.primaryKey().generatedAlwaysAsIdentity())
    : table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())

export const migrationNames: readonly string[] = migrations.map(({ name }) => name)

/** Key of the PostgreSQL advisory lock for migrations. */
const migrating = 4_715_001

/**
 * Migrates the tables to the current version, in one transaction by one instance, while other instances wait.
 *
 * @throws StartError if a newer version of the service migrated the database
 */
export async function migrate({ engine, transaction }: Pick<Store, 'engine' | 'transaction'>, now: number) {
  await transaction(async (within) => {
    if (engine === 'postgres') {
      await sql`set local statement_timeout = '60s'`.execute(within)
      await sql`select pg_advisory_xact_lock(${sql.lit(migrating)})`.execute(within)
    }
    await within.schema
      .createTable('migration')
      .ifNotExists()
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('done_at', 'bigint', (column) => column.notNull())
      .execute()
    const done = new Set((await within.selectFrom('migration').select('name').execute()).map(({ name }) => name))
    const newer = [...done].filter((name) => !migrationNames.includes(name))
    if (newer.length > 0)
      throw new StartError(
        `The database was migrated by a newer version: it has ${newer.join(', ')}. Use that version or restore a backup.`,
      )
    for (const { name, up } of migrations) {
      if (done.has(name)) continue
      await up(within, engine)
      await within.insertInto('migration').values({ name, done_at: now }).execute()
    }
  })
}
