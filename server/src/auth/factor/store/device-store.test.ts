import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptied, engines, type TestDatabase } from '../../../../test/support/engines.ts'
import { testDevice } from '../../../../test/support/test-device.ts'
import { testUser } from '../../../../test/support/test-user.ts'
import { testEntry as entry } from '../../../../test/support/test-entry.ts'
import type { Store } from '../../../store/store.ts'
import { accountStore } from '../../../users/accounts/account-store.sql.ts'
import { deviceStore } from './device-store.sql.ts'
import type { DeviceStore } from './factor-store.ts'

const now = 1_700_000_000_000
const ann = testUser('ann')
const bob = testUser('bob')

describe.each(engines)('remembered devices on $name', ({ create }) => {
  let database: TestDatabase
  let store: Store
  let devices: DeviceStore
  beforeAll(async () => {
    database = await create()
    store = await database.open()
    devices = deviceStore(store)
  }, 60_000)
  afterAll(() => database.remove())
  beforeEach(async () => {
    await emptied(store)
    for (const user of [ann, bob]) await accountStore(store).addUser(user, entry, 0)
    await store.db.deleteFrom('audit').execute()
  })
  const audited = async () =>
    (await store.db.selectFrom('audit').select('target').orderBy('id').execute()).map(({ target }) => target)

  test('[MFA-5] a device is read as it was written, newest first, until it expires or the password changes', async () => {
    const strange = testDevice('d1', { userAgent: `a\0b\ud800${'c'.repeat(300)}` })
    await devices.rememberDevice(strange, ann, { ...entry, target: 'remembered' })
    await devices.rememberDevice(testDevice('d2', { createdAt: now + 1 }), ann, entry)
    await devices.rememberDevice(testDevice('d0', { createdAt: now + 1 }), ann, entry)
    await devices.rememberDevice(testDevice('d3', { createdAt: now + 1, userId: bob.id }), bob, entry)
    expect(await audited()).toEqual(['remembered', 'a test', 'a test', 'a test'])
    const first = testDevice('d1', { userAgent: `ab\ufffd${'c'.repeat(252)}` })
    const later = ['d0', 'd2'].map((id) => testDevice(id, { createdAt: now + 1 }))
    expect(await devices.devices(ann, now)).toEqual([...later, first])
    expect(await devices.devices({ ...ann, credentialVersion: 2 }, now)).toEqual([])
    expect(await devices.devices(ann, now + 10)).toEqual([])
    await devices.rememberDevice(testDevice('d4', { createdAt: now + 10, expiresAt: now + 20 }), ann, entry)
    expect((await devices.devices(ann, now)).map(({ id }) => id)).toEqual(['d4'])
  })

  test('[MFA-5] a device is used with one of its secrets, by its user', async () => {
    await devices.rememberDevice(testDevice('d1'), ann, entry)
    const by = { address: '192.0.2.9', now: now + 1 }
    const hashes = ['x', 'hash of d1']
    expect(await devices.useDevice(bob, hashes, by)).toBe(false)
    expect(await devices.useDevice({ ...ann, credentialVersion: 2 }, hashes, by)).toBe(false)
    expect(await devices.useDevice(ann, hashes, { ...by, now: now + 10 })).toBe(false)
    for (const other of [[], ['x', 'y']]) expect(await devices.useDevice(ann, other, by)).toBe(false)
    expect(await devices.useDevice(ann, hashes, by)).toBe(true)
    expect(await devices.devices(ann, now)).toMatchObject([{ address: '192.0.2.9', lastUsedAt: now + 1 }])
  })

  test('[MFA-5] only its user revokes a device, which is audited', async () => {
    await devices.rememberDevice(testDevice('d1'), ann, entry)
    const revoking = { ...entry, target: 'revoked' }
    expect(await devices.forgetDevice('d1', bob.id, revoking)).toBe(false)
    expect(await devices.forgetDevice('d2', ann.id, revoking)).toBe(false)
    expect(await audited()).toEqual(['a test'])
    expect(await devices.forgetDevice('d1', ann.id, revoking)).toBe(true)
    expect([await devices.devices(ann, now), await audited()]).toEqual([[], ['a test', 'revoked']])
  })
})
