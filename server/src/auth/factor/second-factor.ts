import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import type { Clock } from '../../shared/time/clock.ts'
import type { User } from '../../users/user.ts'
import { tooManyAttempts } from '../password/login-limit.ts'
import type { SecretBox } from '../secret-box.ts'
import type { FactorStore } from './store/factor-store.ts'
import type { Occasion, Passkeys } from './passkeys.ts'
import { recoveryCodeHash } from './recovery-codes.ts'
import { isTotpCode, stepOf, waitAfter } from './totp.ts'

/** What a user presents as the second factor. */
export interface Proof {
  readonly code?: string | undefined
  readonly assertion?: AuthenticationResponseJSON | undefined
}

export type FactorKind = 'totp' | 'passkey' | 'recovery-code'

/** Checks second factors. */
export interface SecondFactor {
  /**
   * Which of the user's factors the proof is; undefined: none. What it accepts is used up.
   *
   * @param occasion undefined: passkeys don't work at the address of the request
   * @param entry the audit entry for a used recovery code
   * @param claim claims what the proof is for, once the proof is right. Rejects if another request has claimed it: then no
   *   recovery code is used up.
   * @throws ServiceError `too-many-attempts` after several wrong codes for this user, from any address
   */
  check(
    user: User,
    proof: Proof,
    occasion: Occasion | undefined,
    entry: AuditEntry,
    claim?: () => Promise<void>,
  ): Promise<FactorKind | undefined>
}

export interface SecondFactorDeps {
  readonly store: Pick<FactorStore, 'totp' | 'countFailure' | 'acceptStep' | 'hasRecoveryCode' | 'useRecoveryCode'>
  readonly passkeys: Pick<Passkeys, 'verify'>
  readonly box: SecretBox
  readonly clock: Pick<Clock, 'now'>
}

export function createSecondFactor({ store, passkeys, box, clock }: SecondFactorDeps): SecondFactor {
  /** Counts the attempt as a wrong one before it is checked, so that concurrent guesses can't exceed the limit. */
  const reserve = async (userId: string) => {
    for (let tries = 0; tries < 10; tries += 1) {
      const totp = await store.totp(userId)
      if (!totp) return undefined
      const now = clock.now()
      const limit = waitAfter(totp.failures)
      // No longer than the limit, even if the clock was set back.
      const wait = Math.min(limit, (totp.failedAt ?? 0) + limit - now)
      if (wait > 0) throw tooManyAttempts(wait)
      if (await store.countFailure(userId, totp, now)) return totp
    }
    throw tooManyAttempts(1000)
  }

  const isTotp = async (userId: string, code: string): Promise<boolean> => {
    const totp = await reserve(userId)
    const secret = totp && box.open(totp.secret, userId)
    const step = secret === undefined ? undefined : stepOf(secret, code, clock.now())
    return step !== undefined && store.acceptStep(userId, step)
  }

  const isPasskey = async (userId: string, assertion: AuthenticationResponseJSON, occasion: Occasion | undefined) =>
    occasion !== undefined && (await passkeys.verify(assertion, occasion))?.userId === userId

  return {
    async check({ id }, { code, assertion }, occasion, entry, claim = async () => undefined) {
      if (assertion) {
        if (!(await isPasskey(id, assertion, occasion))) return undefined
        await claim()
        return 'passkey'
      }
      if (code === undefined) return undefined
      const typed = code.replaceAll(/\s/g, '')
      if (isTotpCode(typed)) {
        // The step first: a code that was used before must not cost the ticket.
        if (!(await isTotp(id, typed))) return undefined
        await claim()
        return 'totp'
      }
      const hash = recoveryCodeHash(code)
      if (!(await store.hasRecoveryCode(id, hash))) return undefined
      await claim()
      return (await store.useRecoveryCode(id, hash, entry)) ? 'recovery-code' : undefined
    },
  }
}
