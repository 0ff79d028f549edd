import { requestMeta } from '../../../../test/support/request-meta.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { testUser } from '../../../../test/support/test-user.ts'
import type { Client } from '../../../shared/http/request-meta.ts'
import { systemRandom } from '../../../shared/random.ts'
import type { User } from '../../../users/user.ts'
import { hashOfSecret } from '../../link-secret.ts'
import type { Passkey, Totp } from '../store/factor-store.ts'
import { createLoginFactor, occasionFor } from './login-factor.ts'
import { createTickets } from '../tickets.ts'

const now = 1_700_000_000_000
const client: Client = { address: '192.0.2.7', encrypted: true, knownEncrypted: true, host: 'here', basePath: '/' }
const ann = testUser('ann', { id: 'a'.repeat(32), hasFactor: true })
const passkey = { id: 'p1' } as Passkey
const totp = { secret: 'sealed' } as Totp
const device = 'd'.repeat(43)

let rows: User[]
let factors: { totp: Totp | undefined; passkeys: Passkey[] }
let used: unknown[]
beforeEach(() => {
  rows = [ann]
  factors = { totp, passkeys: [passkey] }
  used = []
})

const tickets = createTickets({
  secret: 's'.repeat(64),
  note: async () => used.push('ticket') === 1,
  clock: { now: () => now },
  random: systemRandom,
})
const loginFactor = createLoginFactor({
  store: {
    totp: async () => factors.totp,
    passkeys: async () => factors.passkeys,
    async useDevice({ id }, hashes, by) {
      used.push([id, hashes, by])
      return hashes.includes(hashOfSecret(device))
    },
  },
  accounts: {
    async userById(id) {
      // A database refuses some texts, such as one with a NUL.
      expect(id).toMatch(/^[0-9a-f]{32}$/)
      return rows.find((row) => row.id === id)
    },
  },
  tickets,
  clock: { now: () => now },
})
const afterPassword = (user: User, cookie = '') =>
  loginFactor.afterPassword(user, {
    client,
    meta: requestMeta({ cookie }),
  })
const ticketOf = async (user: User): Promise<string> => {
  const error = await afterPassword(user).catch((cause: unknown) => cause)
  return (error as { extension: { ticket: string } }).extension.ticket
}

describe('[MFA-3] after the password', () => {
  test('a user without a second factor is signed in, and confirmed', async () => {
    expect(await afterPassword({ ...ann, hasFactor: false })).toEqual({ isConfirmed: true })
    expect(used).toEqual([])
  })

  test('[MFA-5] a remembered device is signed in, and not confirmed', async () => {
    const proof = { isConfirmed: false, detail: 'remembered-device' }
    expect(await afterPassword(ann, `gatehouse_device=${device}`)).toEqual(proof)
    expect(used).toEqual([[ann.id, [hashOfSecret(device)], { address: '192.0.2.7', now }]])
  })

  test.each<[Partial<typeof factors>, string[]]>([
    [{}, ['totp', 'passkey', 'recovery-code']],
    [{ passkeys: [] }, ['totp', 'recovery-code']],
    [{ totp: undefined }, ['passkey', 'recovery-code']],
  ])('a user with %j is asked for one of %j', async (more, methods) => {
    Object.assign(factors, more)
    await expect(afterPassword(ann)).rejects.toMatchObject({
      code: 'second-factor-required',
      extension: { ticket: expect.any(String), methods, expires_at: new Date(now + 300_000).toISOString() },
    })
  })
})

describe('[MFA-3] a ticket', () => {
  test('names its user until it is used', async () => {
    const ticket = await ticketOf(ann)
    expect(await loginFactor.userOf(ticket)).toEqual(ann)
    used = []
    expect([await loginFactor.use(ticket), await loginFactor.use(ticket)]).toEqual([true, false])
  })

  test.each<[what: string, row: Partial<User> | undefined]>([
    ['a new password', { credentialVersion: 2 }],
    ['another factor', { factorVersion: 1 }],
    ['the last factor', { hasFactor: false }],
    ['the user', undefined],
  ])('ends with %s', async (_what, row) => {
    const ticket = await ticketOf(ann)
    rows = row ? [{ ...ann, ...row }] : []
    expect(await loginFactor.userOf(ticket)).toBeUndefined()
  })

  test.each<[what: string, change: (ticket: string) => string]>([
    ['without a user', (ticket) => ticket.slice(32)],
    ['without a dot', (ticket) => ticket.replace('.', '')],
    ['of another user', (ticket) => `${'b'.repeat(32)}${ticket.slice(32)}`],
    ['with more before it', (ticket) => `\0${ticket}`],
    ['with more after the user', (ticket) => ticket.replace('.', '\0.')],
    ['that is empty', () => ''],
  ])('%s is of no user', async (_what, change) => {
    rows = [ann, { ...ann, id: 'b'.repeat(32) }]
    expect(await loginFactor.userOf(change(await ticketOf(ann)))).toBeUndefined()
  })
})

test.each([
  ['https://here', { purpose: 'login', subject: 'ann', party: { id: 'here', origin: 'https://here' } }],
  ['https://there', undefined],
])('[MFA-1] with %s as origin, a passkey can prove: %j', (origin, occasion) => {
  expect(occasionFor('login', 'ann', client, [origin])).toEqual(occasion)
})
