import type { RequestMeta } from '../../src/shared/http/request-meta.ts'

/** A request over TLS with these headers, whose names are in lower case. */
export const requestMeta = (
  headers: Readonly<Record<string, string | readonly string[]>> = {},
  peer = '192.0.2.1',
): RequestMeta => ({
  peer,
  encrypted: true,
  values: (name) => [headers[name] ?? []].flat(),
})
