import { beforeEach, describe, expect, test } from 'vitest'
import { requestMeta } from '../../../test/support/request-meta.ts'
import type { CameraAction } from '../../access/action.ts'
import { scopeOf } from '../../access/grant.ts'
import { internalAdmin, type Identity } from '../../access/identity.ts'
import { partsOf, type AboutCameras } from '../../access/rule.ts'
import type { Caller } from '../../http/caller.ts'
import type { Input, Method } from '../../http/route.ts'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import { ServiceError } from '../../shared/errors.ts'
import { systemRandom } from '../../shared/random.ts'
import { defaultLayout } from './screen-layout.ts'
import { screenRoutes, type ScreenRoutesDeps } from './screen.routes.ts'
import type { Pairing, PickUp, Screen, ScreenChange } from './screen-store.ts'
import { cameraKey } from '../../shared/camera/camera-keys.ts'

const now = 1_700_000_000_000
const at = new Date(now).toISOString()
const id = '0123456789abcdef'.repeat(2)
const secret = 'S'.repeat(43)
const client = { address: '192.0.2.1', encrypted: true, knownEncrypted: true, host: 'here', basePath: '/' }
const boss: Identity = { ...internalAdmin, authMethod: 'password', name: 'boss' }
const hall: Screen = {
  id,
  name: 'hall',
  cameras: [cameraKey('key of yard')],
  audio: false,
  layout: { ...defaultLayout, columns: 2 },
  secretHash: null,
  confirmedBy: 'boss',
  tokenId: null,
  createdAt: now,
  lastSeenAt: null,
  address: null,
}
const waits: Pairing = {
  idHash: 'hash',
  code: 'ACDE3467',
  address: '192.0.2.7',
  userAgent: 'a browser',
  createdAt: now,
  expiresAt: now + 1000,
}

let rows: Screen[]
let confirmed: 'confirmed' | 'revoked' | 'full'
/** Why there is no pairing with a code. */
let refused: ServiceError | undefined
let polled: { id: string; proof: string } | 'waiting'
/** Whether a screen is removed by someone else before it is changed. */
let isRemoved: boolean
let done: unknown[]
let recorded: unknown[]
beforeEach(() => {
  rows = [hall]
  confirmed = 'confirmed'
  refused = undefined
  polled = 'waiting'
  isRemoved = false
  done = []
  recorded = []
})

const named = ({ action, target, detail }: AuditEntry) => [action, target, detail]
const deps = {
  store: {
    screens: async () => rows,
    screensById: async (ids: string[]) => rows.filter((row) => ids.includes(row.id)),
    async confirm(code: string, screen: Screen, entry: AuditEntry, limits: object) {
      done.push([code, screen, named(entry), limits])
      return confirmed
    },
    async change(of: string, change: ScreenChange, entry: AuditEntry) {
      done.push([of, change, named(entry)])
      return isRemoved ? undefined : { ...hall, ...change }
    },
    async revoke(of: string, entry: AuditEntry) {
      done.push([of, named(entry)])
      return !isRemoved
    },
  },
  screens: {
    byId: (of: string) => rows.find((row) => row.id === of),
    hasEnded: async ({ tokenId }: Pick<Screen, 'tokenId'>) => tokenId !== null,
  },
  pairings: {
    async start(...of: unknown[]) {
      done.push(of)
      return { id: 'secret id', code: waits.code, expiresAt: now }
    },
    async poll(of: string, address: string, entryOf: PickUp['entry']) {
      done.push([of, address, named(entryOf({ id, name: 'hall' }))])
      return polled
    },
    async withCode(typed: string, address: string, work: (pairing: Pairing) => Promise<unknown>) {
      if (refused) throw refused
      expect([typed, address]).toEqual(['acde', client.address])
      return work(waits)
    },
  },
  keys: { keyOf: (name: string) => `key of ${name}`, nameOf: (key: string) => key.slice('key of '.length) },
  cameraExists: (name: string) => ['yard', 'door'].includes(name),
  publish: (invalidation: unknown) => void done.push(invalidation),
  audit: { record: (entry: AuditEntry) => void recorded.push(entry) },
  clock: { now: () => now },
  random: systemRandom,
} as unknown as ScreenRoutesDeps

const scope = scopeOf({ actions: new Set(), cameras: 'all' })
const authorizeAgain = async () => undefined
const routeAt = (method: Method, path: string) =>
  screenRoutes(deps).find((route) => route.methods.includes(method) && route.path === path)!
