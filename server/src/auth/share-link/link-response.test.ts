import { expect, test } from 'vitest'
import { testShareLink } from '../../../test/support/test-share-link.ts'
import { linkResponse, openedResponse } from './link-response.ts'
import type { LinkEnd, ShareLink } from './share-link.ts'

const range = { kind: 'history', start: 1_700_000_010_000, end: 1_700_000_030_500 } as const

test('a link is shown with its times as RFC 3339, those of recordings in Unix seconds', () => {
  const link = testShareLink({
    ...range,
    codeHash: 'code',
    opens: 2,
    maxOpens: 3,
    maxViewers: 4,
    download: true,
    audio: true,
    note: 'for Ben',
    lastOpenedAt: 1_700_000_000_001,
  })
  expect(linkResponse(link, undefined, 1)).toEqual({
    id: link.id,
    kind: 'history',
    camera: 'yard',
    start: 1_700_000_010,
    end: 1_700_000_030.5,
    export: null,
    state: 'active',
    expires_at: '2023-11-14T23:13:20.000Z',
    has_code: true,
    opens: 2,
    max_opens: 3,
    viewers: 1,
    max_viewers: 4,
    download: true,
    audio: true,
    note: 'for Ben',
    owner: 'ann',
    created_at: '2023-11-14T22:13:20.000Z',
    last_opened_at: '2023-11-14T22:13:20.001Z',
  })
})

test('a link to a live camera has no range, no code and was never opened', () => {
  const empty = { start: null, end: null, has_code: false, last_opened_at: null }
  expect(linkResponse(testShareLink(), undefined, 0)).toMatchObject(empty)
})

const coded = { codeHash: 'code' }
test.each<[string, Partial<ShareLink>, LinkEnd | undefined, string]>([
  ['opened as often as it can be', { opens: 3, maxOpens: 3 }, undefined, 'used-up'],
  ['opened once less', { opens: 2, maxOpens: 3 }, undefined, 'active'],
  ['opened often, without a limit', { opens: 1000 }, undefined, 'active'],
  ['with 50 wrong codes', { ...coded, wrongCodes: 50 }, undefined, 'locked'],
  ['with 49 wrong codes', { ...coded, wrongCodes: 49 }, undefined, 'active'],
  ['without a code', { wrongCodes: 50 }, undefined, 'active'],
  ['used up and locked', { ...coded, wrongCodes: 50, opens: 1, maxOpens: 1 }, undefined, 'used-up'],
  ['revoked and used up', { opens: 1, maxOpens: 1 }, 'link-revoked', 'revoked'],
  ['expired', {}, 'link-expired', 'expired'],
  ['whose camera was removed', {}, 'link-unavailable', 'unavailable'],
])('[LINK-3] the state of a link %s', (_which, more, end, state) => {
  expect(linkResponse(testShareLink(more), end, 0).state).toBe(state)
})

test('[LINK-2] viewers learn what is shown, and neither its creator nor the note', () => {
  const link = testShareLink({ ...range, download: true, note: 'for Ben' })
  expect(openedResponse(link, 'The yard')).toEqual({
    kind: 'history',
    title: 'The yard',
    start: 1_700_000_010,
    end: 1_700_000_030.5,
    expires_at: '2023-11-14T23:13:20.000Z',
    download: true,
    audio: false,
  })
})
