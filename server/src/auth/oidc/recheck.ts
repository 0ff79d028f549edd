import pLimit from 'p-limit'
import type { Invalidation } from '../../access/invalidation.ts'
import type { Roles } from '../../access/role.ts'
import { byTheService, type AuditEntry } from '../../shared/audit/audit.ts'
import type { Runtime } from '../../shared/runtime.ts'
import { providerLimit, type User } from '../../users/user.ts'
import type { AccountStore, RecheckTimes } from '../../users/accounts/account-store.ts'
import type { ProviderSession, Session } from '../../users/accounts/session.ts'
import type { SecretBox } from '../secret-box.ts'
import type { Sessions } from '../session/sessions.ts'
import type { OidcConfig } from '../config/oidc.config.ts'
import { recheckFailure, settingAtFault } from './provider/provider-failure.ts'
import { groupsForLog, nameOfClaims, roleOfClaims } from './provider-role.ts'
import { openedTokens, sealedToken, sealedTokens } from './provider-tokens.ts'
import type { Provider, ProviderFacts, ProviderTokens } from './provider/provider.ts'

export interface RecheckDeps extends Runtime {
  readonly provider: Pick<Provider, 'askAgain'>
  readonly store: Pick<
    AccountStore,
    | 'userById'
    | 'dueSessions'
    | 'leaseSession'
    | 'keepProviderToken'
    | 'setProviderSession'
    | 'confirmProviderUser'
    | 'forgetConfirmation'
  >
  readonly sessions: Pick<Sessions, 'end' | 'revokeAllOf'>
  readonly box: SecretBox
  readonly settings: () => OidcConfig
  readonly roles: () => Roles
  readonly publish: (invalidation: Invalidation) => void
}

/** Asks the provider again about each session whose time has come (OIDC-3). */
export interface Recheck {
  stop(): Promise<void>
}

/** Milliseconds between searches for due sessions. */
const interval = 2_000
/** Milliseconds that an instance has for a session. After a failure, the next attempt waits as long. */
const lease = 60_000
/** Milliseconds by which the clocks of two instances may differ. A time further ahead is from before the clock was set back. */
const skew = 60_000
/** Sessions at a time, and requests at the same time. */
const batch = 100
const concurrency = 8

/** Why a session ends, in the audit log. */
type EndDetail = 'provider-denied' | 'provider-unavailable' | 'provider-changed' | 'no-role'

export function createRecheck(deps: RecheckDeps): Recheck {
  const { store, settings, publish, clock, log } = deps
  const limited = pLimit(concurrency)
  let running: Promise<void> | undefined

  const times = (): RecheckTimes => {
    const now = clock.now()
    const maxRecheckAt = now + settings().recheck_interval * 1000 + skew
    return { now, maxRecheckAt, leaseUntil: now + lease, maxLease: now + lease + skew }
  }
  const one = async (session: Session): Promise<void> => {
    if (!(await store.leaseSession(session, times()))) return
    // The time of its re-check was set by a clock that was ahead.
    if ((session.provider?.recheckAt ?? 0) > clock.now()) publish({ kind: 'session', id: session.id })
    const user = await store.userById(session.userId)
    if (user && session.provider) await recheckSession(session, session.provider, user, deps)
  }
  const failed = (cause: unknown) => log.warn({ err: cause }, 'failed to re-check with the identity provider')
  const all = async (): Promise<void> => {
    const due = await store.dueSessions(times(), batch)
    await Promise.all(due.map((session) => limited(() => one(session).catch(failed))))
  }
  const stopTimer = clock.every(interval, () => {
    if (running || settings().issuer === null) return
    running = all()
      .catch((cause: unknown) => log.warn({ err: cause }, 'failed to find sessions to ask the identity provider about'))
      .finally(() => (running = undefined))
  })

  return {
    async stop() {
      stopTimer()
      await running
    },
  }
}

