import type { AuditLine, AuditPage, AuditSummary } from '../../../../server/src/api-types.ts'
import { fetchJson } from '../../api/api.ts'

/** Fetches one page of the audit log. @param cursor undefined for the newest entries */
export function auditPage(
  filter: URLSearchParams,
  cursor: string | undefined,
  limit: number,
  signal: AbortSignal,
): Promise<AuditPage> {
  const query = new URLSearchParams(filter)
  query.set('limit', String(limit))
  if (cursor !== undefined) query.set('cursor', cursor)
  return fetchJson<AuditPage>(`api/audit?${query.toString()}`, { signal })
}

export const fetchSums = (query: URLSearchParams, signal: AbortSignal): Promise<AuditSummary> =>
  fetchJson<AuditSummary>(`api/audit/summary?${query.toString()}`, { signal })

/** Entries per request of an export. */
const max = 500

/** Every matching entry, newest first, one array per page. */
export async function* everyAuditLine(filter: URLSearchParams, signal: AbortSignal): AsyncGenerator<AuditLine[]> {
  let cursor: string | undefined
  do {
    const page = await auditPage(filter, cursor, max, signal)
    yield page.entries
    cursor = page.cursor ?? undefined
  } while (cursor !== undefined)
}