const call = (method: Method, path: string, input: object, more: object = {}) => {
  const meta = requestMeta({ 'user-agent': 'a browser' })
  const caller = {
    identity: boss,
    client,
    meta,
    isProxied: false,
    hasPart: () => true,
    authorizeAgain,
    scope,
    ...more,
  } as unknown as Caller
  return routeAt(method, path).handle!(input as Input<never>, caller) as Promise<unknown>
}
const view = {
  id,
  name: 'hall',
  cameras: ['yard'],
  audio: false,
  layout: hall.layout,
  confirmed_by: 'boss',
  created_at: at,
  last_seen_at: null,
  address: null,
  ended: false,
}
const noScreen = { code: 'not-found', reason: 'no-such-screen' }
const published = { kind: 'credential', id }

const poll = () => call('GET', '/api/pairings/:id', { params: { id: 'x' } })

describe('[KEY-6] a display', () => {
  test('starts a pairing, but not where a proxy signs in', async () => {
    expect(await call('POST', '/api/pairings', {})).toMatchObject({
      parts: { status: 201, body: { id: 'secret id', code: waits.code, expires_at: at } },
    })
    expect(done).toEqual([['192.0.2.1', 'a browser']])
    const proxied = { code: 'not-found', reason: 'proxy-auth-enabled' }
    await expect(call('POST', '/api/pairings', {}, { isProxied: true })).rejects.toMatchObject(proxied)
    expect(done).toHaveLength(1)
  })

  test('gets its cookie once an admin has confirmed it', async () => {
    expect(await poll()).toEqual({ parts: { status: 202 } })
    polled = { id, proof: secret }
    const headers: unknown = { 'set-cookie': expect.stringContaining(`gatehouse_screen=${id}.${secret};`) }
    expect(await poll()).toEqual({ parts: { status: 200, headers } })
    // Its row has changed: requests must not be judged by one that was cached before.
    const polls = ['x', '192.0.2.1', ['screen.connect', id, 'hall']]
    expect(done).toEqual([polls, polls, published])
    expect(routeAt('GET', '/api/pairings/:id').sameOriginOnly).toBe(true)
  })
})

const own = (identity: Identity, cookie?: string) =>
  call('GET', '/api/screen', {}, { identity, meta: { values: () => (cookie === undefined ? [] : [cookie]) } })

describe('[KEY-6] a screen', () => {
  const asScreen = (kind: string, of = id): Identity =>
    ({ ...boss, authMethod: 'screen', credential: { kind, id: of, name: '', limits: {} } }) as unknown as Identity
  const body = { name: 'hall', cameras: ['yard'], audio: false, layout: hall.layout }

  test('gets what it shows, and its cookie again', async () => {
    const headers: unknown = { 'set-cookie': expect.stringContaining(`gatehouse_screen=${id}.${secret};`) }
    const cookie = `gatehouse_screen=${id}.${secret}`
    expect(await own(asScreen('screen'), cookie)).toEqual({ parts: { status: 200, body, headers } })
    expect(await own(asScreen('screen'), 'x=y')).toEqual({ parts: { status: 200, body, headers: {} } })
  })

  test.each<[string, Identity]>([
    ['a person', boss],
    ['an API token', asScreen('token')],
    ['a screen that was revoked', asScreen('screen', 'another')],
  ])('is not %s', async (_what, identity) => {
    await expect(own(identity)).rejects.toMatchObject(noScreen)
  })
})

