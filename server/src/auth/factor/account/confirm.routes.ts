import { Type, type Static } from 'typebox'
import type { Invalidation } from '../../../access/invalidation.ts'
import { auditEntry, type Caller } from '../../../http/caller.ts'
import { route, type Route } from '../../../http/route.ts'
import type { Audit } from '../../../shared/audit/audit.ts'
import { auditLimited } from '../../../shared/audit/limited-attempt.ts'
import type { Clock } from '../../../shared/time/clock.ts'
import { fieldProblem } from '../../../shared/messages/coded-message.ts'
import { invalidField, ServiceError } from '../../../shared/errors.ts'
import type { AccountStore } from '../../../users/accounts/account-store.ts'
import type { User } from '../../../users/user.ts'
import type { AuthConfig } from '../../config/auth.config.ts'
import { checkLimited, type LoginLimit } from '../../password/login-limit.ts'
import type { Passwords } from '../../password/passwords.ts'
import type { AuthReasons } from '../../reasons.ts'
import type { FactorStore } from '../store/factor-store.ts'
import { occasionFor } from '../login/login-factor.ts'
import { ownAccount, requireOwnAccount } from './own-account.ts'
import type { Passkeys } from '../passkeys.ts'
import { Assertion, Code, PasskeyOptions } from '../proof-schema.ts'
import { requireRelyingParty } from '../relying-party.ts'
import type { SecondFactor } from '../second-factor.ts'

const Confirmation = Type.Object(
  {
    password: Type.Optional(Type.String({ description: 'For a user who has no second factor.' })),
    code: Type.Optional(Code),
    assertion: Type.Optional(Assertion),
  },
  { additionalProperties: false },
)
export type Confirmation = Static<typeof Confirmation>

export interface ConfirmRoutesDeps {
  readonly store: Pick<FactorStore, 'confirmSession'>
  readonly accounts: Pick<AccountStore, 'userById'>
  readonly passwords: Pick<Passwords, 'isPasswordOf'>
  readonly secondFactor: SecondFactor
  readonly passkeys: Pick<Passkeys, 'requestOptions'>
  readonly limit: LoginLimit
  readonly settings: () => Pick<AuthConfig, 'mfa'>
  readonly publish: (invalidation: Invalidation) => void
  readonly audit: Audit
  readonly clock: Clock
}

const access = { account: true, enrolling: true } as const

/** Routes with which a signed-in user confirms who they are before a change (MFA-4). */
export function confirmRoutes(deps: ConfirmRoutesDeps): Route[] {
  const { store, accounts, passkeys, settings, publish, audit, clock } = deps
  return [
    route({
      method: 'POST',
      path: '/api/account/confirm/options',
      access,
      confirm: 'itself',
      schema: {
        summary: 'Get the options with which the browser asks for a passkey, to confirm.',
        response: { 200: PasskeyOptions },
      },
      async handle(_input, caller) {
        const { user, session } = await requireOwnAccount(caller, accounts)
        const party = requireRelyingParty(caller.client, settings().mfa.origins)
        return passkeys.requestOptions({ purpose: 'passkey.confirm', subject: session, party }, user)
      },
    }),
    route({
      method: 'POST',
      path: '/api/account/confirm',
      access,
      confirm: 'itself',
      schema: {
        summary:
          'Confirm who you are, for five minutes: with a code or a passkey, or with the password if you have neither. A failure counts as a failed login.',
        body: Confirmation,
        otherResponses: { 204: null },
      },
      async handle({ body }, caller) {
        const own = await ownAccount(caller, accounts)
        // A caller without a session is never asked to confirm.
        if (!own) return
        const { user, session } = own
        const attempted = auditEntry(caller, 'account.confirm', user.name)
        if (!(await auditLimited(audit, attempted, () => isConfirmedBy(user, session, body, caller, deps)))) {
          audit.record({ ...attempted, result: 'failure' })
          throw user.hasFactor
            ? new ServiceError<AuthReasons>('wrong-password', { reason: 'wrong-second-factor' })
            : new ServiceError('wrong-password')
        }
        if (!(await store.confirmSession(session, clock.now()))) throw new ServiceError('unauthenticated')
        publish({ kind: 'session', id: session })
      },
    }),
  ]
}

/**
 * A password confirms only users without a second factor.
 *
 * @throws ServiceError `invalid-request` for an empty body, which isn't a guess, so not a failed login
 */
async function isConfirmedBy(
  user: User,
  session: string,
  { password, code, assertion }: Confirmation,
  caller: Caller,
  { passwords, secondFactor, limit, settings }: ConfirmRoutesDeps,
): Promise<boolean> {
  const { client } = caller
  if (password === undefined && code === undefined && assertion === undefined) {
    throw invalidField(user.hasFactor ? 'code' : 'password', fieldProblem('missing'))
  }
  if (!user.hasFactor) return password !== undefined && passwords.isPasswordOf(user, password, client.address)
  const occasion = occasionFor('passkey.confirm', session, client, settings().mfa.origins)
  const entry = auditEntry(caller, 'recovery-code.use', user.name)
  const kind = await checkLimited(limit, client.address, () =>
    secondFactor.check(user, { code, assertion }, occasion, entry),
  )
  return kind !== undefined
}
