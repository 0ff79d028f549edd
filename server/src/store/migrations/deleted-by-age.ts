import type { Migration } from './migration.ts'

/** What a user deleted stays noted. Which of the earlier notes are a user's isn't known, so all of them stay. */
export const deletedByAge: readonly Migration[] = [
  {
    name: '0029-deleted-by-age',
    up: async ({ schema }) => {
      await schema
        .alterTable('deleted_file')
        .addColumn('by_age', 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
    },
  },
]
