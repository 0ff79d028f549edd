import { expect, test, vi } from 'vitest'
import { ApiError, type ApiFailure } from '../api/api.ts'
import { refusalOf, retryDelay, type Refusal } from './refusal.ts'

// base.ts reads document.baseURI as soon as it is loaded.
vi.hoisted(() => vi.stubGlobal('document', { baseURI: 'https://gate.test/' }))

const gone = (code: string): ApiFailure => ({ status: 410, code: 'gone', reason: { code } })

test.each<[what: string, failure: ApiFailure, refusal: Refusal]>([
  ['a wrong secret', { status: 401, reason: { code: 'wrong-link' } }, { kind: 'unknown' }],
  ['a URL without a secret', { status: 401 }, { kind: 'unknown' }],
  ['an id that isn’t one', { status: 400 }, { kind: 'unknown' }],
  ['a missing code', { status: 401, reason: { code: 'link-code-required' } }, { kind: 'code', wrong: false }],
  ['a wrong code', { status: 401, reason: { code: 'wrong-link-code' } }, { kind: 'code', wrong: true }],
  ['too many attempts', { status: 429, retryAfter: 40 }, { kind: 'busy', seconds: 40 }],
  ['expired', gone('link-expired'), { kind: 'expired' }],
  ['used up', gone('link-used-up'), { kind: 'used-up' }],
  ['locked', gone('link-locked'), { kind: 'locked' }],
  ['revoked', gone('link-revoked'), { kind: 'revoked' }],
  ['not shared now', gone('link-unavailable'), { kind: 'unavailable', seconds: 30 }],
  ['ended for a reason that this page does not know', gone('constructor'), { kind: 'unknown' }],
  ['full', { status: 503, reason: { code: 'too-many-viewers' }, retryAfter: 15 }, { kind: 'full', seconds: 15 }],
  ['a service that restarts', { status: 503 }, { kind: 'away', seconds: undefined }],
  ['no network', { status: 0 }, { kind: 'away', seconds: undefined }],
])('%s', (_, failure, refusal) => expect(refusalOf(new ApiError('', failure))).toEqual(refusal))

test.each<[refusal: Refusal, attempts: number, delay: number | undefined]>([
  [{ kind: 'revoked' }, 1, undefined],
  [{ kind: 'code', wrong: true }, 1, undefined],
  [{ kind: 'full', seconds: 15 }, 1, 15_000],
  [{ kind: 'busy', seconds: 0 }, 1, 1000],
  [{ kind: 'away', seconds: undefined }, 0, 1000],
  [{ kind: 'away', seconds: undefined }, 9, 15_000],
])('%j is retried after %d failures', (refusal, attempts, delay) => {
  expect(retryDelay(refusal, attempts, 0)).toBe(delay)
})
