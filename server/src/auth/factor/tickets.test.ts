import { expect, test, vi } from 'vitest'
import { systemRandom } from '../../shared/random.ts'
import { createTickets, ticketLifetime, type TicketsDeps } from './tickets.ts'

const began = 1_700_000_000_000
const ticketsAt = (now: number, more: Partial<TicketsDeps> = {}) =>
  createTickets({
    secret: 's'.repeat(64),
    note: async () => true,
    clock: { now: () => now },
    random: systemRandom,
    ...more,
  })
const issued = ticketsAt(began).issue('login', 'ann')

test.each<[when: string, after: number, isValid: boolean]>([
  ['at once', 0, true],
  ['in its last millisecond', ticketLifetime - 1, true],
  ['after five minutes', ticketLifetime, false],
  ['with a clock that was set back', -1, false],
])('[MFA-3] a ticket is valid %s', (_when, after, isValid) => {
  expect(ticketsAt(began + after).isValid(issued, 'login', 'ann')).toBe(isValid)
})

test.each<[what: string, ticket: string, purpose: 'login' | 'passkey.login', subject: string]>([
  ['for another purpose', issued, 'passkey.login', 'ann'],
  ['for another user', issued, 'login', 'bob'],
  ['of another service', ticketsAt(began, { secret: 'x'.repeat(64) }).issue('login', 'ann'), 'login', 'ann'],
  ['that is cut', issued.slice(0, -4), 'login', 'ann'],
  ['with more after it', `${issued}AAAA`, 'login', 'ann'],
  ['written in another way', `${issued}=`, 'login', 'ann'],
  ['that is empty', '', 'login', 'ann'],
])('[MFA-3] a ticket %s is not valid', (_what, ticket, purpose, subject) => {
  expect(ticketsAt(began).isValid(ticket, purpose, subject)).toBe(false)
})

test('[MFA-3] a ticket whose bytes were changed is not valid', () => {
  const bytes = Buffer.from(issued, 'base64url')
  for (const at of bytes.keys()) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(ticketsAt(began).isValid(changed.toString('base64url'), 'login', 'ann')).toBe(false)
  }
})

test('[MFA-3] the use of a ticket is noted until it expires, as a hash', async () => {
  const note = vi.fn<TicketsDeps['note']>().mockResolvedValueOnce(true).mockResolvedValueOnce(false)
  const { use } = ticketsAt(began + 1, { note })
  expect([await use(issued), await use(issued)]).toEqual([true, false])
  const [first, second] = note.mock.calls
  expect(first).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), began + ticketLifetime, began + 1])
  expect(second).toEqual(first)
})
