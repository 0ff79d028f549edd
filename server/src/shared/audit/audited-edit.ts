import { codeOf } from '../errors.ts'
import type { Audit, AuditEntry } from './audit.ts'

/**
 * Makes a change to a file and audits its result, also on failure: then the detail is the error's code.
 *
 * @param entry without a value that could be a secret
 * @param detailOf the detail of a change that succeeded, if it depends on the result
 * @throws ServiceError `unavailable`, before the change, if its entry can't be written; else what `edit` throws
 */
export async function auditedEdit<Result>(
  audit: Pick<Audit, 'ready' | 'record' | 'commit'>,
  entry: Omit<AuditEntry, 'result'>,
  edit: () => Promise<Result>,
  detailOf: (result: Result) => string | undefined = () => entry.detail,
): Promise<Result> {
  await audit.ready()
  const result = await edit().catch((error: unknown) => {
    audit.record({ ...entry, result: 'failure', detail: codeOf(error) ?? 'internal' })
    throw error
  })
  const detail = detailOf(result)
  await audit.commit({ ...entry, result: 'success', ...(detail !== undefined && { detail }) })
  return result
}
