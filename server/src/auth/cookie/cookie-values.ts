import { trimmed } from '../../shared/http/header-value.ts'
import type { RequestMeta } from '../../shared/http/request-meta.ts'

/** The values of every cookie with this name in a request, in order: of several, a browser doesn't say which is meant. */
export function cookieValues(meta: RequestMeta, name: string): string[] {
  const values: string[] = []
  for (const header of meta.values('cookie')) {
    for (const pair of header.split(';')) {
      const equals = pair.indexOf('=')
      if (equals > 0 && trimmed(pair.slice(0, equals)) === name) values.push(trimmed(pair.slice(equals + 1)))
    }
  }
  return values
}
