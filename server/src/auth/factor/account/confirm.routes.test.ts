import { beforeEach, describe, expect, test } from 'vitest'
import { signedInAnn } from '../../../../test/support/test-identity.ts'
import { testUser } from '../../../../test/support/test-user.ts'
import { internalAdmin, type Identity } from '../../../access/identity.ts'
import type { Caller } from '../../../http/caller.ts'
import type { Input } from '../../../http/route.ts'
import type { AuditEntry } from '../../../shared/audit/audit.ts'
import { ServiceError } from '../../../shared/errors.ts'
import type { User } from '../../../users/user.ts'
import { confirmRoutes, type Confirmation, type ConfirmRoutesDeps } from './confirm.routes.ts'
import type { FactorKind, Proof } from '../second-factor.ts'

const now = 1_700_000_000_000
const address = '192.0.2.7'
const client = { address, encrypted: true, knownEncrypted: true, host: 'here', basePath: '/' }
const assertion = {} as NonNullable<Proof['assertion']>

let ann: User
let isSessionThere: boolean
/** What the limit of the address rejects with. */
let full: ServiceError | undefined
let kind: FactorKind | undefined
let checked: unknown[]
let done: unknown[]
let entries: AuditEntry[]
beforeEach(() => {
  ann = testUser('ann', { hasFactor: true })
  isSessionThere = true
  full = undefined
  kind = undefined
  checked = []
  done = []
  entries = []
})

const deps = {
  store: {
    async confirmSession(id: string, at: number) {
      done.push([id, at])
      return isSessionThere
    },
  },
  accounts: { userById: async () => ann },
  passwords: {
    async isPasswordOf({ id }: User, password: string, from: string) {
      checked.push([id, password, from])
      return password === 'right'
    },
  },
  secondFactor: {
    async check({ id }: User, proof: Proof, occasion: unknown, { action }: AuditEntry) {
      checked.push([id, proof, occasion, action])
      return kind
    },
  },
  limit: {
    async acquire(from: string) {
      if (full) throw full
      done.push(from)
      return { fail: () => void done.push('failed'), release: () => void done.push('released') }
    },
  },
  settings: () => ({ mfa: { required_for: [], origins: [] } }),
  publish: (invalidation: unknown) => void done.push(invalidation),
  audit: { record: (entry: AuditEntry) => void entries.push(entry) },
  clock: { now: () => now },
} as unknown as ConfirmRoutesDeps

const confirm = (body: Confirmation, identity: Identity = signedInAnn) =>
  confirmRoutes(deps).find(({ path }) => path === '/api/account/confirm')!.handle!(
    { body } as Input<never>,
    { identity, client } as Caller,
  )

const confirmed = [['s1', now], { kind: 'session', id: 's1' }]
const occasion = { purpose: 'passkey.confirm', subject: 's1', party: { id: 'here', origin: 'https://here' } }

describe('[MFA-4] a user with a second factor', () => {
  test.each<[proof: Confirmation, kind: FactorKind]>([
    [{ code: '1' }, 'totp'],
    [{ assertion }, 'passkey'],
  ])('confirms with %j', async (proof, shown) => {
    kind = shown
    expect(await confirm(proof)).toBeUndefined()
    expect(done).toEqual([address, 'released', ...confirmed])
    expect(checked).toEqual([
      ['id of ann', { code: undefined, assertion: undefined, ...proof }, occasion, 'recovery-code.use'],
    ])
  })

  test.each<[Confirmation]>([[{ code: '1' }], [{ assertion }], [{ password: 'right' }]])(
    'does not confirm with a wrong one, or a password: %j',
    async (proof) => {
      const refused = { code: 'wrong-password', reason: 'wrong-second-factor' }
      await expect(confirm(proof)).rejects.toMatchObject(refused)
      expect(done).toEqual([address, 'failed', 'released'])
      expect(entries).toMatchObject([{ action: 'account.confirm', result: 'failure', user: 'ann', target: 'ann' }])
    },
  )

  test('[RATE-2] [AUD-2] whose address is limited confirms nothing, which is recorded', async () => {
    full = new ServiceError('too-many-attempts')
    await expect(confirm({ code: '1' })).rejects.toBe(full)
    expect(entries).toMatchObject([
      { action: 'account.confirm', result: 'denied', user: 'ann', target: 'ann', detail: 'too-many-attempts' },
    ])
    expect(done).toEqual([])
  })

  test('whose session has just ended confirms nothing', async () => {
    kind = 'totp'
    isSessionThere = false
    await expect(confirm({ code: '1' })).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(done).not.toContainEqual({ kind: 'session', id: 's1' })
  })
})

describe('[MFA-4] a user without a second factor', () => {
  beforeEach(() => {
    ann = testUser('ann')
  })

  test('confirms with the password', async () => {
    await confirm({ password: 'right' })
    expect([done, checked]).toEqual([confirmed, [['id of ann', 'right', address]]])
  })

  test.each<[Confirmation, checks: number]>([
    [{ password: 'wrong' }, 1],
    [{ code: '1' }, 0],
  ])('does not confirm with %j; passwords that are checked: %i', async (proof, checks) => {
    await expect(confirm(proof)).rejects.toMatchObject({ code: 'wrong-password', reason: undefined })
    expect([done, entries.length, checked.length]).toEqual([[], 1, checks])
  })
})

test.each([
  [true, 'code'],
  [false, 'password'],
])('[MFA-4] without anything, a user with a second factor (%s) is told that the %s is missing', async (has, field) => {
  ann = testUser('ann', { hasFactor: has })
  const problems = [{ field, code: 'missing' }]
  await expect(confirm({})).rejects.toMatchObject({ code: 'invalid-request', problems })
  expect([done, checked, entries]).toEqual([[], [], []])
})

test('[MFA-4] a caller without a session has nothing to confirm', async () => {
  expect(await confirm({}, internalAdmin)).toBeUndefined()
  expect([done, entries]).toEqual([[], []])
})
