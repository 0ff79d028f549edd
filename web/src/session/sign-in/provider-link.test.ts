import { expect, test } from 'vitest'
import { providerLink } from './provider-link.ts'

test.each([
  ['/', '/', '/api/oidc/login'],
  ['/', '/history?at=1&camera=yard#x', '/api/oidc/login?return_to=%2Fhistory%3Fat%3D1%26camera%3Dyard%23x'],
  ['/nvr/', '/nvr/', '/nvr/api/oidc/login'],
  ['/nvr/', '/nvr/history', '/nvr/api/oidc/login?return_to=%2Fhistory'],
])('[OIDC-1] below %s, the provider leads back to %s by %s', (basePath, page, href) => {
  expect(providerLink({ login_url: `${basePath}api/oidc/login` }, page, basePath)).toBe(href)
})