describe('[KEY-6] the code of a display', () => {
  const body = { code: 'acde', name: ' lobby ', cameras: ['yard', 'door', 'yard'] }
  const confirm = (more: object = {}) => call('POST', '/api/pairings/confirm', { body: { ...body, ...more } })

  test('shows an admin which display waits', async () => {
    expect(await call('POST', '/api/pairings/find', { body: { code: 'acde' } })).toEqual({
      address: '192.0.2.7',
      user_agent: 'a browser',
      requested_at: at,
      expires_at: new Date(now + 1000).toISOString(),
    })
    expect(recorded).toEqual([])
  })

  test.each<[more: Partial<Screen>]>([[{}], [{ audio: true, layout: { ...defaultLayout, columns: 4 } }]])(
    'makes it a screen, with %j',
    async (more) => {
      const { parts } = (await confirm(more.layout ? { audio: true, layout: { columns: 4 } } : {})) as {
        parts: { status: number; body: { id: string } }
      }
      const shown = { name: 'lobby', audio: false, layout: defaultLayout, ...more }
      expect(parts).toMatchObject({ status: 201, body: { ...shown, cameras: ['yard', 'door'], confirmed_by: 'boss' } })
      const made = { id: parts.body.id, ...shown, cameras: ['key of yard', 'key of door'], createdAt: now }
      const entry = ['screen.create', made.id, 'lobby: yard, door, yard']
      expect(made.id).toMatch(/^[0-9a-f]{32}$/)
      expect(done).toEqual([
        [
          waits.code,
          { ...made, secretHash: null, confirmedBy: 'boss', tokenId: null, lastSeenAt: null, address: null },
          entry,
          { pickUpUntil: now + 60_000, max: 500 },
        ],
      ])
    },
  )

  test('[ROLE-10] makes no screen for an admin who lost access while the attempt waited', async () => {
    const lost = { authorizeAgain: () => Promise.reject(new ServiceError('forbidden')) }
    await expect(call('POST', '/api/pairings/confirm', { body }, lost)).rejects.toMatchObject({ code: 'forbidden' })
    expect(done).toEqual([])
  })

  test('[KEY-4] makes no screen for an API token that was just revoked', async () => {
    confirmed = 'revoked'
    await expect(confirm()).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(recorded).toEqual([])
  })

  test('makes no screen if there are too many', async () => {
    confirmed = 'full'
    const conflict = { code: 'conflict', reason: 'too-many-screens', values: { max: 500 } }
    await expect(confirm()).rejects.toMatchObject(conflict)
    expect(recorded).toEqual([])
  })

  test.each<[more: object, problem: object]>([
    [{ name: ' ' }, { field: 'name', code: 'missing' }],
    [{ name: 'a\nb' }, { field: 'name', code: 'control-character' }],
    [{ cameras: ['yard', 'cellar'] }, { field: 'cameras', code: 'no-such-camera', values: { camera: 'cellar' } }],
  ])('with %j makes no screen', async (more, problem) => {
    await expect(confirm(more)).rejects.toMatchObject({ code: 'invalid-request', problems: [problem] })
    expect(done).toEqual([])
  })

  test.each<[ServiceError, entry: object | undefined]>([
    [new ServiceError('not-found'), { result: 'failure', detail: 'wrong-pairing-code' }],
    [new ServiceError('too-many-attempts'), { result: 'denied', detail: 'too-many-attempts' }],
    [new ServiceError('busy'), undefined],
  ])('[AUD-2] that is refused, %s, is in the audit log: %j', async (error, entry) => {
    refused = error
    const by = { user: 'boss', auth_method: 'password', address: '192.0.2.1', action: 'screen.create', target: null }
    for (const refusal of [confirm(), call('POST', '/api/pairings/find', { body: { code: 'acde' } })]) {
      await expect(refusal).rejects.toBe(error)
    }
    expect(recorded).toEqual(entry ? [1, 2].map(() => ({ ...by, ...entry })) : [])
  })
})

const change = (body: object, of = id, more: object = {}) =>
  call('PATCH', '/api/screens/:id', { params: { id: of }, body }, more)

const revoke = (of = id) => call('DELETE', '/api/screens/:id', { params: { id: of } })

describe('[KEY-6] the screens', () => {
  test('are listed, with when they were seen', async () => {
    rows = [hall, { ...hall, lastSeenAt: now + 1, address: '192.0.2.7' }]
    const seen = { last_seen_at: new Date(now + 1).toISOString(), address: '192.0.2.7' }
    expect(await call('GET', '/api/screens', {})).toEqual([view, { ...view, ...seen }])
  })

  test('[KEY-4] are listed as ended with the tokens that paired them', async () => {
    rows = [hall, { ...hall, tokenId: 'a token' }]
    expect(await call('GET', '/api/screens', {})).toEqual([view, { ...view, ended: true }])
  })

  test.each<[body: object, change: ScreenChange]>([
    [{}, {}],
    [{ name: ' lobby' }, { name: 'lobby' }],
    [{ cameras: ['door', 'door'] }, { cameras: [cameraKey('key of door')] }],
    [{ audio: false }, { audio: false }],
    [{ layout: { rotate_seconds: 30 } }, { layout: { ...hall.layout, rotate_seconds: 30 } }],
  ])('are changed by %j', async (body, changed) => {
    const { cameras = hall.cameras, ...rest } = changed
    expect(await change(body)).toEqual({ ...view, ...rest, cameras: cameras.map((key) => key.slice(7)) })
    const entry = ['screen.change', id, `hall: ${JSON.stringify(body)}`]
    expect(done).toStrictEqual([[id, changed, entry], published])
  })

  test('are not changed if they are gone', async () => {
    await expect(change({ audio: true }, 'another')).rejects.toMatchObject(noScreen)
    expect(done).toEqual([])
    isRemoved = true
    await expect(change({ audio: true })).rejects.toMatchObject(noScreen)
    expect(done).toHaveLength(2)
  })

  test('are revoked', async () => {
    expect(await revoke()).toBeUndefined()
    expect(done).toEqual([[id, ['screen.revoke', id, 'hall']], published])
  })

  test('are not revoked twice', async () => {
    isRemoved = true
    await expect(revoke()).rejects.toMatchObject(noScreen)
    expect(done).toHaveLength(2)
    done = []
    await expect(revoke('another')).rejects.toMatchObject(noScreen)
    expect(done).toEqual([{ kind: 'credential', id: 'another' }])
  })
})

