import { describe, expect, test } from 'vitest'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { signedInAnn } from '../../../test/support/test-identity.ts'
import type { CameraAction } from '../../access/action.ts'
import { scopeOf } from '../../access/grant.ts'
import { internalAdmin, type Principal } from '../../access/identity.ts'
import type { Caller } from '../../http/caller.ts'
import type { AuditEntry } from '../../shared/audit/audit.ts'
import { cameraKey, formerName } from '../../shared/camera/camera-keys.ts'
import { systemRandom } from '../../shared/random.ts'
import { hashOfSecret } from '../link-secret.ts'
import { createLinkKeys } from './link-keys.ts'
import { createNewLinks, describe as described, linkParts } from './new-link.ts'
import type { NewLink } from './share-link-schema.ts'
import type { NewShareLink } from './share-link-store.ts'
import { scopedCamera } from '../../../test/support/scoped.ts'

const now = 1_700_000_000_000
const second = now / 1000
const hour = 3_600_000
const linkKeys = createLinkKeys('a secret')
const exported = { camera: cameraKey('yard~1'), start: now - 60_000, end: now - 30_000 }
const ann: Principal = { ...signedInAnn, session: undefined }
const ofToken = (expiresAt: number | null): Principal => ({
  ...ann,
  credential: { kind: 'token', id: 'token', name: 'x', limits: {}, expiresAt },
})

interface CallerOptions {
  readonly parts?: readonly CameraAction[]
  readonly identity?: Principal
  readonly since?: number
}

function callerWith({ parts = linkParts, identity = ann, since = 0 }: CallerOptions = {}) {
  const caller: Pick<Caller, 'identity' | 'authentication' | 'camera' | 'scope' | 'hasPart' | 'client'> = {
    identity,
    // When the owner has to be checked again, which ends no link.
    authentication: { identity, until: now + 60_000, reauthenticate: () => caller.authentication },
    camera: scopedCamera('yard'),
    scope: scopeOf({ actions: new Set(), cameras: 'all', since }),
    hasPart: (action) => parts.includes(action),
    client: { address: '192.0.2.1', encrypted: true, knownEncrypted: true, host: '', basePath: '/' },
  }
  return caller as Caller
}

function world() {
  const at = {
    added: [] as { link: NewShareLink; entry: AuditEntry; max: number }[],
    result: 'added' as 'added' | 'full',
    requested: [] as unknown[],
    recorded: { start: now - 100_000, end: now - 10_000 } as { start: number; end: number } | undefined,
  }
  const links = createNewLinks({
    store: {
      async add(link, entry, max) {
        at.added.push({ link, entry, max })
        return at.result
      },
    },
    linkKeys,
    keys: { keyOf: (name) => cameraKey(`${name}~1`), nameOf: formerName },
    finishedExport: async (id) => (id === 'done' ? exported : undefined),
    async recordedRange(...requested) {
      at.requested.push(requested)
      return at.recorded
    },
    maxHours: () => 48,
    clock: createTestClock({ now }),
    random: systemRandom,
  })
  return { ...links, at }
}

const create = (body: NewLink, options?: CallerOptions) => world().create(body, callerWith(options))
const live: NewLink = { kind: 'live', camera: 'yard' }
const range: NewLink = { kind: 'history', camera: 'yard', start: second - 90, end: second - 20 }
const ofExport: NewLink = { kind: 'export', export: 'done' }
const wrong = (field: string, code: string) => ({ code: 'invalid-request', problems: [{ field, code }] })

