import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptied, engines, type TestDatabase } from '../../test/support/engines.ts'
import { testUser } from '../../test/support/test-user.ts'
import { rolesFrom } from '../access/role.ts'
import { testEntry as entry } from '../../test/support/test-entry.ts'
import type { Store } from '../store/store.ts'
import { accountStore } from '../users/accounts/account-store.sql.ts'
import { apiTokenStore } from './api-token/api-token-store.sql.ts'
import { factorStore } from './factor/store/factor-store.sql.ts'
import { invitationStore } from './invitation/invitation-store.sql.ts'
import type { Invitation } from './invitation/invitation.ts'
import { hashOfSecret } from './link-secret.ts'
import { defaultLayout } from './screen/screen-layout.ts'
import { screenStore } from './screen/screen-store.sql.ts'
import { cameraKey } from '../shared/camera/camera-keys.ts'

const now = 1_700_000_000_000
const ann = testUser('ann', { role: 'admin' })
const roles = rolesFrom(new Map(), { now: () => now, wallClock: () => ({ weekday: 'mon', minute: 0 }) })
const change = { user: ann, keptSession: undefined, entry }

/** The stores of one instance. */
const storesOf = (store: Store) => ({
  tokens: apiTokenStore(store),
  screens: screenStore(store),
  factors: factorStore(store),
  invitations: invitationStore(store),
})
type Stores = ReturnType<typeof storesOf>

const count = (results: readonly unknown[], accepted: unknown) => results.filter((one) => one === accepted).length

describe.each(engines)('of concurrent uses by two instances on $name', ({ create }) => {
  let database: TestDatabase
  let store: Store
  let here: Stores
  let there: Stores
  beforeAll(async () => {
    database = await create()
    store = await database.open()
    here = storesOf(store)
    there = storesOf(await database.open())
  }, 60_000)
  afterAll(() => database.remove())
  beforeEach(async () => {
    await emptied(store)
    await accountStore(store).addUser(ann, entry, 0)
  })
  /** Twenty uses at the same time, by turns here and there. */
  const twenty = <T>(use: (stores: Stores, index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: 20 }, (_, index) => use(index % 2 === 0 ? here : there, index)))

  test('[MFA-1] a TOTP step is accepted once, and no earlier one after it', async () => {
    await here.factors.addTotp(change, { secret: 'sealed', createdAt: now, lastStep: 7 }, ['code'])
    expect(count(await twenty(({ factors }) => factors.acceptStep(ann.id, 8)), true)).toBe(1)
    expect(await there.factors.acceptStep(ann.id, 7)).toBe(false)
    expect(await there.factors.acceptStep(ann.id, 9)).toBe(true)
    expect(await here.factors.totp(ann.id)).toMatchObject({ secret: 'sealed', lastStep: 9, failures: 0 })
  })

  test('[MFA-3] each wrong code is counted before the next is checked', async () => {
    await here.factors.addTotp(change, { secret: 'sealed', createdAt: now, lastStep: 7 }, ['code'])
    expect(count(await twenty(({ factors }) => factors.countFailure(ann.id, { failures: 0 }, now)), true)).toBe(1)
    expect(await here.factors.totp(ann.id)).toMatchObject({ failures: 1, failedAt: now })
  })

  test('[MFA-1] a recovery code works once', async () => {
    await here.factors.addTotp(change, { secret: 'sealed', createdAt: now, lastStep: 7 }, ['one', 'two'])
    expect(count(await twenty(({ factors }) => factors.useRecoveryCode(ann.id, 'one', entry)), true)).toBe(1)
    expect(await there.factors.countRecoveryCodes(ann.id)).toBe(1)
  })

  test('[MFA-3] a ticket is used once', async () => {
    const ticket = `ticket ${Math.random()}`
    expect(count(await twenty(({ factors }) => factors.noteTicket(ticket, now + 1000, now)), true)).toBe(1)
  })

  test('[KEY-1] no more tokens are added than a user can have', async () => {
    const token = (id: string) => ({
      id,
      userId: ann.id,
      name: 'NAS',
      secretHash: 'hash',
      cameras: [cameraKey('key of yard')],
      actions: ['live' as const],
      createdAt: now,
      expiresAt: null,
      credentialVersion: 1,
      parentId: null,
    })
    const added = await twenty(({ tokens }, index) => tokens.add(token(`token ${index}`), 1, 5, entry))
    expect([count(added, 'added'), count(added, 'full')]).toEqual([5, 15])
    const [first] = await there.tokens.tokensOf(ann.id)
    expect(first).toEqual({ ...token(first!.id), owner: 'ann', ownerKey: 'ann', parentName: null, ...neverUsed })
    expect(await here.tokens.add(token('late'), 2, 100, entry)).toBe('absent')
    const revoked = await twenty(({ tokens }) =>
      tokens.revoke(
        first!.id,
        () => entry,
        () => entry,
      ),
    )
    expect(revoked.flat()).toEqual([first!.id])
  })

  test('[KEY-6] a display gets the secret of its screen once', async () => {
    const id = `screen ${Math.random()}`
    const pairing = { idHash: `hash of ${id}`, code: id.slice(0, 12), address: '192.0.2.1', userAgent: 'a display' }
    await here.screens.addPairing({ ...pairing, createdAt: now, expiresAt: now + 1000 }, 100)
    const screen = { id, name: 'hall', cameras: [cameraKey('key of yard')], audio: false, layout: defaultLayout }
    const unused = {
      secretHash: null,
      confirmedBy: 'ann',
      tokenId: null,
      createdAt: now,
      lastSeenAt: null,
      address: null,
    }
    const limits = { pickUpUntil: now + 1000, max: 100 }
    const confirmed = await twenty(({ screens }, index) =>
      screens.confirm(pairing.code, { ...screen, ...unused, id: `${id} ${index}` }, entry, limits),
    )
    expect(count(confirmed, 'confirmed')).toBe(1)
    const picked = await twenty(({ screens }, index) =>
      screens.pickUp(pairing.idHash, {
        secretHash: `secret ${index}`,
        address: '192.0.2.1',
        at: now,
        entry: () => entry,
      }),
    )
    expect(picked.filter((result) => typeof result === 'object')).toHaveLength(1)
  })

  test('[LINK-4] an invitation makes one user', async () => {
    const id = `invitation ${Math.random()}`
    const invitation: Invitation = {
      kind: 'invitation',
      id,
      secretHash: hashOfSecret('secret'),
      createdBy: 'ann',
      createdVia: 'password',
      creatorId: ann.id,
      tokenId: null,
      createdAt: now,
      expiresAt: now + 1000,
      ended: null,
      role: 'viewer',
      username: null,
    }
    expect(await here.invitations.add(invitation, entry, 100, null)).toBe('added')
    const use = { id, secret: 'secret', roles, isAccepted: () => true, now }
    const accepted = await twenty(({ invitations }, index) =>
      invitations.acceptInvitation(
        use,
        () => testUser(`guest ${index}`),
        () => entry,
      ),
    )
    expect(accepted.filter((result) => typeof result === 'object')).toHaveLength(1)
    expect(count(accepted, 'used')).toBe(19)
    expect(await there.invitations.find({ ...use, secret: 'another' })).toBe('wrong')
  })
})

const neverUsed = { lastUsedAt: null, lastUsedFrom: null }
