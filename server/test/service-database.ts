import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * The database file of a service, beside it: what the service writes at this moment is waited for. Without that, any
 * statement may fail with "database is locked".
 */
export const openDatabase = (
  { configDir }: { readonly configDir: string },
  options: { readonly readOnly?: boolean } = {},
): DatabaseSync => new DatabaseSync(join(configDir, 'gatehouse.db'), { ...options, timeout: 60_000 })
