import type { Invalidation } from '../../../access/invalidation.ts'
import { databaseIdOf, sessionOf } from '../../../access/identity.ts'
import type { Caller } from '../../../http/caller.ts'
import type { AuditEntry } from '../../../shared/audit/audit.ts'
import { ServiceError } from '../../../shared/errors.ts'
import type { AccountStore } from '../../../users/accounts/account-store.ts'
import type { User } from '../../../users/user.ts'
import type { AuthReasons } from '../../reasons.ts'
import type { Ended, FactorChange } from '../store/factor-store.ts'

/** The caller as a database user, with the session. */
export interface OwnAccount {
  readonly user: User
  readonly session: string
}

/** undefined: another program signs the caller in, or the caller has no session. */
export async function ownAccount(
  { identity }: Pick<Caller, 'identity'>,
  store: Pick<AccountStore, 'userById'>,
): Promise<OwnAccount | undefined> {
  const id = databaseIdOf(identity)
  const session = sessionOf(identity)
  const user = id === undefined ? undefined : await store.userById(id)
  return user && !user.provider && session !== undefined ? { user, session } : undefined
}

/** @throws ServiceError `conflict` */
export async function requireOwnAccount(caller: Caller, store: Pick<AccountStore, 'userById'>): Promise<OwnAccount> {
  const own = await ownAccount(caller, store)
  if (!own) throw new ServiceError<AuthReasons>('conflict', { reason: 'factors-elsewhere' })
  return own
}

/** A change of the caller's own factors: the other sessions end. */
export const ownChange = ({ user, session: keptSession }: OwnAccount, entry: AuditEntry): FactorChange => ({
  user,
  keptSession,
  entry,
})

/** Publishes a change of factors on this instance. @returns whether anything was changed */
export function publishChange(
  { key }: Pick<User, 'key'>,
  ended: Ended,
  publish: (invalidation: Invalidation) => void,
): ended is readonly string[] {
  if (!ended) return false
  publish({ kind: 'user', key })
  for (const id of ended) publish({ kind: 'session', id })
  return true
}
