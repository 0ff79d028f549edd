import type { AuditLine, AuditPage } from '../../../../server/src/audit/audit.routes.ts'
import { ask } from '../../shared/api.ts'

/** @param cursor undefined for the newest. */
export function auditPage(
  filter: URLSearchParams,
  cursor: string | undefined,
  limit: number,
  signal: AbortSignal,
): Promise<AuditPage> {
  const query = new URLSearchParams(filter)
  query.set('limit', String(limit))
  if (cursor !== undefined) query.set('cursor', cursor)
  return ask<AuditPage>(`api/audit?${query.toString()}`, { signal })
}

/** Entries asked for at a time when all are wanted. */
const max = 500

/** Everything that fits, newest first, page by page. */
export async function* everyAuditLine(filter: URLSearchParams, signal: AbortSignal): AsyncGenerator<AuditLine[]> {
  let cursor: string | undefined
  do {
    const page = await auditPage(filter, cursor, max, signal)
    yield page.entries
    cursor = page.cursor ?? undefined
  } while (cursor !== undefined)
}
