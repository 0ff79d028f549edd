import { trimmed } from './header-value.ts'

/**
 * Whether an `If-None-Match` header (RFC 9110, 13.1.2) names a version: `*`, or one of a list. Compared weakly, so
 * that what a proxy marked as `W/` on its way is still the same.
 *
 * @param etag as it is sent, with its quotation marks
 */
export function namesVersion(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (trimmed(ifNoneMatch) === '*') return true
  return [...ifNoneMatch.matchAll(/(?:^|,)[ \t]*(?:W\/)?("[^"]*")(?=[ \t]*(?:,|$))/g)].some(([, each]) => each === etag)
}
