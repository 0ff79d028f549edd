import { expect, test } from 'vitest'
import { scopeParameters } from './scope-parameters.ts'

const google = 'https://accounts.google.com'

test.each<[issuer: string, scopes: string[], parameters: object]>([
  ['https://id.example', [], { scope: 'openid' }],
  ['https://id.example', ['profile', 'openid', 'offline_access'], { scope: 'openid profile offline_access' }],
  [google, ['openid', 'email'], { scope: 'openid email' }],
  [google, ['email', 'offline_access'], { scope: 'openid email', access_type: 'offline', prompt: 'consent' }],
  [`${google}.example`, ['offline_access'], { scope: 'openid offline_access' }],
])('[OIDC-1] %s is asked for %j', (issuer, scopes, parameters) => {
  expect(scopeParameters(issuer, scopes)).toEqual(parameters)
})
