import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createJwtCodec } from './jwt-codec.ts'

const secret = 's'.repeat(64)
const claims = { sub: 'Ann', iat: 100, exp: 200 }
const lastMoment = 8.64e12

const encoded = (text: string | Buffer) => Buffer.from(text).toString('base64url')
const signed = (header: string, payload: string | Buffer) => {
  const text = `${encoded(header)}.${encoded(payload)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}
const withHeader = (header: object) => signed(JSON.stringify(header), JSON.stringify(claims))
const withClaims = (more: object) => signed('{"alg":"HS256"}', JSON.stringify({ ...claims, ...more }))
const read = (token: string) => createJwtCodec(secret).verify(token)

describe('[TOK-2] the claims of a token', () => {
  test.each<[object, object]>([
    [{}, { sub: 'Ann', key: 'ann', iat: 100, exp: 200, since: 100, nbf: undefined, sid: undefined, cred: undefined }],
    [
      { nbf: 150, sid: 's1', cred: 'c1', since: 50 },
      { nbf: 150, sid: 's1', cred: 'c1', since: 50 },
    ],
    [{ iss: 'gatehouse', aud: 'gatehouse' }, { key: 'ann' }],
    [{ aud: ['other', 'gatehouse'] }, { key: 'ann' }],
    [
      { iat: -lastMoment, exp: lastMoment },
      { iat: -lastMoment, exp: lastMoment },
    ],
  ])('%j: %j', (more, expected) => {
    expect(read(withClaims(more))).toMatchObject(expected)
  })

  test.each<[object]>([
    [{ iss: 'other' }],
    [{ iss: null }],
    [{ aud: 'other' }],
    [{ aud: [] }],
    [{ aud: null }],
    [{ sub: 7 }],
    [{ sub: null }],
    [{ sub: '' }],
    [{ iat: '100' }],
    [{ iat: null }],
    [{ iat: '100', since: 50 }],
    [{ exp: lastMoment * 2 }],
    [{ since: '50' }],
    [{ since: lastMoment * 2 }],
    [{ nbf: '150' }],
    [{ nbf: null }],
    [{ nbf: lastMoment * 2 }],
    [{ sid: 7 }],
    [{ sid: null }],
    [{ cred: 7 }],
    [{ cred: null }],
  ])('%j are rejected', (more) => {
    expect(read(withClaims(more))).toBeUndefined()
  })

  test.each(['null', '7', '"text"', '[]', 'nonsense', ''])('a payload of %s is rejected', (payload) => {
    expect(read(signed('{"alg":"HS256"}', payload))).toBeUndefined()
  })

  test('a payload that is not UTF-8 is rejected', () => {
    const payload = Buffer.from(`{"sub":"Ann","iat":100,"exp":200,"more":"\xff"}`, 'latin1')
    expect(read(signed('{"alg":"HS256"}', payload))).toBeUndefined()
  })
})

describe('[TOK-2] the header of a token', () => {
  test.each([{}, { typ: 'JWT' }, { typ: 'jwt' }, { typ: 'Jwt' }, { kid: '1' }])('%j is accepted', (more) => {
    expect(read(withHeader({ alg: 'HS256', ...more }))).toMatchObject({ sub: 'Ann' })
  })

  test.each([
    { typ: 'at+jwt' },
    { typ: null },
    { typ: 7 },
    { typ: '' },
    { alg: undefined },
    { b64: true },
    { crit: [] },
    { jwk: {} },
    { jku: '' },
    { x5u: '' },
    { x5c: [] },
    { zip: '' },
  ])('%j is rejected', (more) => {
    expect(read(withHeader({ alg: 'HS256', ...more }))).toBeUndefined()
  })
})

const good = withClaims({})
const [head = '', body = '', signature = ''] = good.split('.')
const otherKey = createHmac('sha256', 'o'.repeat(64)).update(`${head}.${body}`).digest('base64url')

test.each([
  ['another key', `${head}.${body}.${otherKey}`],
  ['another payload', `${head}.${encoded(JSON.stringify({ ...claims, sub: 'Eve' }))}.${signature}`],
  ['none', `${head}.${body}.`],
  ['a part of it', `${head}.${body}.${encoded(Buffer.from(signature, 'base64url').subarray(0, 16))}`],
  ['one byte more', `${head}.${body}.${encoded(Buffer.concat([Buffer.from(signature, 'base64url'), Buffer.of(0)]))}`],
  ['one that is not canonical', `${good}=`],
  ['a fourth part', `${good}.`],
  ['a missing part', `${head}.${signature}`],
])('[TOK-2] a signature with a fault is rejected: %s', (_fault, token) => {
  const codec = createJwtCodec(secret)
  expect(codec.verify(token)).toBeUndefined()
  expect(codec.verify(good)).toMatchObject({ sub: 'Ann' })
})

const padded = (size: number) => withClaims({ more: 'x'.repeat(size) })
/** Base64 has no text of every length: the shortest token that has at least this one. */
const ofLength = (length: number): string => {
  let size = 2900
  while (padded(size).length < length) size += 1
  return padded(size)
}

test('[TOK-2] a token has at most 4096 characters', () => {
  expect(ofLength(4096)).toHaveLength(4096)
  expect(read(ofLength(4096))).toMatchObject({ sub: 'Ann' })
  expect(read(ofLength(4097))).toBeUndefined()
})

test('a token that was verified or signed before is not verified again', () => {
  const codec = createJwtCodec(secret)
  const token = withClaims({})
  const first = codec.verify(token)
  expect(first).toBeDefined()
  expect(codec.verify(token)).toBe(first)
  expect(codec.verify(codec.sign({ ...claims, role: 'viewer' }))).toMatchObject(claims)
})
