import { beforeEach, describe, expect, test } from 'vitest'
import { silent } from '../../../test/support/null-log.ts'
import { requestMeta } from '../../../test/support/request-meta.ts'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { unauthenticated } from '../../access/identity.ts'
import type { Invalidation } from '../../access/invalidation.ts'
import type { Authentication } from '../../http/authentication.ts'
import type { RequestMeta } from '../../shared/http/request-meta.ts'
import { hashOfSecret } from '../link-secret.ts'
import { defaultLayout } from './screen-layout.ts'
import type { Screen } from './screen-store.ts'
import { createScreens, type Screens } from './screens.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

const minute = 60_000
const clock = createTestClock()
const id = '0123456789abcdef'.repeat(2)
const secret = 'S'.repeat(43)
const cookie = `gatehouse_screen=${id}.${secret}`
const hall = (): Screen => ({
  id,
  name: 'hall',
  cameras: [cameraKey('key of yard'), cameraKey('key of door')],
  audio: false,
  layout: defaultLayout,
  secretHash: hashOfSecret(secret),
  confirmedBy: 'boss',
  tokenId: null,
  createdAt: 1,
  lastSeenAt: clock.now(),
  address: null,
})

let rows: Screen[]
let reads: number
let isFresh: boolean
let touched: unknown[]
let touching: () => Promise<void>
let warnings: unknown[]
const cameras = { version: 1, nameOf: (key: string) => names.get(key) ?? `${key}~` }
let names: Map<string, string>
/** When its token lets it end. */
let end: number | 'ended' | undefined
let screens: Screens
beforeEach(() => {
  rows = [hall()]
  reads = 0
  isFresh = true
  touched = []
  touching = async () => undefined
  warnings = []
  end = undefined
  names = new Map([
    ['key of yard', 'yard'],
    ['key of door', 'door'],
  ])
  screens = createScreens({
    store: {
      async screensById(ids) {
        reads += 1
        return rows.filter((row) => ids.includes(row.id))
      },
      async touch(...of) {
        touched.push(of)
        await touching()
      },
    },
    cameras,
    pairingEnd: { of: () => end, hasEndedAt: async (_screen, at) => end === 'ended' || (end ?? Infinity) <= at },
    addressOf: ({ peer }) => peer,
    isFresh: () => isFresh,
    clock,
    log: { ...silent, warn: (values) => void warnings.push(values) },
  })
})

const requestWith = (headers: Readonly<Record<string, string>>) => requestMeta(headers, '192.0.2.7')
const meta = requestWith({ cookie })
const authenticated = async (of = meta) => screens.authenticate(of)
const refused = (reason: string) => ({
  identity: unauthenticated,
  refusedToken: { reason, user: null, ambient: true },
})

