import { timingSafeEqual } from 'node:crypto'
import { onlyValue, type RequestMeta } from '../../shared/http/request-meta.ts'

/** Whether a request has exactly this `X-Proxy-Secret` (PROXY-2), compared in constant time. */
export function isProxySecretValid(meta: Pick<RequestMeta, 'values'>, secret: string): boolean {
  const given = onlyValue(meta, 'x-proxy-secret')
  if (given === undefined || given === '') return false
  // Node decodes header bytes as Latin-1.
  const [sent, requested] = [Buffer.from(given, 'latin1'), Buffer.from(secret, 'utf8')]
  const sameLength = sent.length === requested.length
  return timingSafeEqual(sameLength ? sent : requested, requested) && sameLength
}
