import { expect, test } from 'vitest'
import { requestMeta } from '../../../test/support/request-meta.ts'
import type { Client } from '../../shared/http/request-meta.ts'
import { screenCookie, screenIn } from './screen-cookie.ts'

const client: Client = { address: '', encrypted: true, knownEncrypted: true, host: 'here', basePath: '/' }
const id = '0123456789abcdef'.repeat(2)
const proof = 'S'.repeat(43)
const cookie = `gatehouse_screen=${id}.${proof}`
const requestWith = (...cookie: readonly string[]) => requestMeta({ cookie })

test.each<[Partial<Client>, string]>([
  [{}, 'Max-Age=34560000; Path=/; HttpOnly; Secure; SameSite=Strict'],
  [{ basePath: '/cams/' }, 'Max-Age=34560000; Path=/cams; HttpOnly; Secure; SameSite=Strict'],
  [{ encrypted: false }, 'Max-Age=34560000; Path=/; HttpOnly; SameSite=Strict'],
])('[KEY-6] the cookie of a screen, for %o', (more, attributes) => {
  expect(screenCookie({ id, proof }, { ...client, ...more })).toBe(`${cookie}; ${attributes}`)
})

test.each<[what: string, cookies: readonly string[], found: ReturnType<typeof screenIn>]>([
  ['none', [], 'none'],
  ['another one', ['other=x; gatehouse_screen'], 'none'],
  ['one without a name', [`=${id}.${proof}`], 'none'],
  ['its own', [cookie], { id, proof }],
  ['its own among others', [`x=1;\t gatehouse_screen = ${id}.${proof} ;y=2`], { id, proof }],
  ['the same twice', [`${cookie}; ${cookie}`, cookie], { id, proof }],
  ['two different ones', [cookie, cookie.replace('S', 'T')], 'invalid'],
  ['an empty one', ['gatehouse_screen='], 'invalid'],
  ['one with more before it', [cookie.replace('=', '=0')], 'invalid'],
  ['one with more after it', [`${cookie}S`], 'invalid'],
  ['one in capitals', [`gatehouse_screen=${id.toUpperCase()}.${proof}`], 'invalid'],
])('[KEY-6] of the cookies of a request, %s', (_what, cookies, found) => {
  expect(screenIn(requestWith(...cookies))).toEqual(found)
})
