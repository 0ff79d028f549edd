import { describe, expect, test } from 'vitest'
import { testShareLink } from '../../../test/support/test-share-link.ts'
import { testUser } from '../../../test/support/test-user.ts'
import type { User } from '../../users/user.ts'
import { actionsOf, endOf, identityFor, ruleOf, type LinkEnd, type ShareLink } from './share-link.ts'

const now = 1_700_000_000_000
const ann = testUser('ann')
const id = '0123456789abcdef'.repeat(2)

test.each<[ShareLink['kind'], boolean, boolean, string[]]>([
  ['live', false, false, ['live']],
  ['live', true, true, ['live', 'audio']],
  ['history', false, false, ['history']],
  ['history', true, true, ['history', 'download', 'audio']],
  ['export', false, false, ['download']],
  ['export', true, true, ['download', 'audio']],
])(
  '[LINK-1] a link of the kind %s, to save: %s, with audio: %s, needs and allows %j',
  (kind, download, audio, actions) => {
    expect(actionsOf({ kind, download, audio })).toEqual(actions)
  },
)

test.each([
  ['live', 'live'],
  ['history', 'history'],
  ['export', 'download'],
] as const)('[LINK-3] the viewers of a link of the kind %s need %s', (kind, camera) => {
  expect(ruleOf({ kind })).toEqual({ camera, of: 'path', link: true })
})

describe('[LINK-3] the identity of viewers', () => {
  test('is that of the creator, with the limits of the link', () => {
    expect(identityFor(testShareLink({ note: 'for Ben' }), ann, 'yard')).toEqual({
      kind: 'authenticated',
      authMethod: 'password',
      name: 'ann',
      key: 'ann',
      userId: ann.id,
      role: 'viewer',
      session: undefined,
      credential: {
        kind: 'link',
        id,
        name: 'for Ben',
        limits: { cameras: new Set(['yard']), actions: new Set(['live']), needs: ['share', 'live'] },
      },
    })
  })

  test.each<[string, Partial<ShareLink>, string | undefined, string[], object | undefined]>([
    ['of a range', { kind: 'history', start: 1000, end: 2000 }, 'yard', ['yard'], { since: 1000, until: 2000 }],
    ['of a camera that was removed', {}, undefined, [], undefined],
    ['of an export', { kind: 'export', start: 1000, end: 2000 }, 'yard', ['yard'], undefined],
    ['of an export that was removed', { kind: 'export', exportExists: false }, 'yard', [], undefined],
  ])('%s has the cameras and the time that it shows', (_what, more, camera, cameras, time) => {
    const { limits } = identityFor(testShareLink(more), ann, camera).credential!
    expect([[...limits.cameras!], limits.time]).toEqual([cameras, time])
  })
})

test.each<[string, Partial<ShareLink>, Partial<User> | undefined, LinkEnd | undefined]>([
  ['in its last millisecond', { expiresAt: now + 1 }, {}, undefined],
  ['at its end', { expiresAt: now }, {}, 'link-expired'],
  ['that was revoked', { revokedAt: now - 1 }, {}, 'link-revoked'],
  ['that was revoked and has expired', { revokedAt: now - 1, expiresAt: now }, {}, 'link-revoked'],
  ['whose creator was deleted', {}, undefined, 'link-unavailable'],
  ['whose creator was deleted, and the name given to another user', {}, { id: 'another' }, 'link-unavailable'],
  ['whose creator is disabled', {}, { disabled: true }, 'link-unavailable'],
  ['whose creator has expired', {}, { expiresAt: now }, 'link-unavailable'],
])('[LINK-3] a link %s', (_which, more, user, end) => {
  expect(endOf(testShareLink(more), user && { ...ann, ...user }, now)).toBe(end)
})
