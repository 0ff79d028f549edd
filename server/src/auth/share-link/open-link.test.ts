import { requestMeta } from '../../../test/support/request-meta.ts'
import { describe, expect, test } from 'vitest'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { testShareLink } from '../../../test/support/test-share-link.ts'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import { ServiceError } from '../../shared/errors.ts'
import { systemRandom } from '../../shared/random.ts'
import { hashOfSecret } from '../link-secret.ts'
import { createLinkKeys } from './link-keys.ts'
import { createOpenLink } from './open-link.ts'
import type { LinkEnd, ShareLink } from './share-link.ts'
import type { LinkSecret } from './share-link-schema.ts'

const now = 1_700_000_000_000
const secret = 'the secret'
const keys = createLinkKeys('a secret')
const opener = { address: '192.0.2.1', meta: requestMeta() }
const { id } = testShareLink()
const withCode = { codeHash: keys.codeHash(id, 'swordfish') }

interface World {
  /** Whether there is a link. */
  readonly exists?: boolean
  /** The viewer that the cookie shows. */
  readonly before?: string
  readonly end?: LinkEnd
  readonly hasSlot?: boolean
  readonly hasTry?: boolean
  readonly result?: 'opened' | 'over'
  /** What the limit of the address rejects with. */
  readonly full?: ServiceError
}

/** @param more of the link */
function world(more: Partial<ShareLink> = {}, options: World = {}) {
  const { exists = true, before, end, hasSlot = true, hasTry = true, result = 'opened', full } = options
  const link = testShareLink({ secretHash: hashOfSecret(secret), ...more })
  const steps: unknown[] = []
  const entries: AuditEntry[] = []
  const requested: string[] = []
  const open = createOpenLink({
    store: {
      async linksById(ids) {
        requested.push(...ids)
        return exists && ids.includes(id) ? [link] : []
      },
      async open(of, at, counted, entry) {
        steps.push(['open', of, at, counted])
        entries.push(entry)
        return result
      },
      async takeCodeTry(of, max) {
        steps.push(['take', of, max])
        return hasTry
      },
      returnCodeTry: async (of) => void steps.push(['return', of]),
    },
    shareLinks: {
      endOf: async () => end,
      viewerOf: () => before,
      slots: {
        async hold(of, viewer, max) {
          steps.push(['hold', of, viewer, max])
          return hasSlot ? now : 'full'
        },
        counts: async () => new Map(),
      },
    },
    keys,
    limit: {
      async acquire(address) {
        if (full) throw full
        steps.push(['acquire', address])
        return { fail: () => void steps.push('fail'), release: () => void steps.push('release') }
      },
    },
    audit: {
      record: (entry) => void entries.push(entry),
      use: () => () => undefined,
      commit: async () => undefined,
      ready: async () => undefined,
    },
    clock: createTestClock({ now }),
    random: systemRandom,
  })
  return {
    open: (body: Partial<LinkSecret>, of = id, address = opener.address) =>
      open(of, { secret, ...body }, { ...opener, address }),
    link,
    steps,
    entries,
    requested,
  }
}

const acquired = ['acquire', '192.0.2.1']
const entry = { action: 'link.open', user: null, auth_method: null, address: '192.0.2.1', target: id }
const viewer = 'f'.repeat(32)