describe('[LINK-1] what is shared', () => {
  test.each<[string, NewLink, unknown]>([
    ['a live camera', live, 'yard'],
    ['a live camera that is not to be saved', { ...live, download: false }, 'yard'],
    ['a range to save', { ...range, download: true }, 'yard'],
    ['an export', { ...ofExport, download: true }, { camera: 'yard', time: exported.start }],
    ['an unknown export', { kind: 'export', export: 'other' }, undefined],
  ])('%s has a camera', async (_what, body, camera) => {
    expect(await world().cameraOf(body)).toEqual(camera)
  })

  test.each<[string, NewLink, string, string]>([
    ['a live camera without a name', { kind: 'live' }, 'camera', 'missing'],
    ['a live camera with a start', { ...live, start: 1 }, 'start', 'unknown-field'],
    ['a live camera with an end', { ...live, end: 1 }, 'end', 'unknown-field'],
    ['a live camera with an export', { ...live, export: 'done' }, 'export', 'unknown-field'],
    ['a live camera to save', { ...live, download: true }, 'download', 'unknown-field'],
    ['a range without a camera', { kind: 'history', start: 1, end: 2 }, 'camera', 'missing'],
    ['a range without a start', { kind: 'history', camera: 'yard', end: 2 }, 'start', 'missing'],
    ['a range without an end', { kind: 'history', camera: 'yard', start: 1 }, 'end', 'missing'],
    ['a range with an export', { ...range, export: 'done' }, 'export', 'unknown-field'],
    ['an export without an id', { kind: 'export' }, 'export', 'missing'],
    ['an export with a camera', { ...ofExport, camera: 'yard' }, 'camera', 'unknown-field'],
    ['an export with a start', { ...ofExport, start: 1 }, 'start', 'unknown-field'],
    ['an export with an end', { ...ofExport, end: 1 }, 'end', 'unknown-field'],
  ])('%s is refused', async (_what, body, field, code) => {
    await expect(world().cameraOf(body)).rejects.toMatchObject(wrong(field, code))
  })

  test.each<[string, NewLink, CameraAction[]]>([
    ['a live camera', live, ['live']],
    ['a live camera with audio', { ...live, audio: true }, ['live', 'audio']],
    ['a range', range, ['history']],
    ['a range to save', { ...range, download: true }, ['history', 'download']],
    ['an export', ofExport, ['download']],
  ])('%s needs the actions %j, each of them', async (_what, body, parts) => {
    await create(body, { parts })
    for (const missing of parts) {
      const others = linkParts.filter((part) => part !== missing)
      await expect(create(body, { parts: others })).rejects.toMatchObject({ code: 'forbidden' })
    }
  })

  test('no one shares who isn’t a user of the database', async () => {
    const refused = { code: 'conflict', reason: 'no-account' }
    await expect(create(live, { identity: internalAdmin })).rejects.toMatchObject(refused)
  })
})

describe('[LINK-1] a link that was made', () => {
  test('has what was requested, and a secret that is stored nowhere', async () => {
    const { at, ...links } = world()
    const body = { ...live, code: 'swordfish', max_opens: 3, max_viewers: 2, audio: true, note: ' for Ben ' }
    const { link, secret } = await links.create(body, callerWith())
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    expect(link).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      userId: 'id of ann',
      kind: 'live',
      camera: 'yard~1',
      start: null,
      end: null,
      exportId: null,
      expiresAt: now + 24 * hour,
      secretHash: hashOfSecret(secret),
      codeHash: linkKeys.codeHash(link.id, 'swordfish'),
      maxOpens: 3,
      maxViewers: 2,
      download: false,
      audio: true,
      note: 'for Ben',
      tokenId: null,
      createdAt: now,
    })
    const entry = {
      user: 'ann',
      auth_method: 'password',
      address: '192.0.2.1',
      action: 'link.create',
      result: 'success',
      target: link.id,
      camera: 'yard~1',
      detail: `live yard ${new Date(now + 24 * hour).toISOString()} for Ben`,
    }
    expect(at.added).toEqual([{ link, entry, max: 1000 }])
  })

  test('has no limits unless they were requested', async () => {
    const { at, ...links } = world()
    const { link } = await links.create({ ...ofExport, download: true }, callerWith({ identity: ofToken(null) }))
    const without = { codeHash: null, maxOpens: null, maxViewers: null, note: '', audio: false }
    expect(link).toMatchObject({ ...without, ...exported, exportId: 'done', download: true, tokenId: 'token' })
    expect(at.added[0]?.entry.detail).toMatch(/^export yard \S+Z\/\S+Z \S+Z$/)
  })

  test('is refused if its user has as many as a user can have', async () => {
    const { at, ...links } = world()
    at.result = 'full'
    const refused = { code: 'conflict', reason: 'too-many-links', values: { max: 1000 } }
    await expect(links.create(live, callerWith())).rejects.toMatchObject(refused)
  })

  test('is refused if its export is not finished', async () => {
    const refused = { code: 'conflict', reason: 'export-not-finished' }
    await expect(create({ kind: 'export', export: 'other' })).rejects.toMatchObject(refused)
  })

  test.each([
    ['six characters', '123456', '123456'],
    ['six characters and spaces around them', ' 123456\u2003', '123456'],
  ])('can have a code of %s', async (_what, code, entered) => {
    const { link } = await create({ ...live, code })
    expect(linkKeys.hasCode(link.id, entered, link.codeHash!)).toBe(true)
  })

  test.each([
    ['spaces', ' '.repeat(6)],
    ['one character and spaces around it', '  1   '],
    ['five characters and a space', '12345 '],
  ])('is refused with a code of %s', async (_what, code) => {
    await expect(create({ ...live, code })).rejects.toMatchObject(wrong('code', 'too-short'))
  })

  test.each(['code', 'note'])('is refused if its %s has more than one line', async (field) => {
    const refused = wrong(field, 'control-character')
    await expect(create({ ...live, [field]: 'first\nsecond' })).rejects.toMatchObject(refused)
  })
})

