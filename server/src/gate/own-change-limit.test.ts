import { beforeEach, expect, test } from 'vitest'
import { signedInAnn } from '../../test/support/test-identity.ts'
import { named, withToken } from '../../test/support/test-port.ts'
import type { Confirm } from '../access/confirmation.ts'
import { internalAdmin, type Identity, type Principal } from '../access/identity.ts'
import type { AccessRule } from '../access/rule.ts'
import type { ServiceError } from '../shared/errors.ts'
import { changeBudget } from '../shared/rate/change-limit.ts'
import { createOwnChangeLimit, ownChangeTotal } from './own-change-limit.ts'
import type { RequestContext } from './request-context.ts'

const ann: Principal = signedInAnn
const ben: Principal = { ...ann, name: 'ben', key: 'ben', userId: 'id of ben', session: 's2' }
const own: AccessRule = { account: true }

interface SentRequest {
  readonly method?: string
  readonly rule?: AccessRule
  readonly identity?: Identity
  readonly isOwn?: boolean
  readonly confirm?: Confirm
}

const contextOf = ({ method = 'POST', rule = own, identity = ann, isOwn = false, confirm = 'always' }: SentRequest) =>
  ({ request: { method }, route: { confirm }, rule, identity, isOwn }) as unknown as RequestContext

/** Seconds after which a refused change is tried again. */
const retryAfters = new Set<number | undefined>()
beforeEach(() => retryAfters.clear())

function limitAt(now: () => number) {
  const limit = createOwnChangeLimit({ elapsed: now })
  return (sent: SentRequest = {}): boolean => {
    try {
      limit(contextOf(sent))
      return true
    } catch (error) {
      expect(error).toMatchObject({ code: 'too-many-attempts', reason: 'too-many-own-changes' })
      retryAfters.add((error as ServiceError).retryAfter)
      return false
    }
  }
}

test('[AUD-2] a user can change what is their own a number of times, and then once every few seconds', () => {
  let now = 0
  const isAllowed = limitAt(() => now)
  for (let nth = 0; nth < changeBudget.max; nth += 1) expect(isAllowed()).toBe(true)
  expect([isAllowed(), isAllowed({ identity: ben })]).toEqual([false, true])
  now += changeBudget.every
  expect([isAllowed(), isAllowed()]).toEqual([true, false])
  expect([...retryAfters]).toEqual([5])
})

test('[AUD-2] no single session or token of a user takes the changes of another, and all together have a limit, too', () => {
  const isAllowed = limitAt(() => 0)
  const use = (identity: Identity) => {
    let done = 0
    while (isAllowed({ identity })) done += 1
    return done
  }
  expect([use(ann), use(withToken(ann)), use({ ...ann, session: 's3' })]).toEqual([
    changeBudget.max,
    changeBudget.max,
    0,
  ])
  expect(ownChangeTotal.max).toBe(2 * changeBudget.max)
  // The first two for their own limit, the third one for that of all.
  expect([...retryAfters]).toEqual([5, 3])
  expect(use(ben)).toBe(changeBudget.max)
})

test('[AUD-2] users whom a proxy signs in have no session, and are limited each', () => {
  const isAllowed = limitAt(() => 0)
  const [one, other] = [named('one', 'viewer', 'proxy'), named('other', 'viewer', 'proxy')]
  for (let nth = 0; nth < changeBudget.max; nth += 1) expect(isAllowed({ identity: one })).toBe(true)
  expect([isAllowed({ identity: one }), isAllowed({ identity: other })]).toEqual([false, true])
})

test.each<[isCounted: boolean, what: string, sent: SentRequest]>([
  [true, 'PUT of what is one’s own', { method: 'PUT', rule: { own: { of: 'path' } } as AccessRule, isOwn: true }],
  [true, 'PATCH of an account', { method: 'PATCH' }],
  [true, 'a share link', { rule: { camera: 'share', of: 'body' } }],
  [false, 'PUT of what is someone else’s', { method: 'PUT', rule: { own: { of: 'path' } } as AccessRule }],
  [false, 'DELETE', { method: 'DELETE' }],
  [false, 'GET', { method: 'GET' }],
  [false, 'an action on a camera', { rule: { camera: 'export', of: 'body' }, isOwn: true }],
  [false, 'a confirmation', { confirm: 'itself' }],
  [false, 'the internal port', { identity: internalAdmin }],
  [false, 'an open route', { rule: { open: 'anyone' }, identity: { kind: 'unauthenticated' } }],
])('[AUD-2] counted %s: %s', (isCounted, _what, sent) => {
  const isAllowed = limitAt(() => 0)
  for (let nth = 0; nth < changeBudget.max; nth += 1) expect(isAllowed(sent)).toBe(true)
  expect(isAllowed(sent)).toBe(!isCounted)
})
