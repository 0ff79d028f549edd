import type { Audit, AuditEntry } from '../../shared/audit/audit.ts'
import { auditLimited } from '../../shared/audit/limited-attempt.ts'
import type { Clock } from '../../shared/time/clock.ts'
import { ServiceError } from '../../shared/errors.ts'
import type { Random } from '../../shared/random.ts'
import { createBudgets } from '../../shared/rate/budgets.ts'
import { retryAfterOf } from '../../shared/rate/retry-after.ts'
import { addressKey } from '../../shared/http/address-key.ts'
import type { RequestMeta } from '../../shared/http/request-meta.ts'
import { hasHash } from '../link-secret.ts'
import type { ProvenId } from '../cookie/proven-id.ts'
import type { LoginLimit } from '../password/login-limit.ts'
import type { AuthReasons } from '../reasons.ts'
import type { LinkKeys } from './link-keys.ts'
import { isLocked, isUsedUp } from './link-response.ts'
import { describe } from './new-link.ts'
import { maxWrongCodes, type ShareLink } from './share-link.ts'
import type { LinkSecret } from './share-link-schema.ts'
import type { ShareLinkStore } from './share-link-store.ts'
import type { ShareLinks } from './share-links.ts'
import { isId, newId } from '../../shared/random-id.ts'

/** Who opens a link. */
export interface Opener {
  readonly address: string
  readonly meta: RequestMeta
}

export interface Opened {
  readonly link: ShareLink
  /** For the viewer's cookie. */
  readonly viewer: ProvenId
}

export interface OpenLinkDeps {
  readonly store: Pick<ShareLinkStore, 'linksById' | 'open' | 'takeCodeTry' | 'returnCodeTry'>
  readonly shareLinks: Pick<ShareLinks, 'endOf' | 'viewerOf' | 'slots'>
  readonly keys: LinkKeys
  /** Counts wrong secrets and codes. */
  readonly limit: LoginLimit
  readonly audit: Audit
  readonly clock: Clock
  readonly random: Random
}

/** Seconds until a slot may be free. */
const retryAfter = 15
/**
 * Openings of one link by one address (IPv6: /64). Each is an entry in the audit log, which someone with a link could
 * otherwise fill; those of other addresses don't wait for it.
 */
const openings = { max: 300, every: 2_000, keys: 10_000 }

/**
 * Exchanges a link's secret for a viewer (LINK-2).
 *
 * A viewer with the cookie of an earlier opening needs no code, and no other use of the link: a page that is loaded again
 * is the same viewer.
 *
 * @throws ServiceError `unauthenticated` for a wrong secret or code, `gone`, `busy`, `too-many-attempts`
 */
export function createOpenLink({ store, shareLinks, keys, limit, audit, clock, random }: OpenLinkDeps) {
  const counted = createBudgets(openings, clock)
  const failed = (opener: Opener, link: LinkNamed, reason: 'wrong-link' | 'wrong-link-code') => {
    audit.record({ ...entryOf(opener, link), result: 'failure', detail: reason })
    return new ServiceError<AuthReasons>('unauthenticated', { reason })
  }

  /** @returns false for a wrong code. Each one counts before it is checked, so that many addresses can't guess together. */
  const isRightCode = async ({ id, codeHash }: ShareLink, code: string | undefined): Promise<boolean> => {
    if (codeHash === null) return true
    if (code === undefined) throw new ServiceError<AuthReasons>('unauthenticated', { reason: 'link-code-required' })
    if (!(await store.takeCodeTry(id, maxWrongCodes))) throw over('link-locked')
    if (!keys.hasCode(id, code, codeHash)) return false
    await store.returnCodeTry(id)
    return true
  }

  const admit = async (link: ShareLink, opener: Opener, before: string | undefined): Promise<Opened> => {
    if (!counted.take(`${link.id} ${addressKey(opener.address)}`)) {
      throw new ServiceError<AuthReasons>('too-many-attempts', {
        reason: 'link-opened-too-often',
        retryAfter: retryAfterOf(openings.every),
      })
    }
    const viewer = before ?? newId(random)
    if ((await shareLinks.slots.hold(link.id, viewer, link.maxViewers)) === 'full') {
      throw new ServiceError<AuthReasons>('busy', { reason: 'too-many-viewers', retryAfter })
    }
    const detail = [describe(link), link.note].filter(Boolean).join(' ')
    const entry: AuditEntry = { ...entryOf(opener, link), result: 'success', detail }
    if ((await store.open(link.id, clock.now(), before === undefined, entry)) === 'over') throw over('link-used-up')
    return { link, viewer: { id: viewer, proof: keys.sign(link, viewer) } }
  }

  return async (id: string, { secret, code }: LinkSecret, opener: Opener): Promise<Opened> => {
    const attempted = entryOf(opener, { id: null })
    const permit = await auditLimited(audit, attempted, () => limit.acquire(opener.address))
    try {
      const [link] = isId(id) ? await store.linksById([id]) : []
      if (!link || !hasHash(secret, link.secretHash)) {
        permit.fail()
        throw failed(opener, link ?? { id: null }, 'wrong-link')
      }
      const before = shareLinks.viewerOf(link, opener.meta)
      const end = await shareLinks.endOf(link)
      if (end !== undefined) throw over(end)
      if (before === undefined) {
        if (isUsedUp(link)) throw over('link-used-up')
        if (isLocked(link)) throw over('link-locked')
        if (!(await isRightCode(link, code))) {
          permit.fail()
          throw failed(opener, link, 'wrong-link-code')
        }
      }
      return await admit(link, opener, before)
    } finally {
      permit.release()
    }
  }
}

const over = (reason: 'link-expired' | 'link-revoked' | 'link-used-up' | 'link-locked' | 'link-unavailable') =>
  new ServiceError<AuthReasons>('gone', { reason })

/** A link. Without an id: one that doesn't exist, as its id can be made up without end (AUD-2). */
type LinkNamed = { readonly id: string | null } & Partial<Pick<ShareLink, 'camera'>>

const entryOf = ({ address }: Opener, { id, camera }: LinkNamed): Omit<AuditEntry, 'result'> => ({
  action: 'link.open',
  user: null,
  auth_method: null,
  address,
  target: id,
  ...(camera !== undefined && { camera }),
})