const isoOf = (time: number) => new Date(time).toISOString()

describe('[LINK-1] the end of a link', () => {
  test.each<[string, string | undefined, number | null | undefined, number]>([
    ['is in a day', undefined, undefined, now + 24 * hour],
    ['is in a day, by a token without an end', undefined, null, now + 24 * hour],
    ['is that of the token, in an hour', undefined, now + hour, now + hour],
    ['is the one that was requested', isoOf(now + 1), undefined, now + 1],
    [
      'is the last one allowed, by a clock that is ten seconds ahead',
      isoOf(now + 48 * hour + 10_000),
      undefined,
      now + 48 * hour + 10_000,
    ],
    ['is that of the token, before the one that was requested', isoOf(now + 2 * hour), now + hour, now + hour],
  ])('%s', async (_what, expires_at, tokenEnds, expiresAt) => {
    const body = { ...live, ...(expires_at !== undefined && { expires_at }) }
    const { link } = await create(body, { identity: tokenEnds === undefined ? ann : ofToken(tokenEnds) })
    expect(link.expiresAt).toBe(expiresAt)
  })

  test.each([
    ['now', isoOf(now), 'in-past'],
    ['in the past', isoOf(now - 1), 'in-past'],
    ['too late', isoOf(now + 48 * hour + 10_001), 'expires-too-late'],
    ['no time', '2027-01-01T23:59:60Z', 'invalid-format'],
  ])('cannot be %s', async (_when, expires_at, code) => {
    await expect(create({ ...live, expires_at })).rejects.toMatchObject(wrong('expires_at', code))
  })

  test('is earlier if `share.max_hours` is less than a day', async () => {
    const { link } = await createNewLinks({
      store: { add: async () => 'added' },
      linkKeys,
      keys: { keyOf: cameraKey, nameOf: (key) => key },
      finishedExport: async () => undefined,
      recordedRange: async () => undefined,
      maxHours: () => 10,
      clock: createTestClock({ now }),
      random: systemRandom,
    }).create(live, callerWith())
    expect(link.expiresAt).toBe(now + 10 * hour)
  })
})

describe('[LINK-1] a range', () => {
  test('is widened to what is recorded', async () => {
    const { at, ...links } = world()
    const { link } = await links.create({ ...range, start: second - 90.0005, end: second - 20.0005 }, callerWith())
    expect(link).toMatchObject({ kind: 'history', camera: 'yard~1', ...at.recorded })
    expect(at.requested).toEqual([['yard', { start: now - 90_001, end: now - 20_000 }, 0]])
    const times = [at.recorded!.start, at.recorded!.end].map((time) => new Date(time).toISOString())
    expect(at.added[0]?.entry.detail).toMatch(`history yard ${times.join('/')} `)
  })

  test('[GRANT-3] begins with what is not too old for its creator', async () => {
    const { at, ...links } = world()
    await links.create(range, callerWith({ since: now - 50_000 }))
    expect(at.requested).toEqual([['yard', { start: now - 50_000, end: now - 20_000 }, now - 50_000]])
  })

  test.each<[string, Partial<NewLink>]>([
    ['of the longest day, on which clocks go back', { start: second - 25 * 3600, end: second }],
    ['until now, by a clock that is ten seconds ahead', { end: second + 10 }],
  ])('can be one %s', async (_which, more) => {
    expect((await create({ ...range, ...more })).link.kind).toBe('history')
  })

  test.each<[string, Partial<NewLink>, string]>([
    ['that ends when it starts', { end: second - 90 }, 'before-start'],
    ['that ends before it starts', { end: second - 91 }, 'before-start'],
    ['of more than the longest day', { start: second - 25 * 3600 - 1, end: second }, 'span-too-long'],
    ['of the future', { end: second + 10.001 }, 'in-future'],
  ])('cannot be one %s', async (_which, more, code) => {
    await expect(create({ ...range, ...more })).rejects.toMatchObject(wrong('end', code))
  })

  test('without recordings is not shared', async () => {
    const { at, ...links } = world()
    at.recorded = undefined
    const refused = { code: 'not-found', reason: 'nothing-to-share' }
    await expect(links.create(range, callerWith())).rejects.toMatchObject(refused)
  })
})

test('a link is described by its kind, its camera and its time', () => {
  expect(described({ kind: 'live', camera: cameraKey('yard~1'), start: null, end: null })).toBe('live yard')
  expect(described({ kind: 'history', camera: cameraKey('yard~1'), start: 0, end: 1000 })).toBe(
    'history yard 1970-01-01T00:00:00.000Z/1970-01-01T00:00:01.000Z',
  )
})
