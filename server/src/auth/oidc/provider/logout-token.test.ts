import { createLocalJWKSet, errors, exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { LogoutTokenError, readLogoutToken, type LogoutTokenChecks } from './logout-token.ts'

const now = Date.UTC(2026, 0, 1, 12)
const iat = now / 1000
const event = 'http://schemas.openid.net/event/backchannel-logout'
const usual: JWTPayload = {
  iss: 'https://id.lan',
  aud: 'gatehouse',
  jti: 'a',
  iat,
  sub: 'ann',
  events: { [event]: {} },
}

let checks: LogoutTokenChecks
let sign: (claims: JWTPayload, header?: object) => Promise<string>
beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), alg: 'RS256' }] })
  checks = { issuer: 'https://id.lan', clientId: 'gatehouse', keys, now }
  sign = (claims, header) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', ...header }).sign(privateKey)
})

test.each<[what: string, claims: JWTPayload, header?: object]>([
  ['without a type', {}],
  ['of its own type', {}, { typ: 'logout+jwt' }],
  ['of its whole type, in capitals', {}, { typ: 'application/LOGOUT+JWT' }],
  ['of the general type, which some providers use', {}, { typ: 'JWT' }],
  ['two minutes and less than a minute of difference old', { iat: iat - 179 }],
  ['of a clock that is less than a minute ahead', { iat: iat + 59 }],
  ['for several clients', { aud: ['other', 'gatehouse'] }],
])('[OIDC-4] a token %s is read', async (_, claims, header) => {
  const read = await readLogoutToken(await sign({ ...usual, ...claims }, header), checks)
  expect(read).toMatchObject({ issuer: 'https://id.lan', subject: 'ann', sid: undefined })
  // A row that is deleted too soon would let the token be used again.
  expect(read.expiresAt).toBeGreaterThanOrEqual(((claims.iat ?? iat) + 180) * 1000)
})

test.each<[what: string, claims: JWTPayload, header?: object]>([
  ['of an access token', {}, { typ: 'at+jwt' }],
  ['of a type that only begins like its own', {}, { typ: 'logout+jwt+x' }],
  ['three minutes old', { iat: iat - 181 }],
  ['a minute ahead', { iat: iat + 61 }],
  ['without a time', { iat: undefined as unknown as number }],
  ['with a nonce', { nonce: null }],
  ['with an empty subject', { sub: '' }],
  ['with an empty session id', { sid: '' }],
  ['with a line break in the session id', { sid: 'a\n' }],
  ['with an empty id', { jti: '' }],
  ['with a number as its id', { jti: 7 as unknown as string }],
  ['without an id', { jti: undefined as unknown as string }],
  ['with a number as its subject', { sub: 7 as unknown as string }],
  ['without a subject or a session', { sub: undefined as unknown as string }],
  ['without events', { events: undefined }],
  ['with events that are null', { events: null }],
  ['with events that are a list', { events: [event] }],
  ['with events that are a text', { events: event }],
  ['of another event', { events: { 'http://schemas.openid.net/event/other': {} } }],
  ['whose event is null', { events: { [event]: null } }],
  ['whose event is a list', { events: { [event]: [] } }],
  ['whose event is a text', { events: { [event]: 'yes' } }],
])('[OIDC-4] a token %s is refused', async (_, claims, header) => {
  const error: unknown = await readLogoutToken(await sign({ ...usual, ...claims }, header), checks).catch(
    (cause) => cause,
  )
  // Any other error would mean that the keys are out of reach.
  expect(
    error instanceof LogoutTokenError ||
      error instanceof errors.JWTInvalid ||
      error instanceof errors.JWTExpired ||
      error instanceof errors.JWTClaimValidationFailed,
  ).toBe(true)
})

test('[OIDC-4] a token can name only a session', async () => {
  const token = await sign({ ...usual, sub: undefined as unknown as string, sid: 's1' })
  expect(await readLogoutToken(token, checks)).toMatchObject({ subject: undefined, sid: 's1' })
})

test.each(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'Ed25519', 'EdDSA'])(
  '[OIDC-4] a token signed with a key for %s is read',
  async (alg) => {
    const { privateKey, publicKey } = await generateKeyPair(alg)
    const token = await new SignJWT(usual).setProtectedHeader({ alg }).sign(privateKey)
    expect(await readLogoutToken(token, { ...checks, keys: async () => publicKey })).toMatchObject({ subject: 'ann' })
  },
)

test('[OIDC-4] a token signed with a secret is refused, whatever the keys are', async () => {
  const secret = new Uint8Array(32).fill(7)
  const token = await new SignJWT(usual).setProtectedHeader({ alg: 'HS256' }).sign(secret)
  await expect(readLogoutToken(token, { ...checks, keys: async () => secret })).rejects.toThrow(/alg/)
})

const hashOf = async (claims: JWTPayload, issuer = 'https://id.lan') =>
  (await readLogoutToken(await sign({ ...usual, iss: issuer, ...claims }), { ...checks, issuer })).hash

test('[OIDC-4] the hash differs by issuer and by id, and by nothing else', async () => {
  const hash = await hashOf({})
  expect(await hashOf({ sub: 'bob' })).toBe(hash)
  expect(new Set([hash, await hashOf({ jti: 'b' }), await hashOf({}, 'https://other.lan')]).size).toBe(3)
})
