import { ApiError } from '../api/api.ts'
import { backoff } from '../lib/backoff.ts'

/** The viewer has to enter the link's code. */
interface CodeNeeded {
  readonly kind: 'code'
  /** The code that was entered isn't the link's. */
  readonly wrong: boolean
}

/** The link shows nothing anymore. */
interface Over {
  readonly kind: 'unknown' | 'expired' | 'used-up' | 'locked' | 'revoked'
}

/** The link shows nothing now, but may later. */
interface Later {
  readonly kind: 'unavailable' | 'full' | 'busy' | 'away'
  /** Seconds until the next attempt; undefined: with increasing delays. */
  readonly seconds: number | undefined
}

/** Why a link shows nothing. */
export type Refusal = CodeNeeded | Over | Later

/** By the reason that the service gives. */
const reasons: Readonly<Record<string, CodeNeeded | Over>> = {
  'link-code-required': { kind: 'code', wrong: false },
  'wrong-link-code': { kind: 'code', wrong: true },
  'link-expired': { kind: 'expired' },
  'link-used-up': { kind: 'used-up' },
  'link-locked': { kind: 'locked' },
  'link-revoked': { kind: 'revoked' },
}

/** Seconds until the next attempt to open a link that shows nothing now. */
const unavailableFor = 30

/** Why the service refused a link. */
export function refusalOf(error: Error): Refusal {
  if (!(error instanceof ApiError)) return { kind: 'away', seconds: undefined }
  const { status, reason, retryAfter: seconds } = error.failure
  const code = reason?.code ?? ''
  if (code === 'link-unavailable') return { kind: 'unavailable', seconds: unavailableFor }
  if (code === 'too-many-viewers') return { kind: 'full', seconds }
  if (status === 429) return { kind: 'busy', seconds }
  const known = Object.hasOwn(reasons, code) ? reasons[code] : undefined
  if (known) return known
  return status >= 400 && status < 500 ? { kind: 'unknown' } : { kind: 'away', seconds }
}

export const canRetry = (refusal: Refusal): refusal is Later => 'seconds' in refusal

/** Milliseconds until the next attempt; undefined: there is none. @param attempts how many failed so far */
export function retryDelay(refusal: Refusal, attempts: number, chance: number): number | undefined {
  if (!canRetry(refusal)) return undefined
  return refusal.seconds === undefined ? backoff(attempts, chance) : Math.max(1, refusal.seconds) * 1000
}
