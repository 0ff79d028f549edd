import { describe, expect, test } from 'vitest'
import { requestMeta } from '../../test/support/request-meta.ts'
import { internalAdmin } from '../access/identity.ts'
import type { Authentication } from '../http/authentication.ts'
import { firstOf, gateAuthenticators } from './authenticators.ts'
import { noAuthentication } from './no-authentication.ts'

const valid = (name: string): Authentication => ({ ...noAuthentication, identity: { ...internalAdmin, name } })
const refused = (name: string): Authentication => ({
  ...noAuthentication,
  refusedToken: { reason: 'bad-token', user: { name, authMethod: 'password' }, ambient: true },
})

const order = ['proxy headers', 'API token', 'session token', 'screen'] as const
type Name = (typeof order)[number]
/** Without an entry: the request has no such credentials. */
type Sent = Partial<Record<Name, Authentication>>

const authenticate = (sent: Sent, { late = false, headers = {} } = {}) => {
  const either = (found: Authentication) => (late ? Promise.resolve(found) : found)
  const optional = (name: Name) => ({
    authenticate: () => (sent[name] === undefined ? undefined : either(sent[name])),
  })
  const always = (name: Name) => ({ authenticate: () => either(sent[name] ?? noAuthentication) })
  const authenticators = gateAuthenticators({
    proxy: optional('proxy headers').authenticate,
    apiTokens: optional('API token'),
    sessionTokens: always('session token'),
    screens: always('screen'),
  })
  return firstOf(authenticators)(requestMeta(headers))
}

/** Every choice of credentials. */
const choices = Array.from({ length: 2 ** order.length }, (_, bits) => order.filter((_, at) => bits & (1 << at)))

test.each(choices.filter((sent) => sent.length > 0).map((sent) => [sent]))(
  '[TOK-12] [KEY-6] [PROXY-17] of valid credentials, the first decide: %j',
  async (sent) => {
    const all: Sent = Object.fromEntries(sent.map((name) => [name, valid(name)]))
    for (const late of [false, true]) expect(await authenticate(all, { late })).toBe(all[sent[0]!])
  },
)

test('a request without credentials is authenticated without waiting', () => {
  expect(authenticate({})).toBe(noAuthentication)
})

test('a request that no authenticator answers is not authenticated', () => {
  const none = { name: 'none', authenticate: () => undefined, yields: true }
  expect(firstOf([none])(requestMeta({}))).toBe(noAuthentication)
})

describe.each([false, true])('credentials that are not valid (late: %s)', (late) => {
  test.each(['proxy headers', 'API token'] as const)('[TOK-12] [PROXY-17] %s decide alone', async (name) => {
    const rejected = refused(name)
    const after = order.slice(order.indexOf(name) + 1).map((next) => [next, valid(next)])
    expect(await authenticate({ ...Object.fromEntries(after), [name]: rejected }, { late })).toBe(rejected)
  })

  const over: Authentication = { ...noAuthentication, clearCookie: 'with-site' }
  const [session, screen] = [refused('session'), refused('screen')]
  const hall = valid('hall')
  const none = { ...noAuthentication }

  test.each<
    [what: string, session: Authentication | undefined, screen: Authentication | undefined, is: Authentication]
  >([
    ['none, and a screen', undefined, hall, hall],
    ['a rejected session, and a screen', session, hall, hall],
    ['a session that is over, and a screen', over, hall, hall],
    ['none, and a rejected screen', undefined, screen, screen],
    ['a rejected session, and a rejected screen', session, screen, session],
    ['a session that is over, and a rejected screen', over, screen, over],
    ['a rejected session, and no screen', session, undefined, session],
    ['no valid session, and no screen', none, { ...noAuthentication }, none],
  ])('[KEY-6] with %s', async (_what, ofSession, ofScreen, is) => {
    const sent = { ...(ofSession && { 'session token': ofSession }), ...(ofScreen && { screen: ofScreen }) }
    expect(await authenticate(sent, { late })).toBe(is)
  })

  test('[TOK-12] a program’s header is not replaced by the cookie of a screen', async () => {
    expect(await authenticate({ screen: hall }, { late, headers: { authorization: 'Basic x' } })).toBe(noAuthentication)
  })
})
