import type { Invalidation } from '../../../access/invalidation.ts'
import type { Roles } from '../../../access/role.ts'
import type { Clock } from '../../../shared/time/clock.ts'
import { ServiceError } from '../../../shared/errors.ts'
import type { Log } from '../../../shared/log.ts'
import type { Random } from '../../../shared/random.ts'
import { isActive, type User } from '../../../users/user.ts'
import type { AccountStore } from '../../../users/accounts/account-store.ts'
import { newUser } from '../../../users/new-user.ts'
import { oidcKey } from '../../../users/user-name.ts'
import type { AuthConfig } from '../../config/auth.config.ts'
import type { SecretBox } from '../../secret-box.ts'
import { attemptFrom, type SignIn, type SignInClient, type SignedIn } from '../../session/sign-in.ts'
import { groupsForLog, nameOfClaims, roleOfClaims } from '../provider-role.ts'
import { sealedTokens } from '../provider-tokens.ts'
import type { ProviderFacts } from '../provider/provider.ts'

export interface ProviderSignInDeps {
  readonly store: Pick<AccountStore, 'putProviderUser' | 'lastLogout'>
  readonly signIn: Pick<SignIn, 'begin'>
  /** Seals what a session keeps of the provider. */
  readonly box: SecretBox
  readonly settings: () => Pick<AuthConfig, 'oidc'>
  readonly roles: () => Roles
  readonly publish: (invalidation: Invalidation) => void
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** Starts a session of a user whom the provider has authenticated. */
export interface ProviderSignIn {
  /** The number of the last logout at the provider. Read it before asking the provider. */
  lastLogout(): Promise<number>
  /**
   * @param lastLogout a logout after this one can be of this sign-in, whose session it didn't find (OIDC-4)
   * @throws ServiceError `forbidden`: no role applies, an admin disabled the user, or the user signed out at the provider
   */
  begin(facts: ProviderFacts, from: SignInClient, lastLogout: number): Promise<SignedIn>
}

export function createProviderSignIn(deps: ProviderSignInDeps): ProviderSignIn {
  const { store, signIn, box, settings, roles, publish, clock, random, log } = deps

  const nextRecheck = () => clock.now() + settings().oidc.recheck_interval * 1000

  /** The user's row, which is found by issuer and subject alone (OIDC-2). */
  const userOf = async (facts: ProviderFacts, { client: { address } }: SignInClient): Promise<User> => {
    const { oidc } = settings()
    const { role } = roleOfClaims(facts.claims, oidc, roles())
    const { issuer, subject } = facts
    const name = nameOfClaims(facts.claims, subject, oidc)
    if (role === undefined) {
      const groups = groupsForLog(facts.claims, oidc)
      log.warn({ user: name, subject, ...groups }, 'sign-in with the identity provider gave no role')
      throw new ServiceError('forbidden')
    }
    const user: User = {
      // No password has an empty hash.
      ...newUser({ name, role, hash: '', origin: 'own' }, { clock, random }),
      key: oidcKey(issuer, subject),
      provider: { issuer, subject, recheckAt: nextRecheck() },
    }
    const by = { user: name, auth_method: 'oidc', address } as const
    const stored = await store.putProviderUser(user, (before) => ({
      action: before === undefined ? 'user.create' : 'user.role',
      result: 'success',
      ...by,
      target: name,
      detail: before === undefined ? role : `${before} → ${role}`,
    }))
    publish({ kind: 'user', key: stored.key })
    return stored
  }

  return {
    lastLogout: store.lastLogout,
    async begin(facts, from, lastLogout) {
      const user = await userOf(facts, from)
      if (!isActive(user, clock.now())) throw new ServiceError('forbidden')
      const sid = facts.claims['sid']
      const provider = {
        sid: typeof sid === 'string' ? sid : null,
        ...sealedTokens(facts, user, box),
        recheckAt: nextRecheck(),
      }
      const signedIn = await signIn.begin(user, from, {
        isSignIn: true,
        entry: { ...attemptFrom(from.client), result: 'success', user: user.name, auth_method: 'oidc' },
        atProvider: { provider, lastLogout },
      })
      if (!signedIn) throw new ServiceError('forbidden')
      return signedIn
    },
  }
}
