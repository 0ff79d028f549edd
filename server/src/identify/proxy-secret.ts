import { timingSafeEqual } from 'node:crypto'
import type { Knock } from '../shared/knock.ts'

/** Whether a request carries exactly this `X-Proxy-Secret` (PROXY-2), in a time that does not tell how much of it was right. */
export function proxySecretHolds(knock: Pick<Knock, 'values'>, secret: string): boolean {
  const [given, ...more] = knock.values('x-proxy-secret')
  if (given === undefined || given === '' || more.some((other) => other !== given)) return false
  // A header's bytes arrive as Latin-1, whatever they mean.
  const [sent, wanted] = [Buffer.from(given, 'latin1'), Buffer.from(secret, 'utf8')]
  const sameLength = sent.length === wanted.length
  return timingSafeEqual(sameLength ? sent : wanted, wanted) && sameLength
}
