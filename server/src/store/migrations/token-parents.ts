import type { Migration } from './migration.ts'

/** Which API token created another one, so that both end together. */
export const tokenParents: readonly Migration[] = [
  {
    name: '0028-token-parents',
    up: async ({ schema }) => {
      await schema.alterTable('api_token').addColumn('parent_id', 'text').execute()
    },
  },
]
