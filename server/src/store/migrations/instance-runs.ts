import type { Migration } from './migration.ts'

/** Which run of an instance reports: two with the same id are told apart. */
export const instanceRuns: readonly Migration[] = [
  {
    name: '0031-instance-runs',
    up: async ({ schema }) => {
      await schema.alterTable('instance').addColumn('run', 'text').execute()
    },
  },
]
