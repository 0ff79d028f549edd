import { Type } from 'typebox'
import type { CameraPlace } from '../../http/camera-place.ts'
import type { Caller } from '../../http/caller.ts'
import { respond, type RouteResponse } from '../../http/response.ts'
import { route, type Input, type Route } from '../../http/route.ts'
import type { Clock } from '../../shared/time/clock.ts'
import { type CameraKey, formerName } from '../../shared/camera/camera-keys.ts'
import { ServiceError } from '../../shared/errors.ts'
import type { AuthReasons } from '../reasons.ts'
import { linkCookie } from './link-cookie.ts'
import { openedResponse } from './link-response.ts'
import type { createOpenLink } from './open-link.ts'
import type { ShareLink } from './share-link.ts'
import { IdPath } from '../../shared/http/id-path.ts'
import { LinkSecret, OpenedLink } from './share-link-schema.ts'
import type { ShareLinks } from './share-links.ts'

/** The place of what a link shows. Its parameter has another name than that of a link's own routes: segments have an `id`. */
export const linkPlace = (shareLinks: Pick<ShareLinks, 'cameraOf'>): CameraPlace => ({
  path: '/api/links/:link',
  params: { link: IdPath.properties.id },
  access: { of: ({ link = '' }) => shareLinks.cameraOf(link), link: true },
})

/** How a file is sent: the request's headers, and whether it is to be saved or only played. */
export interface LinkedFile {
  readonly header: Input<object>['header']
  readonly disposition: 'inline' | 'attachment'
}

export interface OpenLinkRoutesDeps {
  readonly shareLinks: Pick<ShareLinks, 'byId'>
  readonly place: CameraPlace
  readonly openLink: ReturnType<typeof createOpenLink>
  /** Title of a camera, by its key. */
  readonly titleOf: (camera: CameraKey) => string
  /** Name of an export; undefined or empty if it has none. */
  readonly exportName: (id: string) => Promise<string | undefined>
  readonly sendExport: (id: string, file: LinkedFile, caller: Caller) => Promise<RouteResponse>
  /** Sends all recorded video in the caller's scope as one file. */
  readonly sendClip: (file: LinkedFile, caller: Caller) => Promise<RouteResponse>
  /** The limit of files that are being sent. */
  readonly stream: { readonly maxPerUser: () => number }
  readonly clock: Clock
}

/** Routes for those who have a link: to open it, and the file that it shows (LINK-2). */
export function openShareLinkRoutes(deps: OpenLinkRoutesDeps): Route[] {
  const { shareLinks, place, openLink, exportName, sendExport, sendClip, stream, clock } = deps
  const titleOf = async ({ exportId, camera }: ShareLink): Promise<string> =>
    (exportId === null ? undefined : await exportName(exportId)) || deps.titleOf(camera) || formerName(camera)

  return [
    route({
      method: 'POST',
      path: '/api/links/:id/open',
      access: { open: 'the secret of the link is in the body' },
      schema: {
        summary: 'Open a share link with its secret: sets the cookie for what is below the path of the link.',
        // Any text: a malformed id is an unknown one.
        params: Type.Object({ id: Type.String() }),
        body: LinkSecret,
        response: { 200: OpenedLink },
      },
      async handle({ params: { id }, body }, { client, meta }) {
        const { link, viewer } = await openLink(id, body, { address: client.address, meta })
        const maxAge = Math.max(0, Math.floor((link.expiresAt - clock.now()) / 1000))
        return respond({
          status: 200,
          body: openedResponse(link, await titleOf(link)),
          headers: { 'set-cookie': linkCookie(id, viewer, maxAge, client) },
        })
      },
    }),
    route({
      path: `${place.path}/events`,
      access: { camera: 'any', ...place.access },
      reads: 'none',
      schema: {
        summary: 'Watch for the end of a link.',
        description:
          'The service closes the WebSocket when the link ends or allows nothing now. No message is sent; ' +
          '`POST /api/links/{id}/open` then says why.',
        params: Type.Object({ link: IdPath.properties.id }),
      },
      // The gate reauthorizes and closes it like every open stream.
      socket: () => {},
    }),
    route({
      method: 'GET',
      path: `${place.path}/video.mp4`,
      access: { camera: 'download', ...place.access, parts: ['audio'] },
      reads: 'download',
      stream,
      schema: {
        summary: 'Get the video that a link shows as one file: of an export, or of a time range that can be saved.',
        params: Type.Object({ link: IdPath.properties.id }),
        otherResponses: { 200: 'video/mp4', 206: 'video/mp4', 304: null, 416: null },
      },
      async handle({ params, header }, caller) {
        const link = await shareLinks.byId(params.link)
        if (!link) throw new ServiceError<AuthReasons>('not-found', { reason: 'no-such-link' })
        const disposition = link.download ? 'attachment' : 'inline'
        return link.exportId === null
          ? sendClip({ header, disposition }, caller)
          : sendExport(link.exportId, { header, disposition }, caller)
      },
    }),
  ]
}
