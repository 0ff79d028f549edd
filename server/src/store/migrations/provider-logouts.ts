import type { Migration } from './migration.ts'

/** What a logout token of the identity provider names: a sign-in that is under way must not miss it. */
export const providerLogouts: readonly Migration[] = [
  {
    name: '0027-provider-logouts',
    up: async ({ schema }) => {
      await schema.alterTable('logout_token').addColumn('number', 'bigint').execute()
      for (const column of ['issuer', 'subject', 'sid'])
        await schema.alterTable('logout_token').addColumn(column, 'text').execute()
    },
  },
]
