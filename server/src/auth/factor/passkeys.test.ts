import { beforeEach, describe, expect, test } from 'vitest'
import { createAuthenticator, type Claims } from '../../../test/support/authenticator.ts'
import { silent } from '../../../test/support/null-log.ts'
import { testUser } from '../../../test/support/test-user.ts'
import { systemRandom } from '../../shared/random.ts'
import type { Passkey } from './store/factor-store.ts'
import { createPasskeys, type Occasion } from './passkeys.ts'
import { createTickets } from './tickets.ts'

const now = 1_700_000_000_000
const ann = testUser('ann')
const party = { id: 'here', origin: 'https://here' }
const adding: Occasion = { purpose: 'passkey.add', subject: 's1', party }
const login: Occasion = { purpose: 'passkey.login', subject: '', party }

let rows: Passkey[]
let isFresh: boolean
beforeEach(() => {
  rows = []
  isFresh = true
})

const passkeys = createPasskeys({
  store: {
    passkeys: async (userId) => rows.filter((row) => row.userId === userId),
    passkeyByCredential: async (id) => rows.find(({ credentialId }) => credentialId === id),
    async usePasskey({ id, counter: seen }, counter, at) {
      const row = rows.find((each) => each.id === id && each.counter === seen)
      if (!row) return false
      rows = [{ ...row, counter, lastUsedAt: at }]
      return true
    },
  },
  tickets: createTickets({
    secret: 's'.repeat(64),
    note: async () => isFresh,
    clock: { now: () => now },
    random: systemRandom,
  }),
  clock: { now: () => now },
  log: silent,
})
type Credential = Parameters<typeof passkeys.verifyNew>[0]
type Assertion = Parameters<typeof passkeys.verify>[0]

const row = (more: Partial<Passkey>): Passkey => ({
  id: 'p1',
  userId: ann.id,
  credentialId: 'c1',
  publicKey: '',
  counter: 0,
  transports: ['usb'],
  rpId: 'here',
  name: 'Phone',
  createdAt: now,
  lastUsedAt: null,
  ...more,
})

/** A passkey of ann that was added. */
async function added() {
  const authenticator = createAuthenticator(party.origin)
  const credential = authenticator.create(await passkeys.creationOptions(adding, ann)) as Credential
  const created = await passkeys.verifyNew(credential, adding)
  rows = [row(created!)]
  const assertionFor = async (occasion: Occasion, claims?: Partial<Claims>) =>
    authenticator.get(await passkeys.requestOptions(occasion, undefined), claims) as Assertion
  return { authenticator, created, assertionFor }
}

describe('[MFA-1] the options of a passkey', () => {
  const shown = [row({}), row({ id: 'p2', credentialId: 'c2', rpId: 'there' }), row({ userId: 'bob' })]

  test('to create one, which has to be discoverable, to verify the user, and to be another than those here', async () => {
    rows = shown
    expect(await passkeys.creationOptions(adding, ann)).toMatchObject({
      rp: { name: 'Gatehouse', id: 'here' },
      user: { id: Buffer.from(ann.id).toString('base64url'), name: 'ann', displayName: 'ann' },
      timeout: 300_000,
      attestation: 'none',
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ alg, type: 'public-key' })),
      excludeCredentials: [{ id: 'c1', transports: ['usb'] }],
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    })
    rows = []
    expect(await passkeys.creationOptions(adding, ann)).toMatchObject({ excludeCredentials: [] })
  })

  test('to sign in, with those of a known user, or with any', async () => {
    rows = shown
    const options = await passkeys.requestOptions(login, ann)
    const always = { rpId: 'here', timeout: 300_000, userVerification: 'required' }
    expect(options).toMatchObject({ ...always, allowCredentials: [{ id: 'c1', transports: ['usb'] }] })
    expect(await passkeys.requestOptions(login, undefined)).toMatchObject(always)
    expect((await passkeys.requestOptions(login, undefined)).allowCredentials).toBeUndefined()
  })
})

