import { Type } from 'typebox'
import { keyInScope } from '../../access/grant.ts'
import type { Invalidation } from '../../access/invalidation.ts'
import { principalOf, type Owner } from '../../access/identity.ts'
import { beforeEnd } from '../../access/recorded-time.ts'
import { auditEntry } from '../../http/caller.ts'
import { respond } from '../../http/response.ts'
import { route, type Route } from '../../http/route.ts'
import type { CameraKeys } from '../../shared/camera/camera-keys.ts'
import type { Clock } from '../../shared/time/clock.ts'
import { ServiceError } from '../../shared/errors.ts'
import { linkUrl } from '../link-url.ts'
import type { AuthReasons } from '../reasons.ts'
import { linkResponse } from './link-response.ts'
import { describe, linkParts, type NewLinks } from './new-link.ts'
import type { ShareLink } from './share-link.ts'
import { LinkCreated, LinkResponse, NewLink } from './share-link-schema.ts'
import type { ShareLinkStore } from './share-link-store.ts'
import type { ShareLinks } from './share-links.ts'
import { IdPath } from '../../shared/http/id-path.ts'
import { isId } from '../../shared/random-id.ts'

export interface ShareLinkRoutesDeps {
  readonly store: Pick<ShareLinkStore, 'links' | 'linksById' | 'revoke'>
  readonly newLinks: NewLinks
  readonly shareLinks: Pick<ShareLinks, 'endOf' | 'slots'>
  readonly publish: (invalidation: Invalidation) => void
  readonly keys: Pick<CameraKeys, 'nameOf'>
  readonly clock: Clock
}

/** Routes to create, list and revoke share links (LINK-1). */
export function shareLinkRoutes({ store, newLinks, shareLinks, publish, keys, clock }: ShareLinkRoutesDeps): Route[] {
  const responsesOf = async (found: Promise<readonly ShareLink[]>) => {
    const [links, counts] = await Promise.all([found, shareLinks.slots.counts()])
    return Promise.all(
      links.map(async (link) => linkResponse(link, await shareLinks.endOf(link), counts.get(link.id) ?? 0)),
    )
  }
  const find = async (id: string): Promise<ShareLink | undefined> =>
    isId(id) ? (await store.linksById([id]))[0] : undefined

  return [
    route({
      method: 'GET',
      path: '/api/links',
      access: { account: true },
      schema: { summary: "List the caller's share links, newest first.", response: { 200: Type.Array(LinkResponse) } },
      async handle(_input, { identity }) {
        const { userId } = principalOf(identity)
        return userId === null ? [] : responsesOf(store.links(userId))
      },
    }),
    route({
      method: 'GET',
      path: '/api/links/all',
      access: { service: 'links.manage', about: 'no-camera' },
      schema: {
        summary: 'List the share links of all users, newest first; to a token for some cameras, those of these.',
        response: { 200: Type.Array(LinkResponse) },
      },
      handle: (_input, { scope }) =>
        responsesOf(
          store.links().then((links) => links.filter(({ camera }) => keyInScope(scope, camera, keys.nameOf))),
        ),
    }),
    route({
      method: 'POST',
      path: '/api/links',
      confirm: true,
      access: {
        camera: 'share',
        of: { inBody: (body) => newLinks.cameraOf(body as NewLink) },
        time: beforeEnd('body.end'),
        parts: linkParts,
      },
      schema: {
        summary: 'Create a share link to a live camera, a time range of its recordings, or an export.',
        body: NewLink,
        response: { 201: LinkCreated },
      },
      async handle({ body }, caller) {
        const { link, secret } = await newLinks.create(body, caller)
        const made = await find(link.id)
        if (!made) throw noLink()
        const url = linkUrl('s', { id: link.id, secret }, caller.client)
        return respond({ status: 201, body: { ...linkResponse(made, await shareLinks.endOf(made), 0), url } })
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/links/:id',
      confirm: true,
      access: {
        own: { of: 'path', name: 'id', find: async (id) => ownerOf(await find(id)) },
        or: 'links.manage',
      },
      schema: {
        summary: 'Revoke a share link: open video ends immediately.',
        params: IdPath,
        otherResponses: { 204: null },
      },
      async handle({ params: { id } }, caller) {
        const link = await find(id)
        if (!link) throw noLink()
        const entry = auditEntry(caller, 'link.revoke', id, `${link.userName}: ${describe(link)}`)
        const revoked = await store.revoke(id, clock.now(), { ...entry, camera: link.camera })
        publish({ kind: 'credential', id })
        if (!revoked) throw noLink()
      },
    }),
  ]
}

const ownerOf = (link: ShareLink | undefined): Owner | undefined =>
  link && { authMethod: link.userMethod, key: link.userKey, userId: link.userId }

const noLink = () => new ServiceError<AuthReasons>('not-found', { reason: 'no-such-link' })
