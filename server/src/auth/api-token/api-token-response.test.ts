import { expect, test } from 'vitest'
import { testApiToken } from '../../../test/support/test-api-token.ts'
import { apiTokenResponse } from './api-token-response.ts'
import type { ApiToken, ApiTokenUse } from './api-token-store.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

const token = testApiToken({
  cameras: [cameraKey('yard~1'), cameraKey('roof~1')],
  actions: ['live'],
  expiresAt: 1_700_000_003_000,
  credentialVersion: 1,
  lastUsedAt: 1_700_000_001_000,
  lastUsedFrom: '192.0.2.1',
})
const view = (more: Partial<ApiToken> = {}, use?: ApiTokenUse) =>
  apiTokenResponse(
    { ...token, ...more },
    { keys: { nameOf: (key) => (key === 'yard~1' ? 'yard' : key) }, uses: { unwritten: () => use } },
  )

test('[KEY-1] a token is shown without its secret, and without cameras that no longer exist', () => {
  expect(view()).toEqual({
    id: token.id,
    name: 'x',
    owner: 'ann',
    cameras: ['yard'],
    actions: ['live'],
    created_at: '2023-11-14T22:13:20.000Z',
    expires_at: '2023-11-14T22:13:23.000Z',
    ends_with_password: true,
    parent: null,
    last_used_at: '2023-11-14T22:13:21.000Z',
    last_used_from: '192.0.2.1',
  })
})

test('[KEY-1] a token without limits, that was never used', () => {
  const nothing = { cameras: null, actions: null, expiresAt: null, credentialVersion: null }
  expect(view({ ...nothing, lastUsedAt: null, lastUsedFrom: null })).toMatchObject({
    cameras: null,
    actions: null,
    expires_at: null,
    ends_with_password: false,
    last_used_at: null,
    last_used_from: null,
  })
})

test('[KEY-4] a token that another created names it', () => {
  expect(view({ parentId: 'p', parentName: 'Parent' }).parent).toEqual({ id: 'p', name: 'Parent' })
})

test.each<[string, Partial<ApiToken>]>([
  ['the one before', {}],
  ['no other', { lastUsedAt: null, lastUsedFrom: null }],
])('[KEY-5] a use that is not written yet is shown instead of %s', (_which, more) => {
  expect(view(more, { id: token.id, at: 1_700_000_002_000, address: '192.0.2.2' })).toMatchObject({
    last_used_at: '2023-11-14T22:13:22.000Z',
    last_used_from: '192.0.2.2',
  })
})
