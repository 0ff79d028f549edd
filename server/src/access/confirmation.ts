import type { AccessRule } from './rule.ts'

/** Milliseconds for which a confirmation counts (MFA-4). */
export const confirmationLifetime = 5 * 60_000

/**
 * Whether a route asks users who have a second factor to confirm with it again (MFA-4). `always`: those who have none are
 * asked for their password, because the change is about how they sign in. `itself`: the route is part of the confirmation.
 * `never`: it doesn't ask, for this reason.
 */
export type Confirm = true | 'always' | 'itself' | { readonly never: string }

/** When a signed-in user last confirmed who they are. */
export interface Confirmed {
  /** Unix milliseconds; null: never in this session. */
  readonly at: number | null
  readonly hasFactor: boolean
}

/**
 * Whether a request to the route has to be confirmed first.
 *
 * @param confirmed undefined: the caller has no session, and is not asked
 * @param now Unix milliseconds
 */
export function needsConfirmation(
  confirm: Confirm | undefined,
  confirmed: Confirmed | undefined,
  now: number,
): boolean {
  if (confirm === undefined || confirm === 'itself' || typeof confirm === 'object' || confirmed === undefined)
    return false
  if (confirm === true && !confirmed.hasFactor) return false
  // Later than now: the clock was set back, and how long ago it was is unknown.
  return confirmed.at === null || confirmed.at > now || now - confirmed.at >= confirmationLifetime
}

/** Whether a change with this rule concerns users, roles, credentials or the configuration, and so has to declare `confirm`. */
export const mustDeclareConfirm = (rule: AccessRule): boolean =>
  'service' in rule || 'account' in rule || ('own' in rule && !('camera' in rule)) || isSharing(rule)

const isSharing = (rule: AccessRule): boolean => 'camera' in rule && rule.camera === 'share'