describe('[LINK-2] the right secret', () => {
  test.each([
    ['with a note', 'for Ben', 'live yard for Ben'],
    ['without a note', '', 'live yard'],
  ])('opens a link %s, and takes a slot and a use', async (_which, note, detail) => {
    const { open, link, steps, entries } = world({ note, maxViewers: 4 })
    const opened = await open({})
    expect(opened.link).toBe(link)
    expect(opened.viewer.id).toMatch(/^[0-9a-f]{32}$/)
    expect(keys.isSigned(link, opened.viewer.id, opened.viewer.proof)).toBe(true)
    expect(steps).toEqual([acquired, ['hold', id, opened.viewer.id, 4], ['open', id, now, true], 'release'])
    expect(entries).toEqual([{ ...entry, camera: 'yard~1', result: 'success', detail }])
  })

  test.each<[string, Partial<ShareLink>]>([
    ['an open link', {}],
    ['one that is used up', { opens: 1, maxOpens: 1 }],
    ['one with a code', withCode],
    ['one that is locked', { ...withCode, wrongCodes: 50 }],
  ])('of a viewer who has opened %s before needs no code, and isn’t another use', async (_which, more) => {
    const { open, steps } = world(more, { before: viewer })
    expect((await open({})).viewer.id).toBe(viewer)
    expect(steps).toEqual([acquired, ['hold', id, viewer, null], ['open', id, now, false], 'release'])
  })

  test.each<[string, Partial<ShareLink>, World, string, string]>([
    ['that has expired', {}, { end: 'link-expired' }, 'gone', 'link-expired'],
    ['that was revoked, also for its viewers', {}, { end: 'link-revoked', before: viewer }, 'gone', 'link-revoked'],
    ['that is used up', { opens: 1, maxOpens: 1 }, {}, 'gone', 'link-used-up'],
    ['that is locked', { ...withCode, wrongCodes: 50 }, {}, 'gone', 'link-locked'],
    ['with a code', withCode, {}, 'unauthenticated', 'link-code-required'],
  ])('does not open a link %s, and counts as no failure', async (_which, more, options, code, reason) => {
    const { open, steps, entries } = world(more, options)
    await expect(open({})).rejects.toMatchObject({ code, reason })
    expect([steps, entries]).toEqual([[acquired, 'release'], []])
  })

  test('[RATE-2] [AUD-2] does not open a link at an address that is limited, which is recorded without the id', async () => {
    const full = new ServiceError('too-many-attempts')
    const { open, steps, entries } = world({}, { full })
    await expect(open({})).rejects.toBe(full)
    expect(steps).toEqual([])
    expect(entries).toEqual([{ ...entry, target: null, result: 'denied', detail: 'too-many-attempts' }])
  })

  test('[AUD-2] opens a link 300 times at an address, and then once every two seconds', async () => {
    const { open, steps, entries } = world()
    for (let nth = 0; nth < 300; nth += 1) await open({})
    const before = entries.length
    await expect(open({})).rejects.toMatchObject({
      code: 'too-many-attempts',
      reason: 'link-opened-too-often',
      retryAfter: 2,
    })
    expect([entries.length, steps.slice(-2)]).toEqual([before, [acquired, 'release']])
    await expect(open({}, id, '192.0.2.2')).resolves.toMatchObject({ link: { id } })
  })

  test('does not open a link that is full', async () => {
    const { open, steps } = world({}, { hasSlot: false })
    await expect(open({})).rejects.toMatchObject({ code: 'busy', reason: 'too-many-viewers', retryAfter: 15 })
    expect(steps).toEqual([acquired, ['hold', id, expect.anything(), null], 'release'])
  })

  test('does not open a link that another request used up by then', async () => {
    const { open } = world({}, { result: 'over' })
    await expect(open({})).rejects.toMatchObject({ code: 'gone', reason: 'link-used-up' })
  })
})

describe('[LINK-3] a wrong secret', () => {
  test.each([
    ['of a link', true, 'another', { camera: 'yard~1' }],
    // Its id could be made up without end (AUD-2).
    ['of a link that does not exist', false, secret, { target: null }],
  ])('%s counts as a failure, and is recorded', async (_which, exists, sent, recorded) => {
    const { open, steps, entries } = world({}, { exists })
    const refused = { code: 'unauthenticated', reason: 'wrong-link' }
    await expect(open({ secret: sent })).rejects.toMatchObject(refused)
    expect(steps).toEqual([acquired, 'fail', 'release'])
    expect(entries).toEqual([{ ...entry, ...recorded, result: 'failure', detail: 'wrong-link' }])
  })
})

test.each([
  [id, [id]],
  [`${id}0`, []],
  ['\0', []],
])('[LINK-3] for %j, the database is asked for %j', async (of, ids) => {
  const { open, requested } = world({}, { exists: false })
  await expect(open({}, of)).rejects.toMatchObject({ reason: 'wrong-link' })
  expect(requested).toEqual(ids)
})

describe('[LINK-3] a code', () => {
  test('that is right gives its try back', async () => {
    const { open, steps } = world(withCode)
    await open({ code: 'swordfish' })
    expect(steps.slice(0, 3)).toEqual([acquired, ['take', id, 50], ['return', id]])
    expect(steps).toHaveLength(6)
  })

  test('that is wrong counts as a failure, and is recorded', async () => {
    const { open, steps, entries } = world(withCode)
    const refused = { code: 'unauthenticated', reason: 'wrong-link-code' }
    await expect(open({ code: 'sawfish' })).rejects.toMatchObject(refused)
    expect(steps).toEqual([acquired, ['take', id, 50], 'fail', 'release'])
    expect(entries).toEqual([{ ...entry, camera: 'yard~1', result: 'failure', detail: 'wrong-link-code' }])
  })

  test('is not checked once too many were wrong, also at the same time', async () => {
    const { open, steps } = world(withCode, { hasTry: false })
    await expect(open({ code: 'swordfish' })).rejects.toMatchObject({ code: 'gone', reason: 'link-locked' })
    expect(steps).toEqual([acquired, ['take', id, 50], 'release'])
  })
})