/** A caller with some of the parts that the route declares. */
const having = (method: Method, path: string, parts: readonly CameraAction[]) => ({
  hasPart(part: CameraAction) {
    expect(partsOf(routeAt(method, path).access)).toContain(part)
    return parts.includes(part)
  },
})

describe('[GRANT-2] a screen shows and plays no more than what the caller sees and hears', () => {
  test.each<[audio: boolean, parts: CameraAction[], isMade: boolean]>([
    [false, [], false],
    [false, ['audio'], false],
    [false, ['live'], true],
    [true, ['live'], false],
    [true, ['audio'], false],
    [true, ['live', 'audio'], true],
  ])('made with audio: %s by a caller with %j: %s', async (audio, parts, isMade) => {
    const body = { code: 'acde', name: 'lobby', cameras: ['yard'], audio }
    const caller = having('POST', '/api/pairings/confirm', parts)
    const made = call('POST', '/api/pairings/confirm', { body }, caller)
    await (isMade ? expect(made).resolves.toBeDefined() : expect(made).rejects.toMatchObject({ code: 'forbidden' }))
    expect(done).toHaveLength(isMade ? 1 : 0)
  })

  test.each<[hadAudio: boolean, body: object, parts: CameraAction[], isChanged: boolean]>([
    [false, { name: 'lobby' }, [], true],
    [true, { audio: false }, [], true],
    [false, { cameras: ['door'] }, [], false],
    [false, { cameras: ['door'] }, ['live'], true],
    [true, { cameras: ['door'] }, ['live'], false],
    [true, { cameras: ['door'] }, ['live', 'audio'], true],
    [true, { cameras: ['door'], audio: false }, ['live'], true],
    [false, { audio: true }, ['live'], false],
    [false, { audio: true }, ['live', 'audio'], true],
    [false, { cameras: ['door'], audio: true }, ['live'], false],
  ])('with audio before: %s, changed by %j of a caller with %j: %s', async (hadAudio, body, parts, isChanged) => {
    rows = [{ ...hall, audio: hadAudio }]
    const changed = change(body, id, having('PATCH', '/api/screens/:id', parts))
    await (isChanged
      ? expect(changed).resolves.toBeDefined()
      : expect(changed).rejects.toMatchObject({ code: 'forbidden' }))
    expect(done).toHaveLength(isChanged ? 2 : 0)
  })
})

const withCameras = (...cameras: string[]): Screen => ({
  ...hall,
  name: cameras.join(),
  cameras: cameras.map((name) => cameraKey(`key of ${name}`)),
})

const concerned = (method: Method, body?: object, of: unknown = id) => {
  const { about } = routeAt(method, '/api/screens/:id').access as { readonly about: AboutCameras }
  return about.find({ params: { id: of }, query: {}, body })
}

describe('[KEY-2] for a token that is limited to some cameras', () => {
  test('only the screens are listed that show no other', async () => {
    rows = [withCameras('yard'), withCameras('yard', 'door'), withCameras('door'), withCameras()]
    const ofYard = { scope: scopeOf({ actions: new Set(), cameras: new Set(['yard']) }) }
    expect(await call('GET', '/api/screens', {}, ofYard)).toMatchObject([{ name: 'yard' }])
    expect(await call('GET', '/api/screens', {})).toHaveLength(4)
  })

  test('the removal of a screen concerns the cameras that it shows, and a change also those that it will show', async () => {
    rows = [withCameras('yard', '~removed')]
    expect(await concerned('DELETE')).toEqual(['yard'])
    expect(await concerned('PATCH', {})).toEqual(['yard'])
    expect(await concerned('PATCH', { cameras: ['door', 'cellar'] })).toEqual(['yard', 'door', 'cellar'])
  })

  test('changing a screen that shows no camera concerns all cameras', async () => {
    rows = [withCameras()]
    expect(await concerned('DELETE')).toEqual([])
    expect(await concerned('PATCH', { cameras: ['door'] })).toBe('all-cameras')
  })

  test.each(['another', null])('a screen that does not exist, %s, concerns no existing camera', async (of) => {
    expect(await concerned('DELETE', undefined, of)).toEqual([undefined])
    expect(await concerned('PATCH', { cameras: ['door'] }, of)).toEqual([undefined, 'door'])
  })
})

test.each<[Method, string]>([
  ['POST', '/api/pairings/confirm'],
  ['PATCH', '/api/screens/:id'],
  ['DELETE', '/api/screens/:id'],
])('[MFA-4] %s %s has to be confirmed', (method, path) => {
  expect(routeAt(method, path).confirm).toBe(true)
})
