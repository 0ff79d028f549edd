import { expect, test } from 'vitest'
import { internalAdmin, type Identity } from '../access/identity.ts'
import type { AccessRule } from '../access/rule.ts'
import { createOwnChangeLimit, ownChangeBudget } from './own-change-limit.ts'
import type { RequestContext } from './request-context.ts'

const ann: Identity = {
  kind: 'authenticated',
  authMethod: 'password',
  name: 'ann',
  key: 'ann',
  userId: 'id of ann',
  role: 'viewer',
  session: 's1',
}
const ben: Identity = { ...ann, name: 'ben', key: 'ben', userId: 'id of ben' }
const own: AccessRule = { account: true }

interface SentRequest {
  readonly method?: string
  readonly rule?: AccessRule
  readonly identity?: Identity
  readonly isOwn?: boolean
}

const contextOf = ({ method = 'POST', rule = own, identity = ann, isOwn = false }: SentRequest) =>
  ({ request: { method }, rule, identity, isOwn }) as unknown as RequestContext

function limitAt(now: () => number) {
  const limit = createOwnChangeLimit({ elapsed: now })
  return (sent: SentRequest = {}): boolean => {
    try {
      limit(contextOf(sent))
      return true
    } catch (error) {
      expect(error).toMatchObject({ code: 'too-many-attempts', retryAfter: 5 })
      return false
    }
  }
}

test('[AUD-2] a user can change what is their own a number of times, and then once every few seconds', () => {
  let now = 0
  const isAllowed = limitAt(() => now)
  for (let nth = 0; nth < ownChangeBudget.max; nth += 1) expect(isAllowed()).toBe(true)
  expect([isAllowed(), isAllowed({ identity: ben })]).toEqual([false, true])
  now += ownChangeBudget.every
  expect([isAllowed(), isAllowed()]).toEqual([true, false])
})

test.each<[isCounted: boolean, what: string, sent: SentRequest]>([
  [true, 'PUT of what is one’s own', { method: 'PUT', rule: { own: { of: 'path' } } as AccessRule, isOwn: true }],
  [true, 'PATCH of an account', { method: 'PATCH' }],
  [true, 'a share link', { rule: { camera: 'share', of: 'body' } }],
  [false, 'PUT of what is someone else’s', { method: 'PUT', rule: { own: { of: 'path' } } as AccessRule }],
  [false, 'DELETE', { method: 'DELETE' }],
  [false, 'GET', { method: 'GET' }],
  [false, 'an action on a camera', { rule: { camera: 'export', of: 'body' }, isOwn: true }],
  [false, 'the internal port', { identity: internalAdmin }],
  [false, 'an open route', { rule: { open: 'anyone' }, identity: { kind: 'unauthenticated' } }],
])('[AUD-2] counted %s: %s', (isCounted, _what, sent) => {
  const isAllowed = limitAt(() => 0)
  for (let nth = 0; nth < ownChangeBudget.max; nth += 1) expect(isAllowed(sent)).toBe(true)
  expect(isAllowed(sent)).toBe(!isCounted)
})
