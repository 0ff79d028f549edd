import { beforeEach, describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import { ServiceError } from '../../shared/errors.ts'
import type { LinkUse, Refused } from './invitation-store.ts'
import type { OneTimeLink } from './invitation.ts'
import { createOneTimeLinks } from './one-time-links.ts'

const invitation = { kind: 'invitation', id: 'i1' } as OneTimeLink
const use = { id: 'i1' } as LinkUse
const address = '192.0.2.7'

let found: OneTimeLink | Refused | Error
let limited: Error | undefined
let permits: string[]
let entries: AuditEntry[]
beforeEach(() => {
  found = invitation
  limited = undefined
  permits = []
  entries = []
})

const links = createOneTimeLinks({
  store: {
    async find() {
      if (found instanceof Error) throw found
      return found
    },
  },
  limit: {
    async acquire(from) {
      if (limited) throw limited
      permits.push(from)
      return { fail: () => void permits.push('failed'), release: () => void permits.push('released') }
    },
  },
  audit: { record: (entry: AuditEntry) => void entries.push(entry) } as Parameters<
    typeof createOneTimeLinks
  >[0]['audit'],
})
const entry = (more: Partial<AuditEntry>) => ({
  action: 'invitation.accept',
  result: 'failure',
  user: null,
  auth_method: null,
  address,
  target: null,
  ...more,
})

describe('[LINK-4] a link', () => {
  test('that can be used is found', async () => {
    expect(await links.check('invitation', use, address)).toBe(invitation)
    expect([permits, entries]).toEqual([[address, 'released'], []])
  })

  test.each<[OneTimeLink | Refused, code: string, reason: string, isGuess: boolean]>([
    ['wrong', 'unauthenticated', 'one-time-link-wrong', true],
    [{ ...invitation, kind: 'reset' } as OneTimeLink, 'unauthenticated', 'one-time-link-wrong', true],
    ['used', 'gone', 'one-time-link-used', false],
    ['expired', 'gone', 'one-time-link-expired', false],
    ['ended', 'gone', 'one-time-link-ended', false],
  ])('that is %j is refused: %s, %s; a failed login: %s', async (link, code, reason, isGuess) => {
    found = link
    await expect(links.check('invitation', use, address)).rejects.toMatchObject({ code, reason })
    expect(permits).toEqual([address, ...(isGuess ? ['failed'] : []), 'released'])
    expect(entries).toEqual([entry({ detail: reason })])
  })

  test('is not checked after too many wrong ones, which is audited', async () => {
    limited = new ServiceError('too-many-attempts', { retryAfter: 9 })
    await expect(links.check('reset', use, address)).rejects.toBe(limited)
    expect(entries).toEqual([entry({ action: 'password-reset.accept', result: 'denied', detail: 'too-many-attempts' })])
  })

  test.each([new ServiceError('busy', { retryAfter: 9 }), new Error('too-many-attempts')])(
    'that is not checked for another reason, %s, is not audited',
    async (error) => {
      limited = error
      await expect(links.check('invitation', use, address)).rejects.toBe(error)
      expect(entries).toEqual([])
    },
  )

  test('that cannot be read isn’t a failed login', async () => {
    found = new Error('no database')
    await expect(links.check('invitation', use, address)).rejects.toBe(found)
    expect([permits, entries]).toEqual([[address, 'released'], []])
  })
})
