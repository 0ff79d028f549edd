import { requestMeta } from '../../../test/support/request-meta.ts'
import { describe, expect, test } from 'vitest'
import { createTestClock } from '../../../test/support/test-clock.ts'
import { testShareLink } from '../../../test/support/test-share-link.ts'
import type { Caller } from '../../http/caller.ts'
import { respond, type RouteResponse } from '../../http/response.ts'
import type { Input, Route } from '../../http/route.ts'
import { validatorFor } from '../../http/validation.ts'
import { linkPlace, openShareLinkRoutes } from './open-share-link.routes.ts'
import { LinkSecret, NewLink } from './share-link-schema.ts'
import type { ShareLink } from './share-link.ts'

const now = 1_700_000_000_000
const client = { address: '192.0.2.1', encrypted: false, knownEncrypted: false, host: '', basePath: '/' }
const meta = requestMeta()
const place = linkPlace({ cameraOf: async (id) => `camera of ${id}` })

interface Names {
  readonly camera?: string
  readonly export?: string
}

function world(link: ShareLink | undefined, names: Names = {}) {
  const requested: unknown[] = []
  const routes = openShareLinkRoutes({
    shareLinks: { byId: async () => link },
    place,
    async openLink(...opened) {
      requested.push(opened)
      return { link: link!, viewer: { id: 'viewer', proof: 'signature' } }
    },
    titleOf: () => names.camera ?? '',
    exportName: async () => names.export,
    sendExport: async (id, { disposition }) => respond({ body: ['export', id, disposition] }),
    sendClip: async ({ disposition }) => respond({ body: ['clip', disposition] }),
    stream: { maxPerUser: () => 1 },
    clock: createTestClock({ now }),
  })
  const call = async (path: string) => {
    const body = { secret: 'secret' }
    const input = { params: { id: 'id', link: 'id' }, query: {}, body, header: () => undefined }
    const route: Route = routes.find((each) => each.path === path)!
    const result: unknown = await route.handle!(input as unknown as Input<never>, { client, meta } as unknown as Caller)
    return (result as RouteResponse).parts
  }
  return { call, requested, routes }
}

describe('[LINK-2] opening a link', () => {
  const open = '/api/links/:id/open'

  test.each([
    [now + 61_999, 61],
    [now - 1, 0],
  ])('sets a cookie for whole seconds, until the end of the link', async (expiresAt, seconds) => {
    const { call, requested } = world(testShareLink({ expiresAt }))
    const { status, headers } = await call(open)
    expect([status, headers?.['set-cookie']]).toEqual([
      200,
      `gatehouse_link=viewer.signature; Max-Age=${seconds}; Path=/api/links/id; HttpOnly; SameSite=Strict`,
    ])
    expect(requested).toEqual([['id', { secret: 'secret' }, { address: '192.0.2.1', meta }]])
  })

  const ofExport = { kind: 'export', exportId: 'x' } as const
  test.each<[string, Partial<ShareLink>, Names, string]>([
    ['the title of its camera', {}, { camera: 'The yard', export: 'of another' }, 'The yard'],
    ['the name of its camera, which has no title now', {}, {}, 'yard'],
    ['the name of its export', ofExport, { camera: 'The yard', export: 'Burglary' }, 'Burglary'],
    ['the title of its camera, as the export has no name', ofExport, { camera: 'The yard', export: '' }, 'The yard'],
  ])('shows %s', async (_what, more, names, title) => {
    const { call } = world(testShareLink({ ...more, expiresAt: now + 1 }), names)
    expect((await call(open)).body).toMatchObject({ title })
  })
})

describe('[LINK-2] the file that a link shows', () => {
  const file = '/api/links/:link/video.mp4'

  test.each<[string, Partial<ShareLink>, unknown[]]>([
    ['a range to save', { kind: 'history', download: true }, ['clip', 'attachment']],
    ['a range', { kind: 'history' }, ['clip', 'inline']],
    ['an export to save', { kind: 'export', exportId: 'x', download: true }, ['export', 'x', 'attachment']],
    ['an export', { kind: 'export', exportId: 'x' }, ['export', 'x', 'inline']],
  ])('is that of %s', async (_what, more, sent) => {
    expect((await world(testShareLink(more)).call(file)).body).toEqual(sent)
  })

  test('is not found if the link was deleted by then', async () => {
    const refused = { code: 'not-found', reason: 'no-such-link' }
    await expect(world(undefined).call(file)).rejects.toMatchObject(refused)
  })
})

test('[LINK-2] what a link shows is found by its id, and is for links alone', async () => {
  const { of, link } = place.access
  expect(link).toBe(true)
  expect(await (of as (params: object) => unknown)({ link: 'id' })).toBe('camera of id')
})

test('[LINK-2] the file that a link shows needs `download`, and has audio only with `audio`', () => {
  const { access } = world(undefined).routes.find(({ path }) => path.endsWith('/video.mp4'))!
  expect(access).toMatchObject({ camera: 'download', link: true, parts: ['audio'] })
})

test.each([
  ['creates', NewLink, { kind: 'live', camera: 'yard' }],
  ['opens', LinkSecret, { secret: 'secret', code: 'swordfish' }],
])('[LINK-1] a body that %s a link has no unknown fields', (_what, schema, body) => {
  const validate = validatorFor(schema, 'body')
  expect(validate(body)).toEqual(body)
  expect(() => validate({ ...body, more: 1 })).toThrow(expect.objectContaining({ code: 'invalid-request' }))
})
