import { expect, test } from 'vitest'
import { requestMeta } from '../../../test/support/request-meta.ts'
import { linkCookie, viewerIn } from './link-cookie.ts'

const viewer = '0123456789abcdef'.repeat(2)
const signature = 'A_-'.repeat(14) + 'Z'
const value = `${viewer}.${signature}`
const shown = { id: viewer, proof: signature }
const inHeaders = (...cookie: string[]) => viewerIn(requestMeta({ cookie }))

test.each([
  ['alone', [`gatehouse_link=${value}`]],
  ['between others', [`a=1; gatehouse_link=${value} ; b=2`]],
  ['beside a cookie whose name begins like its own', [`gatehouse_links=1; gatehouse_link=${value}`]],
  ['beside a name without a value', [`gatehouse_link1; gatehouse_link=${value}`]],
  ['twice, with the same value', [`gatehouse_link=${value}`, `gatehouse_link=${value}`]],
])('[LINK-2] the cookie of a link is found %s', (_where, cookies) => {
  expect(inHeaders(...cookies)).toEqual(shown)
})

test.each([
  ['no cookie', []],
  ['another cookie', [`gatehouse_token=${value}`]],
  ['a cookie without a name', [`=${value}`]],
  ['two different values', [`gatehouse_link=${value}; gatehouse_link=${value}x`]],
  ['two different values in two headers', [`gatehouse_link=${value}`, 'gatehouse_link=']],
  ['text before the viewer', [`gatehouse_link=0${value}`]],
  ['text after the signature', [`gatehouse_link=${value}x`]],
  ['no signature', [`gatehouse_link=${viewer}`]],
])('[LINK-2] %s shows no viewer', (_what, cookies) => {
  expect(inHeaders(...cookies)).toBeUndefined()
})

test.each([
  [true, '; Secure'],
  [false, ''],
])('[LINK-2] the cookie is sent only below the path of the link, encrypted: %s', (encrypted, secure) => {
  const client = { address: '', encrypted, knownEncrypted: encrypted, host: '', basePath: '/base/' }
  expect(linkCookie('id', shown, 60, client)).toBe(
    `gatehouse_link=${value}; Max-Age=60; Path=/base/api/links/id; HttpOnly${secure}; SameSite=Strict`,
  )
})
