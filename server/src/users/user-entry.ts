import { who, type Caller } from '../http/route.ts'
import type { AuditAction, AuditEntry } from '../shared/audit/audit.ts'

/** The audit entry of a change of a user. */
export const userEntry = (caller: Caller, action: AuditAction, target: string, detail?: string): AuditEntry => ({
  action,
  result: 'success',
  ...who(caller),
  target,
  ...(detail !== undefined && { detail }),
})
