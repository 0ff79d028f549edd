import { Type, type Static } from 'typebox'
import type { Invalidation } from '../../../access/invalidation.ts'
import { auditEntry } from '../../../http/caller.ts'
import { respond } from '../../../http/response.ts'
import { route, type Route } from '../../../http/route.ts'
import type { Clock } from '../../../shared/time/clock.ts'
import { ServiceError } from '../../../shared/errors.ts'
import type { Random } from '../../../shared/random.ts'
import type { AccountStore } from '../../../users/accounts/account-store.ts'
import type { AuthConfig } from '../../config/auth.config.ts'
import { displayName } from '../../../shared/http/text-field.ts'
import type { AuthReasons } from '../../reasons.ts'
import type { SecretBox } from '../../secret-box.ts'
import { NewPasskeyResponse, NewTotp, RecoveryCodes } from './factor-response.ts'
import type { FactorStore } from '../store/factor-store.ts'
import { ownChange, publishChange, requireOwnAccount } from './own-account.ts'
import type { Passkeys } from '../passkeys.ts'
import { Credential, PasskeyOptions } from '../proof-schema.ts'
import { newRecoveryCodes, recoveryCodeHash } from '../recovery-codes.ts'
import { requireRelyingParty } from '../relying-party.ts'
import { newTotpSecret, stepOf, totpUri } from '../totp.ts'
import { newId } from '../../../shared/random-id.ts'

const closed = { additionalProperties: false }

const TotpCode = Type.Object({ code: Type.String({ maxLength: 16 }) }, closed)
export type TotpCode = Static<typeof TotpCode>

const NewPasskey = Type.Object({ name: Type.String({ minLength: 1, maxLength: 64 }), credential: Credential }, closed)
export type NewPasskey = Static<typeof NewPasskey>

/** Milliseconds to scan the QR code and enter a code. */
const newTotpLifetime = 30 * 60_000

export interface EnrollmentRoutesDeps {
  readonly store: FactorStore
  readonly accounts: Pick<AccountStore, 'userById'>
  readonly passkeys: Pick<Passkeys, 'creationOptions' | 'verifyNew'>
  readonly box: SecretBox
  readonly settings: () => Pick<AuthConfig, 'mfa'>
  readonly publish: (invalidation: Invalidation) => void
  readonly clock: Clock
  readonly random: Random
}

/** Routes to set up an authenticator app or a passkey, also for a user who has to (MFA-1, MFA-2). */
export const enrollmentRoutes = (deps: EnrollmentRoutesDeps): Route[] => [...totpRoutes(deps), ...passkeyRoutes(deps)]

const enrolling = { access: { account: true, enrolling: true }, confirm: 'always' } as const

function totpRoutes({ store, accounts, box, publish, clock, random }: EnrollmentRoutesDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/account/totp',
      ...enrolling,
      schema: {
        summary: 'Get a secret for an authenticator app. It is used once a code confirms it.',
        response: { 200: NewTotp },
      },
      async handle(_input, caller) {
        const { user, session } = await requireOwnAccount(caller, accounts)
        const secret = newTotpSecret(random)
        await store.keepNewTotp(session, box.seal(secret, user.id), clock.now() + newTotpLifetime)
        return respond({
          status: 200,
          body: { secret, uri: totpUri(secret, user.name) },
          headers: { 'cache-control': 'no-store' },
        })
      },
    }),
    route({
      method: 'POST',
      path: '/api/account/totp/confirm',
      ...enrolling,
      schema: {
        summary:
          'Confirm the secret with a code. Replaces an earlier secret and the recovery codes; other sessions end.',
        body: TotpCode,
        response: { 200: RecoveryCodes },
      },
      async handle({ body: { code } }, caller) {
        const own = await requireOwnAccount(caller, accounts)
        const { user, session } = own
        const sealed = await store.newTotp(session, clock.now())
        const secret = sealed === undefined ? undefined : box.open(sealed, user.id)
        if (sealed === undefined || secret === undefined) {
          throw new ServiceError<AuthReasons>('not-found', { reason: 'no-such-factor' })
        }
        const step = stepOf(secret, code.replaceAll(/\s/g, ''), clock.now())
        if (step === undefined) throw new ServiceError<AuthReasons>('invalid-request', { reason: 'wrong-totp-code' })
        const codes = newRecoveryCodes(random)
        const change = ownChange(own, auditEntry(caller, 'factor.add', user.name, 'totp'))
        const totp = { secret: sealed, createdAt: clock.now(), lastStep: step }
        publishChange(user, await store.addTotp(change, totp, codes.map(recoveryCodeHash)), publish)
        return { recovery_codes: codes }
      },
    }),
  ]
}

function passkeyRoutes(deps: EnrollmentRoutesDeps): Route[] {
  const { store, accounts, passkeys, settings, publish, clock, random } = deps
  return [
    route({
      method: 'POST',
      path: '/api/account/passkeys/options',
      ...enrolling,
      schema: {
        summary: 'Get the options with which the browser creates a passkey.',
        response: { 200: PasskeyOptions },
      },
      async handle(_input, caller) {
        const { user, session } = await requireOwnAccount(caller, accounts)
        const party = requireRelyingParty(caller.client, settings().mfa.origins)
        return passkeys.creationOptions({ purpose: 'passkey.add', subject: session, party }, user)
      },
    }),
    route({
      method: 'POST',
      path: '/api/account/passkeys',
      ...enrolling,
      schema: {
        summary: 'Add a passkey. The first factor comes with recovery codes; other sessions end.',
        body: NewPasskey,
        response: { 201: NewPasskeyResponse },
      },
      async handle({ body: { name: typed, credential } }, caller) {
        const name = displayName('name', typed)
        const own = await requireOwnAccount(caller, accounts)
        const { user, session } = own
        const party = requireRelyingParty(caller.client, settings().mfa.origins)
        const created = await passkeys.verifyNew(credential, { purpose: 'passkey.add', subject: session, party })
        if (!created) throw new ServiceError<AuthReasons>('invalid-request', { reason: 'passkey-not-accepted' })
        const codes = user.hasFactor ? undefined : newRecoveryCodes(random)
        const id = newId(random)
        const ended = await store.addPasskey(
          ownChange(own, auditEntry(caller, 'factor.add', user.name, `passkey: ${name}`)),
          { id, userId: user.id, name, createdAt: clock.now(), lastUsedAt: null, ...created },
          codes?.map(recoveryCodeHash),
        )
        if (!publishChange(user, ended, publish)) {
          throw new ServiceError<AuthReasons>('conflict', { reason: 'passkey-exists' })
        }
        return respond({ status: 201, body: { id, name, ...(codes && { recovery_codes: codes }) } })
      },
    }),
  ]
}
