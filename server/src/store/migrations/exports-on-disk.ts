import type { Migration } from './migration.ts'

/** Exports stay on the disk of the instance that made them. No released version read the column. */
export const exportsOnDisk: readonly Migration[] = [
  {
    name: '0026-exports-on-disk',
    up: async ({ schema }) => {
      await schema.alterTable('export').dropColumn('object').execute()
    },
  },
]
