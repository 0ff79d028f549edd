import type { Migration } from './migration.ts'

/** Which API token paired a screen, so that both end together. Of earlier screens that isn't known. */
export const screenTokens: readonly Migration[] = [
  {
    name: '0032-screen-tokens',
    up: async ({ schema }) => {
      await schema.alterTable('screen').addColumn('token_id', 'text').execute()
    },
  },
]
