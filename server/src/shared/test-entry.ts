import { byTheService, type AuditEntry } from './audit.ts'

/** The audit entry of a change that a test makes by itself. */
export const testEntry: AuditEntry = { ...byTheService, action: 'user.create', result: 'ok', target: 'a test' }
