import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptied, engines, type TestDatabase } from '../../../../test/support/engines.ts'
import { testDevice } from '../../../../test/support/test-device.ts'
import { testSession as session } from '../../../../test/support/test-session.ts'
import { testUser } from '../../../../test/support/test-user.ts'
import { testEntry as entry } from '../../../../test/support/test-entry.ts'
import type { Store } from '../../../store/store.ts'
import { accountStore } from '../../../users/accounts/account-store.sql.ts'
import { factorStore } from './factor-store.sql.ts'
import type { FactorStore, Passkey } from './factor-store.ts'

const now = 1_700_000_000_000
const ann = testUser('ann')
const bob = testUser('bob')
const totp = { secret: 'sealed', createdAt: now, lastStep: 7 }
const passkey = (id: string, more: Partial<Passkey> = {}): Passkey => ({
  id,
  userId: ann.id,
  credentialId: `credential of ${id}`,
  publicKey: 'key',
  counter: 3,
  transports: ['usb', 'nfc'],
  rpId: 'here',
  name: `name of ${id}`,
  createdAt: now,
  lastUsedAt: null,
  ...more,
})

/** What a change of ann's factors announces. */
const facts = (...sessions: string[]) => [
  { kind: 'user', key: 'ann' },
  ...sessions.map((id) => ({ kind: 'session', id })),
]

