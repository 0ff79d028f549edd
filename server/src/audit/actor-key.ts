import type { AuditEntry } from '../shared/audit/audit.ts'

/** The user, for comparison. Of a read also its owner: another user can have the same name. */
export const userKey = ({ user, auth_method: authMethod, owner = '' }: AuditEntry): string =>
  `${authMethod} ${user?.toLowerCase()} ${owner}`

/** The user and the credential, for comparison: two tokens of one user are two actors. */
export const actorKey = (entry: AuditEntry): string => `${userKey(entry)} ${entry.credential?.id ?? ''}`
