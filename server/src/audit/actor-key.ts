import type { AuditEntry } from '../shared/audit/audit.ts'

/** The user, for comparison. */
export const userKey = ({ user, auth_method: authMethod }: AuditEntry): string => `${authMethod} ${user?.toLowerCase()}`

/** The user and the credential, for comparison: two tokens of one user are two actors. */
export const actorKey = (entry: AuditEntry): string => `${userKey(entry)} ${entry.credential?.id ?? ''}`
