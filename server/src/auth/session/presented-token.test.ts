import { expect, test } from 'vitest'
import { requestMeta } from '../../../test/support/request-meta.ts'
import { allTokens, presentedToken, type PresentedToken } from './presented-token.ts'

type Sent = Readonly<Record<string, string | readonly string[]>>

const cookie = (token: string): PresentedToken => ({ kind: 'token', token, ambient: true })
const bearer = (token: string): PresentedToken => ({ kind: 'token', token, ambient: false })
const none: PresentedToken = { kind: 'none' }
const twoCookies: PresentedToken = { kind: 'two-cookies' }
const twoAuthorizations: PresentedToken = { kind: 'two-authorizations' }

test.each<[Sent, PresentedToken]>([
  [{}, none],
  [{ authorization: 'Bearer a' }, bearer('a')],
  [{ authorization: 'bEARER   a b' }, bearer('a b')],
  [{ authorization: 'Bearer' }, bearer('')],
  [{ authorization: 'Bearer\ta b' }, bearer('\ta b')],
  [{ authorization: 'Bearer a', cookie: 'token=b' }, bearer('a')],
  [{ authorization: ['Bearer a', 'Bearer a'] }, bearer('a')],
  [{ authorization: ['Bearer a', 'Bearer b'] }, twoAuthorizations],
  [{ authorization: ['Bearer a', 'Bearer a', 'Bearer b'] }, twoAuthorizations],
  [{ authorization: 'Basic a', cookie: 'token=b' }, cookie('b')],
  [{ authorization: 'Bearers a', cookie: 'token=b' }, cookie('b')],
  [{ authorization: 'Negotiate bearer a' }, none],
  [{ cookie: 'token=a' }, cookie('a')],
  [{ cookie: ' x=y;\ttoken = a ; z' }, cookie('a')],
  [{ cookie: 'token=a=b' }, cookie('a=b')],
  [{ cookie: 'token=' }, cookie('')],
  [{ cookie: 'token' }, none],
  [{ cookie: 'Token=a' }, none],
  [{ cookie: 'tokens=a; atoken=b' }, none],
  [{ cookie: '=token' }, none],
  [{ cookie: 'token=a; token=a' }, cookie('a')],
  [{ cookie: 'token=a; token=b' }, twoCookies],
  [{ cookie: ['token=a', 'token=b'] }, twoCookies],
])('[TOK-12] %j: %j', (sent, token) => {
  expect(presentedToken(requestMeta(sent), 'token')).toEqual(token)
})

test('[TOK-12] a cookie without a name is not a token, even if no name is configured', () => {
  expect(presentedToken(requestMeta({ cookie: '=a' }), '')).toEqual(none)
})

test.each<[Sent, string[]]>([
  [{}, []],
  [
    { authorization: ['Bearer a', 'Basic b', 'Bearer c'], cookie: ['token=d; token=a', 'token=e'] },
    ['a', 'c', 'd', 'e'],
  ],
])('[TOK-6] all tokens of %j: %j', (sent, tokens) => {
  expect(allTokens(requestMeta(sent), 'token')).toEqual(tokens)
})
