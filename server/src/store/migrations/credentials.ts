import type { Transaction } from 'kysely'
import type { Tables } from '../tables.ts'
import type { Migration } from './migration.ts'

/** Ends of accounts, API tokens, screens, identity providers and second factors. */
export const credentials: readonly Migration[] = [
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
