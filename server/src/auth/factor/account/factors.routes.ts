import { Type, type Static } from 'typebox'
import type { Invalidation } from '../../../access/invalidation.ts'
import { auditEntry } from '../../../http/caller.ts'
import { route, type Route } from '../../../http/route.ts'
import type { Clock } from '../../../shared/time/clock.ts'
import { ServiceError } from '../../../shared/errors.ts'
import type { Random } from '../../../shared/random.ts'
import type { AccountStore } from '../../../users/accounts/account-store.ts'
import { requireSameUser, userInPath } from '../../../users/require-user.ts'
import type { AuthConfig } from '../../config/auth.config.ts'
import { displayName } from '../../../shared/http/text-field.ts'
import type { AuthReasons } from '../../reasons.ts'
import { FactorsResponse, factorsResponse, RecoveryCodes } from './factor-response.ts'
import type { FactorStore } from '../store/factor-store.ts'
import { ownAccount, ownChange, publishChange, requireOwnAccount } from './own-account.ts'
import { newRecoveryCodes, recoveryCodeHash } from '../recovery-codes.ts'

const ById = Type.Object({ id: Type.String({ pattern: '^(totp|[0-9a-f]{32})$' }) })

const PasskeyName = Type.Object({ name: Type.String({ minLength: 1, maxLength: 64 }) }, { additionalProperties: false })
export type PasskeyName = Static<typeof PasskeyName>

export interface FactorsRoutesDeps {
  readonly store: FactorStore
  readonly accounts: Pick<AccountStore, 'userById' | 'userByKey'>
  readonly settings: () => Pick<AuthConfig, 'mfa'>
  readonly publish: (invalidation: Invalidation) => void
  readonly clock: Clock
  readonly random: Random
}

/** Routes to list and remove second factors: the caller's own, and for admins those of a user (MFA-1, MFA-5). */
export const factorsRoutes = (deps: FactorsRoutesDeps): Route[] => [
  ...listRoutes(deps),
  ...changeRoutes(deps),
  resetRoute(deps),
]

function listRoutes({ store, accounts, settings, publish, clock }: FactorsRoutesDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/account/factors',
      access: { account: true, enrolling: true },
      schema: {
        summary: "List the caller's second factors and remembered devices.",
        response: { 200: FactorsResponse },
      },
      async handle(_input, caller) {
        const own = await ownAccount(caller, accounts)
        if (!own)
          return factorsResponse({ required: false, totp: undefined, passkeys: [], recoveryCodes: 0, devices: [] })
        const { user } = own
        const [totp, passkeys, recoveryCodes, devices] = await Promise.all([
          store.totp(user.id),
          store.passkeys(user.id),
          store.countRecoveryCodes(user.id),
          store.devices(user, clock.now()),
        ])
        const required = settings().mfa.required_for.includes(user.role)
        return factorsResponse({ required, totp, passkeys, recoveryCodes, devices })
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/account/factor-reset',
      access: { account: true, enrolling: true },
      confirm: { never: 'it only closes a notice' },
      schema: { summary: 'Close the notice that an admin reset the factors.', otherResponses: { 204: null } },
      async handle(_input, caller) {
        const own = await ownAccount(caller, accounts)
        if (own) {
          await store.clearReset(own.user)
          publish({ kind: 'user', key: own.user.key })
        }
      },
    }),
  ]
}

function changeRoutes({ store, accounts, settings, publish, random }: FactorsRoutesDeps): Route[] {
  return [
    route({
      method: 'DELETE',
      path: '/api/account/factors/:id',
      access: { account: true },
      confirm: true,
      schema: {
        summary:
          "Remove the authenticator app (`totp`), a passkey or a remembered device. Without an app or a passkey, the caller's other sessions end.",
        params: ById,
        otherResponses: { 204: null },
      },
      async handle({ params: { id } }, caller) {
        const own = await requireOwnAccount(caller, accounts)
        const { user } = own
        if (await store.forgetDevice(id, user.id, auditEntry(caller, 'device.revoke', user.name))) return
        const keepOne = settings().mfa.required_for.includes(user.role)
        const entry = auditEntry(caller, 'factor.remove', user.name, id === 'totp' ? 'totp' : 'passkey')
        const ended = await store.removeFactor(ownChange(own, entry), id, keepOne)
        if (!publishChange(user, ended, publish)) throw noSuchFactor()
      },
    }),
    route({
      method: 'PATCH',
      path: '/api/account/passkeys/:id',
      access: { account: true },
      confirm: true,
      schema: { summary: 'Rename a passkey.', params: ById, body: PasskeyName, otherResponses: { 204: null } },
      async handle({ params: { id }, body }, caller) {
        const name = displayName('name', body.name)
        const { user } = await requireOwnAccount(caller, accounts)
        const entry = auditEntry(caller, 'factor.rename', user.name, name)
        if (!(await store.renamePasskey(id, user.id, name, entry))) throw noSuchFactor()
      },
    }),
    route({
      method: 'POST',
      path: '/api/account/recovery-codes',
      access: { account: true },
      confirm: true,
      schema: { summary: 'Replace the recovery codes.', response: { 200: RecoveryCodes } },
      async handle(_input, caller) {
        const { user } = await requireOwnAccount(caller, accounts)
        if (!user.hasFactor) throw noSuchFactor()
        const codes = newRecoveryCodes(random)
        const entry = auditEntry(caller, 'recovery-code.renew', user.name)
        await store.replaceRecoveryCodes(user.id, codes.map(recoveryCodeHash), entry)
        return { recovery_codes: codes }
      },
    }),
  ]
}

const resetRoute = ({ store, accounts, publish, clock }: FactorsRoutesDeps): Route =>
  route({
    method: 'DELETE',
    path: '/api/users/:username/factors',
    access: { service: 'users.manage', about: 'no-camera', user: userInPath(accounts) },
    confirm: true,
    schema: {
      summary: "Remove a user's second factors and end the sessions. The user is notified at the next sign-in.",
      params: Type.Object({ username: Type.String() }),
      otherResponses: { 204: null },
    },
    async handle({ params: { username } }, caller) {
      const user = await requireSameUser(username, accounts, caller)
      const entry = auditEntry(caller, 'factor.reset', user.name)
      const change = { user, keptSession: undefined, entry }
      publishChange(user, await store.resetFactors(change, { by: entry.user ?? '', at: clock.now() }), publish)
    },
  })

const noSuchFactor = () => new ServiceError<AuthReasons>('not-found', { reason: 'no-such-factor' })
