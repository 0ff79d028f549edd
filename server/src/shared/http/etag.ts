import { trimmed } from './header-value.ts'

/**
 * Whether an `If-None-Match` header (RFC 9110, 13.1.2) matches a version: `*`, or one of a list. The comparison is weak,
 * because a proxy may have added `W/`.
 *
 * @param etag as sent, with quotation marks
 */
export function namesVersion(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (trimmed(ifNoneMatch) === '*') return true
  return [...ifNoneMatch.matchAll(/(?:^|,)[ \t]*(?:W\/)?("[^"]*")(?=[ \t]*(?:,|$))/g)].some(([, each]) => each === etag)
}
