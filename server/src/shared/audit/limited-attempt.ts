import { codeOf } from '../errors.ts'
import type { Audit, AuditEntry } from './audit.ts'

/**
 * Makes an attempt that is limited, and records it if the limit rejects it (AUD-2). The failures that led to it are
 * recorded by those who check.
 *
 * @param attempted the entry without its result
 */
export async function auditLimited<Result>(
  audit: Pick<Audit, 'record'>,
  attempted: Omit<AuditEntry, 'result' | 'detail'>,
  attempt: () => Promise<Result>,
): Promise<Result> {
  try {
    return await attempt()
  } catch (error) {
    const code = codeOf(error)
    if (code === 'too-many-attempts') audit.record({ ...attempted, result: 'denied', detail: code })
    throw error
  }
}