async function recheckSession(session: Session, kept: ProviderSession, user: User, deps: RecheckDeps): Promise<void> {
  const { provider, store, box, settings, publish, clock, log } = deps
  const { subject = '', issuer } = user.provider ?? {}
  // Another provider must not get this one's tokens.
  if (issuer !== settings().issuer) return endSession(session, 'provider-changed', deps)
  if (providerLimit(kept) <= clock.now()) return lose(session, user, 'provider-unavailable', deps)
  const tokens = openedTokens(kept, user.id, box)
  if (!tokens) return lose(session, user, 'provider-denied', deps)
  /** The sealed tokens that the session must still have: an instance that was too slow keeps nothing. */
  let { token: former } = kept
  let isOurs = true
  const keep = async (changed: ProviderTokens): Promise<void> => {
    const token = sealedToken(changed, user, box)
    isOurs = await store.keepProviderToken(session.id, former, token)
    if (!isOurs) throw new Error('another instance asks about the session')
    former = token
  }
  let facts: ProviderFacts
  try {
    facts = await provider.askAgain(subject, tokens, keep)
  } catch (cause) {
    if (!isOurs) return log.warn({ user: user.name }, 're-check abandoned: it took longer than its lease')
    if (recheckFailure(cause) === 'denied') {
      log.info({ err: cause, user: user.name }, 'identity provider no longer confirms a user')
      return lose(session, user, 'provider-denied', deps)
    }
    const setting = settingAtFault(cause)
    log.warn({ err: cause, setting }, 'identity provider unavailable; asking again in a minute')
    return undefined
  }
  const recheckAt = clock.now() + settings().recheck_interval * 1000
  if (!(await confirm(user, facts, recheckAt, deps))) return undefined
  const sealed = sealedTokens(facts, user, box)
  const idToken = facts.idToken === undefined ? kept.idToken : sealed.idToken
  await store.setProviderSession(session.id, former, { sid: kept.sid, token: sealed.token, idToken, recheckAt })
  publish({ kind: 'session', id: session.id })
}

/** Sets the role of the groups. A user without one loses all sessions. @returns whether the user has a role */
async function confirm(user: User, facts: ProviderFacts, recheckAt: number, deps: RecheckDeps): Promise<boolean> {
  const { store, sessions, settings, roles, publish, log } = deps
  const { role } = roleOfClaims(facts.claims, settings(), roles())
  if (role === undefined) {
    const groups = groupsForLog(facts.claims, settings())
    log.warn({ user: user.name, subject: facts.subject, ...groups }, 're-check with the identity provider gave no role')
    await forget(user, deps)
    await sessions.revokeAllOf(user.id, () => entryOf(user.name, 'no-role'))
    return false
  }
  const name = settings().name_claim in facts.claims ? nameOfClaims(facts.claims, facts.subject, settings()) : user.name
  const changed = (had: string): AuditEntry => ({
    action: 'user.role',
    result: 'success',
    ...byTheService,
    target: name,
    detail: `${had} → ${role}`,
  })
  const isThere = await store.confirmProviderUser(user.id, { name, role, recheckAt }, changed)
  publish({ kind: 'user', key: user.key })
  return isThere
}

/** The provider no longer confirms the user, so neither this session nor the user's tokens are accepted. */
async function lose(session: Session, user: User, detail: EndDetail, deps: RecheckDeps): Promise<void> {
  await forget(user, deps)
  await endSession(session, detail, deps)
}

async function forget({ id, key }: User, { store, publish }: RecheckDeps): Promise<void> {
  await store.forgetConfirmation(id)
  publish({ kind: 'user', key })
}

async function endSession({ id }: Session, detail: EndDetail, { sessions }: RecheckDeps): Promise<void> {
  await sessions.end(id, entryOf(id, detail))
}

const entryOf = (target: string, detail: EndDetail): AuditEntry => ({
  action: 'session.revoke',
  result: 'success',
  ...byTheService,
  target,
  detail,
})