describe('[MFA-1] a new passkey', () => {
  test('is accepted with what its authenticator says', async () => {
    const { created } = await added()
    expect(created).toMatchObject({ counter: 1, transports: ['internal'], rpId: 'here' })
  })

  test('can leave out how it is reached', async () => {
    const authenticator = createAuthenticator(party.origin)
    const credential = authenticator.create(await passkeys.creationOptions(adding, ann)) as Credential
    delete credential.response.transports
    expect(await passkeys.verifyNew(credential, adding)).toMatchObject({ transports: [] })
  })

  test.each<[what: string, claims: Partial<Claims>, at: Partial<Occasion>]>([
    ['of another site', { origin: 'https://there' }, {}],
    ['for another relying party', { rpId: 'there' }, {}],
    ['for another session', {}, { subject: 's2' }],
    ['for another purpose', {}, { purpose: 'passkey.confirm' }],
    ['that signs in', { type: 'webauthn.get' }, {}],
    ['without user verification', { userVerified: false }, {}],
  ])('%s is refused', async (_what, claims, at) => {
    const options = await passkeys.creationOptions(adding, ann)
    const credential = createAuthenticator(party.origin).create(options, claims) as Credential
    expect(await passkeys.verifyNew(credential, { ...adding, ...at })).toBeUndefined()
  })

  test('whose options were used is refused', async () => {
    const options = await passkeys.creationOptions(adding, ann)
    isFresh = false
    const credential = createAuthenticator(party.origin).create(options) as Credential
    expect(await passkeys.verifyNew(credential, adding)).toBeUndefined()
  })
})

describe('[MFA-1] an assertion', () => {
  test('is accepted once, and its counter is kept', async () => {
    const { assertionFor } = await added()
    const assertion = await assertionFor(login)
    expect(await passkeys.verify(assertion, login)).toMatchObject({ userId: ann.id })
    expect(rows).toMatchObject([{ counter: 2, lastUsedAt: now }])
    expect(await passkeys.verify(assertion, login)).toBeUndefined()
  })

  test('can leave out the id of the user', async () => {
    const { assertionFor } = await added()
    const assertion = await assertionFor(login)
    delete assertion.response.userHandle
    expect(await passkeys.verify(assertion, login)).toBeDefined()
  })

  test.each<[what: string, claims: Partial<Claims>, at: Partial<Occasion>]>([
    ['of another site', { origin: 'https://there' }, {}],
    ['for another relying party', { rpId: 'there' }, {}],
    ['for another user', { userHandle: Buffer.from('bob').toString('base64url') }, {}],
    ['for another session', {}, { subject: 's2' }],
    ['for another purpose', {}, { purpose: 'passkey.confirm' }],
    ['at another address', {}, { party: { id: 'there', origin: 'https://here' } }],
    ['without user verification', { userVerified: false }, {}],
    ['whose counter went back', { counter: 1 }, {}],
  ])('%s is refused', async (_what, claims, at) => {
    const { assertionFor } = await added()
    const assertion = await assertionFor(login, claims)
    expect(await passkeys.verify(assertion, { ...login, ...at })).toBeUndefined()
    expect(rows).toMatchObject([{ counter: 1 }])
  })

  test('of a passkey that was registered at another address is refused', async () => {
    const { assertionFor } = await added()
    rows = rows.map((each) => ({ ...each, rpId: 'there' }))
    expect(await passkeys.verify(await assertionFor(login), login)).toBeUndefined()
  })

  test('of an unknown passkey, or one whose options were used, is refused', async () => {
    const { assertionFor } = await added()
    const [known] = rows
    rows = []
    expect(await passkeys.verify(await assertionFor(login), login)).toBeUndefined()
    rows = [known!]
    isFresh = false
    expect(await passkeys.verify(await assertionFor(login), login)).toBeUndefined()
  })
})
