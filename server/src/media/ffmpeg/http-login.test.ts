import { expect, test } from 'vitest'
import { expectLinear } from '../../../test/support/linear-cost.ts'
import { challengeIn } from './http-login.ts'

const paramsOf = (text: string) => Object.fromEntries(challengeIn(`Digest ${text}`)?.params ?? [])

test('the parameters of a challenge are read as cameras write them', () => {
  expect(paramsOf('realm="door cam", nonce="a\\"b", QOP = auth,opaque=x-1')).toEqual({
    realm: 'door cam',
    nonce: 'a"b',
    qop: 'auth',
    opaque: 'x-1',
  })
  expect(paramsOf('=x, realm, nonce="open')).toEqual({ nonce: '"open' })
  expect(paramsOf('realm="a"nonce="b"')).toEqual({ realm: 'a', nonce: 'b' })
})

test('the strongest challenge is chosen, and one that no one can answer isn’t one', () => {
  expect(challengeIn('Basic realm="x", Digest realm="x", algorithm=MD5')?.scheme).toBe('digest')
  const algorithm = challengeIn('Digest algorithm=MD5, Digest algorithm=SHA-256')?.params.get('algorithm')
  expect(algorithm).toBe('SHA-256')
  expect(challengeIn('Digest algorithm=unknown')).toBeUndefined()
  expect(challengeIn('Negotiate, NTLM')).toBeUndefined()
})

test('no challenge takes longer than its length requires', () => {
  const begin = 'Digest '
  expectLinear(challengeIn, 'Digest realm="camera", ', [
    ...['a', 'a-', 'a ', ' ', 'a=', 'a= ', 'a,', 'a=" ', 'a="\\\r', '"', ', ', ',', 'digest,'].map((repeated) => ({
      begin,
      repeated,
    })),
    { begin: `${begin}a`, repeated: ' ' },
    { begin: `${begin}a=`, repeated: ' ' },
    { begin: `${begin}a="`, repeated: 'b' },
    { begin: `${begin}a="`, repeated: '\\"' },
    { begin: `${begin}a="`, repeated: '\\' },
    { repeated: ' ' },
    { begin: ',', repeated: ' ' },
    { repeated: 'Digest ' },
  ])
})