describe.each(engines)('second factors on $name', ({ create }) => {
  let database: TestDatabase
  let store: Store
  let accounts: ReturnType<typeof accountStore>
  let factors: FactorStore
  let announced: unknown[]
  const announce: Store['changes']['announce'] = async (message) => void announced.push(message)
  beforeAll(async () => {
    database = await create()
    store = await database.open()
    accounts = accountStore(store)
    factors = factorStore({ ...store, changes: { ...store.changes, announce } })
  }, 60_000)
  afterAll(() => database.remove())
  beforeEach(async () => {
    await emptied(store)
    for (const user of [ann, bob]) await accounts.addUser(user, entry, 0)
    for (const [id, user] of [
      ['s1', ann],
      ['s2', ann],
      ['other', bob],
    ] as const)
      await accounts.addSession(session(id, user), user, true, null)
    await store.db.deleteFrom('audit').execute()
    announced = []
  })

  const change = { user: ann, keptSession: 's1', entry: { ...entry, target: 'changed' } }
  const audited = async () =>
    (await store.db.selectFrom('audit').select('target').orderBy('id').execute()).map(({ target }) => target)
  const userNow = async (id = ann.id) => (await accounts.userById(id))!
  const codesOf = (userId = ann.id) => factors.countRecoveryCodes(userId)

  test('[MFA-1] a sign-in that began before a factor was added is not finished, and remembers no device', async () => {
    await factors.addTotp(change, totp, ['one'])
    const changed = await userNow()
    expect(await accounts.addSession(session('late', ann), ann, true, null)).toBe(false)
    expect(await factors.rememberDevice(testDevice('d1'), ann, entry)).toBe(false)
    expect([await accounts.session('late'), await factors.devices(ann, now)]).toEqual([undefined, []])
    expect(await accounts.addSession(session('next', ann), changed, true, null)).toBe(true)
    // Of a password that has been replaced.
    expect(await factors.rememberDevice(testDevice('d1', { credentialVersion: 0 }), changed, entry)).toBe(false)
    expect(await factors.rememberDevice(testDevice('d1'), changed, entry)).toBe(true)
    expect(await audited()).toEqual(['changed', 'a test'])
  })

  test('[MFA-1] an app ends the other sessions, forgets the devices, and brings recovery codes', async () => {
    await factors.rememberDevice(testDevice('d1'), ann, entry)
    await factors.rememberDevice(testDevice('d2', { userId: bob.id }), bob, entry)
    expect(await factors.addTotp(change, totp, ['one', 'two'])).toEqual(['s2'])
    expect(await factors.totp(ann.id)).toEqual({ ...totp, failures: 0, failedAt: null })
    expect(await factors.totp(bob.id)).toBeUndefined()
    expect([await codesOf(), await codesOf(bob.id)]).toEqual([2, 0])
    expect([await factors.devices(ann, now), await factors.devices(bob, now)]).toMatchObject([[], [{ id: 'd2' }]])
    expect([await accounts.session('s1'), await accounts.session('s2'), await accounts.session('other')]).toMatchObject(
      [{ id: 's1' }, undefined, { id: 'other' }],
    )
    expect(await userNow()).toMatchObject({ hasFactor: true, factorVersion: 1 })
    expect(await userNow(bob.id)).toMatchObject({ hasFactor: false, factorVersion: 0 })
    expect(announced).toEqual(facts('s2'))
    expect(await audited()).toEqual(['a test', 'a test', 'changed'])
  })

  test('[MFA-1] an app that replaces another one replaces its codes, and forgets its failures', async () => {
    await factors.addTotp(change, totp, ['one', 'two'])
    await factors.countFailure(ann.id, { failures: 0 }, now)
    await factors.keepNewTotp('s1', 'new', now + 10)
    await factors.keepNewTotp('other', 'of another session', now + 10)
    const next = { secret: 'new', createdAt: now + 5, lastStep: 8 }
    await factors.addTotp({ ...change, keptSession: 's1' }, next, ['three'])
    expect(await factors.totp(ann.id)).toEqual({ ...next, failures: 0, failedAt: null })
    expect(await factors.useRecoveryCode(ann.id, 'one', entry)).toBe(false)
    expect(await codesOf()).toBe(1)
    expect([await factors.newTotp('s1', now), await factors.newTotp('other', now)]).toEqual([
      undefined,
      'of another session',
    ])
  })

  test('[MFA-1] a change by no session, as of the internal port, ends all of them', async () => {
    expect(
      [...((await factors.addTotp({ ...change, keptSession: undefined }, totp, ['one'])) ?? [])].toSorted(),
    ).toEqual(['s1', 's2'])
  })

  test('[MFA-1] of a user who is gone, nothing is changed', async () => {
    const gone = { ...change, user: testUser('gone') }
    expect(await factors.addTotp(gone, totp, ['one'])).toBeUndefined()
    expect([announced, await audited()]).toEqual([[], []])
  })

  test('[MFA-1] a secret that is not confirmed is kept for its session, until it expires', async () => {
    await factors.keepNewTotp('s1', 'first', now + 10)
    await factors.keepNewTotp('s1', 'second', now + 20)
    expect(await factors.newTotp('s1', now + 19)).toBe('second')
    expect(await factors.newTotp('s1', now + 20)).toBeUndefined()
    expect(await factors.newTotp('s2', now)).toBeUndefined()
  })

  test('[MFA-1] [MFA-3] the codes of one user change nothing for another', async () => {
    for (const user of [ann, bob]) await factors.addTotp({ ...change, user }, totp, ['one'])
    await factors.countFailure(ann.id, { failures: 0 }, now)
    expect(await factors.totp(bob.id)).toMatchObject({ failures: 0, failedAt: null })
    await factors.acceptStep(ann.id, 8)
    expect(await factors.totp(bob.id)).toMatchObject({ lastStep: 7 })
  })

  test('[MFA-1] a passkey is read as it was written, and is added once', async () => {
    expect(await factors.hasPasskeys()).toBe(false)
    expect(await factors.addPasskey(change, passkey('p1'), ['one'])).toEqual(['s2'])
    expect(await factors.passkeyByCredential('credential of p1')).toEqual(passkey('p1'))
    expect(await factors.passkeyByCredential('another')).toBeUndefined()
    expect(await factors.hasPasskeys()).toBe(true)
    expect(await codesOf()).toBe(1)
    announced = []
    const again = passkey('p2', { credentialId: 'credential of p1' })
    expect(await factors.addPasskey({ ...change, keptSession: undefined }, again, ['two', 'three'])).toBeUndefined()
    expect([await factors.passkeys(ann.id), await codesOf()]).toEqual([[passkey('p1')], 1])
    expect([announced, await audited()]).toEqual([[], ['changed']])
    expect((await accounts.session('s1'))?.id).toBe('s1')
    await factors.addPasskey(change, passkey('p0'), undefined)
    const earlier = passkey('p9', { createdAt: now - 1 })
    await factors.addPasskey(change, earlier, undefined)
    expect(await factors.passkeys(ann.id)).toEqual([earlier, passkey('p0'), passkey('p1')])
    expect(await codesOf()).toBe(1)
    expect(await factors.passkeys(bob.id)).toEqual([])
  })

  test('[MFA-1] a passkey is used with a counter that was seen last', async () => {
    await factors.addPasskey(change, passkey('p1'), ['one'])
    expect(await factors.usePasskey({ id: 'p1', counter: 2 }, 9, now)).toBe(false)
    expect(await factors.usePasskey({ id: 'p2', counter: 3 }, 9, now)).toBe(false)
    expect(await factors.usePasskey({ id: 'p1', counter: 3 }, 9, now + 1)).toBe(true)
    expect(await factors.passkeys(ann.id)).toMatchObject([{ counter: 9, lastUsedAt: now + 1 }])
  })

  test('[MFA-1] only its user renames a passkey, which is audited', async () => {
    await factors.addPasskey(change, passkey('p1'), ['one'])
    const renaming = { ...entry, target: 'renamed' }
    expect(await factors.renamePasskey('p1', bob.id, 'x', renaming)).toBe(false)
    expect(await factors.renamePasskey('p2', ann.id, 'x', renaming)).toBe(false)
    expect(await audited()).toEqual(['changed'])
    expect(await factors.renamePasskey('p1', ann.id, 'Key', renaming)).toBe(true)
    expect(await factors.passkeys(ann.id)).toMatchObject([{ name: 'Key' }])
    expect(await audited()).toEqual(['changed', 'renamed'])
  })

  test('[MFA-1] a recovery code is of one user, and used once, which is audited', async () => {
    await factors.replaceRecoveryCodes(ann.id, ['one', 'two'], { ...entry, target: 'renewed' })
    await factors.replaceRecoveryCodes(bob.id, ['one'], entry)
    const using = { ...entry, target: 'used' }
    expect(await factors.useRecoveryCode(ann.id, 'three', using)).toBe(false)
    const has = () => Promise.all(['one', 'two', 'three'].map((hash) => factors.hasRecoveryCode(ann.id, hash)))
    expect(await has()).toEqual([true, true, false])
    expect(await factors.useRecoveryCode(ann.id, 'one', using)).toBe(true)
    expect(await has()).toEqual([false, true, false])
    expect(await factors.useRecoveryCode(ann.id, 'one', using)).toBe(false)
    expect([await codesOf(), await codesOf(bob.id)]).toEqual([1, 1])
    expect(await audited()).toEqual(['renewed', 'a test', 'used'])
  })

  test('[MFA-1] the last factor takes the recovery codes along, and no other does', async () => {
    await factors.addTotp(change, totp, ['one'])
    await factors.addPasskey(change, passkey('p1'), undefined)
    await factors.addPasskey({ ...change, user: bob }, passkey('of bob', { userId: bob.id }), ['one'])
    await factors.rememberDevice(testDevice('d1'), await userNow(), entry)
    announced = []
    expect(await factors.removeFactor(change, 'p2', false)).toBeUndefined()
    expect(await factors.removeFactor({ ...change, user: bob }, 'p1', false)).toBeUndefined()
    expect(await factors.removeFactor({ ...change, user: bob }, 'totp', false)).toBeUndefined()
    expect([announced, await factors.devices(ann, now)]).toMatchObject([[], [{ id: 'd1' }]])
    expect(await factors.removeFactor(change, 'totp', true)).toEqual([])
    expect([await userNow(), await codesOf()]).toMatchObject([{ hasFactor: true }, 1])
    expect(await factors.totp(ann.id)).toBeUndefined()
    expect(await factors.devices(ann, now)).toEqual([])
    expect(announced).toEqual(facts())
    expect(await factors.removeFactor(change, 'p1', false)).toEqual([])
    expect([await userNow(), await codesOf(), await codesOf(bob.id)]).toMatchObject([{ hasFactor: false }, 0, 1])
    expect(await factors.passkeys(ann.id)).toEqual([])
  })

  test.each(['totp', 'p1'])('[MFA-2] the last factor stays if one is required: %s', async (factor) => {
    if (factor === 'totp') await factors.addTotp(change, totp, ['one'])
    else await factors.addPasskey(change, passkey('p1'), ['one'])
    const refused = { code: 'conflict', reason: 'factor-required' }
    await expect(factors.removeFactor(change, factor, true)).rejects.toMatchObject(refused)
    expect([await userNow(), await codesOf()]).toMatchObject([{ hasFactor: true, factorVersion: 1 }, 1])
  })

  test('[MFA-5] a reset removes every factor of the user, and says who did it until it was seen', async () => {
    await factors.addTotp(change, totp, ['one'])
    await factors.addPasskey(change, passkey('p1'), undefined)
    await factors.addTotp({ ...change, user: bob }, totp, ['one'])
    await factors.addPasskey({ ...change, user: bob }, passkey('p2', { userId: bob.id }), undefined)
    const reset = { ...change, keptSession: undefined, entry: { ...entry, target: 'reset' } }
    announced = []
    expect(await factors.resetFactors(reset, { by: 'boss', at: now + 1 })).toEqual(['s1'])
    expect(announced).toEqual(facts('s1'))
    expect(await userNow()).toMatchObject({ hasFactor: false, factorReset: { by: 'boss', at: now + 1 } })
    expect([await factors.totp(ann.id), await factors.passkeys(ann.id), await codesOf()]).toEqual([undefined, [], 0])
    expect(await userNow(bob.id)).toMatchObject({ hasFactor: true, factorReset: null })
    expect([await factors.totp(bob.id), await factors.passkeys(bob.id)]).toMatchObject([totp, [{ id: 'p2' }]])
    expect(await factors.resetFactors(reset, { by: 'later', at: now + 2 })).toBeUndefined()
    expect(await audited()).toEqual(['changed', 'changed', 'changed', 'changed', 'reset'])
    await factors.resetFactors({ ...reset, user: bob }, { by: 'boss', at: now })
    announced = []
    await factors.clearReset(ann)
    expect([await userNow(), await userNow(bob.id)]).toMatchObject([
      { factorReset: null },
      { factorReset: { by: 'boss' } },
    ])
    expect(announced).toEqual(facts())
  })

  test('[MFA-3] a change that changes nothing ends no sign-in under way', async () => {
    expect(await factors.removeFactor(change, 'missing', false)).toBeUndefined()
    expect(await factors.resetFactors(change, { by: 'boss', at: now })).toBeUndefined()
    expect(await userNow()).toMatchObject({ factorVersion: 0 })
  })

  test('[MFA-4] a session is confirmed, unless it was ended', async () => {
    expect(await factors.confirmSession('s1', now + 1)).toBe(true)
    expect([await accounts.session('s1'), await accounts.session('s2')]).toMatchObject([
      { confirmedAt: now + 1 },
      { confirmedAt: null },
    ])
    expect(announced).toEqual([{ kind: 'session', id: 's1' }])
    expect(await factors.confirmSession('gone', now)).toBe(false)
  })

  test('[MFA-3] a used ticket is kept for a day longer than it is valid, for clocks that differ', async () => {
    const day = 86_400_000
    const id = `ticket ${Math.random()}`
    expect(await factors.noteTicket(id, now, now)).toBe(true)
    expect(await factors.noteTicket(id, now, now + day)).toBe(false)
    expect(await factors.noteTicket(id, now, now + day + 1)).toBe(true)
  })
})
