import { byTheService, type AuditEntry } from '../../src/shared/audit/audit.ts'

/** The audit entry of a change made by a test. */
export const testEntry: AuditEntry = { ...byTheService, action: 'user.create', result: 'success', target: 'a test' }
