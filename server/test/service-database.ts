import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Opens a service's database file next to the running service, and waits for its writes. Without waiting, any statement
 * can fail with "database is locked".
 */
export const openDatabase = (
  { configDir }: { readonly configDir: string },
  options: { readonly readOnly?: boolean } = {},
): DatabaseSync => new DatabaseSync(join(configDir, 'gatehouse.db'), { ...options, timeout: 60_000 })
