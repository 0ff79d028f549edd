import { timingSafeEqual } from 'node:crypto'
import type { RequestMeta } from '../../shared/request-meta.ts'

/** Whether a request carries exactly this `X-Proxy-Secret` (PROXY-2), in a time that does not tell how much of it was right. */
export function proxySecretHolds(meta: Pick<RequestMeta, 'values'>, secret: string): boolean {
  const [given, ...more] = meta.values('x-proxy-secret')
  if (given === undefined || given === '' || more.some((other) => other !== given)) return false
  // A header's bytes arrive as Latin-1, whatever they mean.
  const [sent, requested] = [Buffer.from(given, 'latin1'), Buffer.from(secret, 'utf8')]
  const sameLength = sent.length === requested.length
  return timingSafeEqual(sameLength ? sent : requested, requested) && sameLength
}