describe('[KEY-6] a screen', () => {
  test.each<[audio: boolean, actions: string[]]>([
    [false, ['live']],
    [true, ['live', 'audio']],
  ])('with audio: %s, can %j of its cameras, and nothing else', async (audio, actions) => {
    rows = [{ ...hall(), audio }]
    expect(await authenticated()).toMatchObject({
      ambient: true,
      identity: {
        kind: 'authenticated',
        authMethod: 'screen',
        name: 'hall',
        key: id,
        userId: null,
        role: 'viewer',
        session: undefined,
        credential: { kind: 'screen', id, name: 'hall' },
      },
    })
    const { identity } = await authenticated()
    expect(identity).toMatchObject({
      credential: { limits: { cameras: new Set(['yard', 'door']), actions: new Set(actions) } },
    })
  })

  test.each<[what: string, of: RequestMeta, row: Partial<Screen> | undefined, found: object]>([
    ['without its cookie', requestWith({}), {}, { identity: unauthenticated }],
    ['with a damaged cookie', requestWith({ cookie: `${cookie}S` }), {}, refused('bad-token')],
    ['with another secret', requestWith({ cookie: cookie.replace('S', 'T') }), {}, refused('bad-token')],
    ['that has no secret yet', meta, { secretHash: null }, refused('bad-token')],
    ['that was revoked', meta, undefined, refused('revoked-token')],
  ])('%s is refused', async (_what, of, row, found) => {
    rows = row ? [{ ...hall(), ...row, lastSeenAt: 0 }] : []
    const { reauthenticate, ...rest } = await authenticated(of)
    expect(rest).toEqual(found)
    expect((await reauthenticate()).identity).toBe(unauthenticated)
    expect(touched).toEqual([])
  })

  test('is read once, and has the same identity as long as nothing changes', async () => {
    const { identity, reauthenticate } = await authenticated()
    expect(screens.authenticate(meta)).toMatchObject({ identity })
    expect((screens.authenticate(meta) as Authentication).identity).toBe(identity)
    expect((await reauthenticate()).identity).toBe(identity)
    expect(screens.byId(id)).toEqual(hall())
    expect(await screens.identityOf(id, clock.now())).toBe(identity)
    expect(reads).toBe(1)
    isFresh = false
    expect(await authenticated()).toMatchObject({ identity: { kind: 'authenticated' } })
    expect(reads).toBe(2)
  })

  test('sees a renamed camera, and not a removed one', async () => {
    const { identity } = await authenticated()
    names = new Map([['key of yard', 'garden']])
    expect((await authenticated()).identity).toBe(identity)
    cameras.version += 1
    const later = (await authenticated()).identity
    expect(later).toMatchObject({ credential: { limits: { cameras: new Set(['garden']) } } })
    expect((await authenticated()).identity).toBe(later)
  })

  test.each<[Invalidation, isRead: boolean]>([
    [{ kind: 'credential', id }, true],
    [{ kind: 'all' }, true],
    [{ kind: 'credential', id: 'another' }, false],
    [{ kind: 'user', key: id }, false],
  ])('is read again after %j: %s', async (invalidation, isRead) => {
    await authenticated()
    screens.invalidate(invalidation)
    expect(screens.authenticate(meta) instanceof Promise).toBe(isRead)
  })

  test('[KEY-4] is authenticated until the token that paired it may end, and no longer', async () => {
    end = clock.now() + minute
    const { identity, until } = await authenticated()
    expect([identity.kind, until]).toEqual(['authenticated', end])
    expect(await screens.hasEnded(hall())).toBe(false)
    const at = clock.now() + minute
    expect([await screens.identityOf(id, at - 1), await screens.identityOf(id, at)]).toEqual([
      identity,
      unauthenticated,
    ])
  })

  test('[KEY-4] is refused, and not noted as seen, once the token that paired it has ended', async () => {
    rows = [{ ...hall(), lastSeenAt: 0 }]
    end = 'ended'
    expect(await authenticated()).toMatchObject(refused('revoked-token'))
    expect(await screens.identityOf(id, clock.now())).toBe(unauthenticated)
    expect(await screens.hasEnded(hall())).toBe(true)
    expect(touched).toEqual([])
  })

  test('that is unknown has no identity', async () => {
    expect([await screens.identityOf('another', clock.now()), await screens.byId('another')]).toEqual([
      undefined,
      undefined,
    ])
    expect(await screens.byId(id)).toEqual(hall())
  })
})

describe('[KEY-6] when a screen was seen', () => {
  test.each<[after: number, isWritten: boolean]>([
    [minute - 1, false],
    [minute, true],
    [-minute + 1, false],
    // The clock was set back.
    [-minute, true],
  ])('%i ms later is written: %s', async (after, isWritten) => {
    const at = clock.now()
    await authenticated()
    expect(touched).toEqual([])
    clock.setWallTime(at + after)
    for (const _ of [1, 2]) await authenticated()
    expect(touched).toEqual(isWritten ? [[id, at + after, '192.0.2.7']] : [])
    clock.setWallTime(at)
  })

  test('is written at its first request, and a failure only logged', async () => {
    rows = [{ ...hall(), lastSeenAt: null }]
    const failure = new Error('no database')
    touching = () => Promise.reject(failure)
    expect(await authenticated()).toMatchObject({ identity: { kind: 'authenticated' } })
    expect(touched).toEqual([[id, clock.now(), '192.0.2.7']])
    await expect.poll(() => warnings).toEqual([{ err: failure }])
  })
})
