import { Secret, TOTP } from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { testUser } from '../../../test/support/test-user.ts'
import { testEntry as entry } from '../../../test/support/test-entry.ts'
import { systemRandom } from '../../shared/random.ts'
import { createSecretBox } from '../secret-box.ts'
import type { Passkey, Totp } from './store/factor-store.ts'
import type { Occasion } from './passkeys.ts'
import { recoveryCodeHash } from './recovery-codes.ts'
import { createSecondFactor, type Proof } from './second-factor.ts'
import { waitAfter } from './totp.ts'

const now = 1_700_000_000_000
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const box = createSecretBox('j'.repeat(64), 'purpose', systemRandom)
const recoveryCode = 'abcdef-abcdef-abcdef-abcdef'
const assertion = {} as NonNullable<Proof['assertion']>
const ann = testUser('ann', { hasFactor: true })
const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now })

let totp: Totp | undefined
/** How many attempts of others are counted at the same time. */
let others: number
let accepted: number[]
/** Hashes of the recovery codes that are left. */
let left: Set<string>
/** Whose passkey answers. */
let passkeyOf: string | undefined
beforeEach(() => {
  passkeyOf = undefined
  totp = { secret: box.seal(secret, ann.id), createdAt: 0, lastStep: 0, failures: 0, failedAt: null }
  others = 0
  accepted = []
  left = new Set([recoveryCodeHash(recoveryCode)])
})

const secondFactor = createSecondFactor({
  store: {
    totp: async () => totp,
    async countFailure(_user, { failures }, at) {
      if (!totp || failures !== totp.failures || others > 0) {
        others -= 1
        return false
      }
      totp = { ...totp, failures: failures + 1, failedAt: at }
      return true
    },
    async acceptStep(_user, step) {
      if (accepted.includes(step)) return false
      accepted.push(step)
      return true
    },
    hasRecoveryCode: async (userId, hash) => userId === ann.id && left.has(hash),
    useRecoveryCode: async (userId, hash) => userId === ann.id && left.delete(hash),
  },
  passkeys: {
    verify: async (shown, { purpose }) =>
      shown === assertion && purpose === 'login' && passkeyOf ? ({ userId: passkeyOf } as Passkey) : undefined,
  },
  box,
  clock: { now: () => now },
})
const occasion: Occasion = { purpose: 'login', subject: '', party: { id: 'here', origin: 'https://here' } }
const check = (proof: Proof, at?: Occasion, claim?: () => Promise<void>) =>
  secondFactor.check(ann, proof, at, entry, claim)

describe('[MFA-1] a code', () => {
  test('of the app is accepted once, however it is grouped', async () => {
    expect(await check({ code: ` ${code.slice(0, 3)}\t${code.slice(3)}` })).toBe('totp')
    expect(await check({ code })).toBeUndefined()
  })

  test.each<[what: string, change: () => void]>([
    ['of a user without an app', () => (totp = undefined)],
    [
      'of an app whose secret was sealed for another user',
      () => (totp = { ...totp!, secret: box.seal(secret, 'bob') }),
    ],
    ['that is missing', () => undefined],
  ])('%s is not accepted', async (what, change) => {
    change()
    expect(await check(what.includes('missing') ? {} : { code })).toBeUndefined()
    expect(accepted).toEqual([])
  })
})

describe('[MFA-1] instead of a code of the app', () => {
  test.each<
    [what: string, proof: Proof, owner: string | undefined, at: Occasion | undefined, kind: string | undefined]
  >([
    ['a recovery code', { code: ` ${recoveryCode}` }, undefined, undefined, 'recovery-code'],
    ['another recovery code', { code: recoveryCode.replace('a', 'b') }, undefined, undefined, undefined],
    ['a passkey', { assertion }, ann.id, occasion, 'passkey'],
    ['a passkey, and not the code beside it', { assertion, code }, 'bob', occasion, undefined],
    ['a passkey of another user', { assertion }, 'bob', occasion, undefined],
    ['a passkey that is not accepted', { assertion }, undefined, occasion, undefined],
    ['a passkey where none works', { assertion }, ann.id, undefined, undefined],
  ])('%s', async (_what, proof, owner, at, kind) => {
    passkeyOf = owner
    expect(await check(proof, at)).toBe(kind)
    expect(accepted).toEqual([])
  })
})

describe('[MFA-3] what the proof is for', () => {
  const used = new Error('used')

  test('is claimed once: of several recovery codes for it, one is used up', async () => {
    const codes = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => recoveryCode.replaceAll('a', letter))
    left = new Set(codes.map(recoveryCodeHash))
    let isClaimed = false
    const claim = async () => {
      if (isClaimed) throw used
      isClaimed = true
    }
    const results = await Promise.allSettled(codes.map((one) => check({ code: one }, undefined, claim)))
    const kinds = results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason))
    expect(kinds).toEqual(['recovery-code', used, used, used, used, used])
    expect(left.size).toBe(5)
  })

  test.each<[what: string, proof: Proof, claims: number]>([
    ['a code', { code }, 1],
    ['a passkey', { assertion }, 1],
    ['a recovery code', { code: recoveryCode }, 1],
    ['a wrong code', { code: '000000' }, 0],
    ['a wrong recovery code', { code: recoveryCode.replace('a', 'b') }, 0],
  ])('is claimed with %s %#', async (_what, proof, claims) => {
    passkeyOf = ann.id
    let claimed = 0
    await check(proof, occasion, async () => void (claimed += 1))
    expect(claimed).toBe(claims)
  })

  test('is claimed by a recovery code that another request uses up first: it is not accepted', async () => {
    const kind = check({ code: recoveryCode }, undefined, async () => left.clear())
    expect(await kind).toBeUndefined()
  })
})

describe('[MFA-3] wrong codes in a row', () => {
  test.each<[failures: number, failedAt: number | null, retryAfter: number | undefined]>([
    [4, now, undefined],
    [5, now, 60],
    [5, now - 1, 60],
    [5, now - 59_001, 1],
    [5, now - 59_999, 1],
    [5, now - 60_000, undefined],
    // The clock was set back: no longer than the limit.
    [5, now + 3_600_000, 60],
    [5, null, undefined],
    [11, now, 3600],
    [20, now - waitAfter(20), undefined],
  ])('%i, the last at %s: wait %s s', async (failures, failedAt, retryAfter) => {
    totp = { ...totp!, failures, failedAt }
    if (retryAfter === undefined) expect(await check({ code })).toBe('totp')
    else {
      await expect(check({ code })).rejects.toMatchObject({ code: 'too-many-attempts', retryAfter })
      expect(totp).toMatchObject({ failures, failedAt })
    }
  })

  test('are counted before a code is checked', async () => {
    expect(await check({ code: '000000' })).toBeUndefined()
    expect(totp).toMatchObject({ failures: 1, failedAt: now })
  })

  test.each<[others: number, isAccepted: boolean]>([
    [9, true],
    [10, false],
  ])('%i attempts of others at the same time: the code is accepted: %s', async (count, isAccepted) => {
    others = count
    if (isAccepted) expect(await check({ code })).toBe('totp')
    else await expect(check({ code })).rejects.toMatchObject({ code: 'too-many-attempts', retryAfter: 1 })
  })
})
