import type { Store } from '../../store/store.ts'
import { accountSql } from './account-sql.ts'
import type { AccountStore } from './account-store.ts'
import { passwordChanges } from './password-changes.sql.ts'
import { roleDeletions } from './role-deletions.sql.ts'
import { providerSessions } from './provider-sessions.sql.ts'
import { providerUserChanges } from './provider-users.sql.ts'
import { sessionChanges, sessionQueries } from './sessions.sql.ts'
import { userChanges } from './user-changes.sql.ts'
import { userQueries } from './user-queries.sql.ts'

/**
 * Users and sessions in SQL. Lists are read in chunks, without a common snapshot.
 *
 * Changes that affect access are announced to other instances; logins and session activity are not, because other
 * instances read them from the database when needed.
 */
export function accountStore(store: Store): AccountStore {
  const statements = accountSql(store)
  return {
    ...userQueries(statements),
    ...userChanges(statements),
    ...providerUserChanges(statements),
    ...passwordChanges(statements),
    ...roleDeletions(statements),
    ...sessionQueries(statements),
    ...sessionChanges(statements),
    ...providerSessions(statements),
  }
}
