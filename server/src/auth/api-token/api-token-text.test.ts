import { expect, test } from 'vitest'
import { apiTokenIn, apiTokenText } from './api-token-text.ts'

const token = { id: '0123456789abcdef'.repeat(2), secret: 'A_-'.repeat(14) + 'Z' }
const text = apiTokenText(token)
const base64 = (of: string) => Buffer.from(of, 'latin1').toString('base64')
const inHeader = (...values: string[]) =>
  apiTokenIn({ peer: '', encrypted: false, values: (name) => (name === 'authorization' ? values : []) })

test.each([
  ['Bearer', `Bearer ${text}`, false],
  ['Bearer, with other letters and spaces', `bEARER   ${text}`, false],
  ['Basic', `Basic ${base64(`ann:${text}`)}`, true],
  ['Basic, without a username', `basic ${base64(`:${text}`)}`, true],
  ['Basic, with a username that is not ASCII', `Basic ${base64(`\xe4nn:${text}`)}`, true],
  ['Basic, without padding', `Basic ${base64(`a:${text}`).replaceAll('=', '')}`, true],
])('[KEY-3] a token is found as %s', (_what, value, ambient) => {
  expect(inHeader(value)).toEqual({ token, ambient, text })
  expect(inHeader(value, value)).toEqual({ token, ambient, text })
})

test.each([
  ['nothing', []],
  ['two different headers', [`Bearer ${text}`, `Basic ${base64(`a:${text}`)}`]],
  ['another scheme', [`Digest ${text}`]],
  ['a scheme that ends like Bearer', [`XBearer ${text}`]],
  ['a scheme that ends like Basic', [`XBasic ${base64(`ann:${text}`)}`]],
  ['another password', [`Basic ${base64('ann:gh')}`]],
  ['no colon', [`Basic ${base64(text)}`]],
  ['text that is not base64', [`Basic ann:${text}`]],
  ['base64 with spaces', [`Basic ${base64(`ann:${text}`).replace('g', ' g')}`]],
  ['base64 of no whole number of bytes', ['Basic YW5uO']],
  ['base64 with the wrong padding', [`Basic ${base64('ann:x').replace(/=*$/, '')}==`]],
])('[KEY-3] %s isn’t a token', (_what, values) => {
  expect(inHeader(...values)).toBe('none')
})

test.each([`${text}=`, `gh_${text}`, text.slice(0, -1), text.toUpperCase().replace('GH', 'gh'), 'gh_'])(
  '[KEY-3] %s begins like a token, but is wrong',
  (wrong) => {
    for (const value of [`Bearer ${wrong}`, `Basic ${base64(`ann:${wrong}`)}`]) {
      expect(inHeader(value)).toMatchObject({ token: 'invalid', text: wrong })
    }
  },
)
