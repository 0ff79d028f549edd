import { limitOfLinks } from '../auth/password/login-limit.ts'
import { createNewLinks } from '../auth/share-link/new-link.ts'
import { createOpenLink } from '../auth/share-link/open-link.ts'
import { linkPlace, openShareLinkRoutes } from '../auth/share-link/open-share-link.routes.ts'
import { shareLinkRoutes } from '../auth/share-link/share-link.routes.ts'
import type { Route } from '../http/route.ts'
import { segmentStream } from '../recordings/send-recording.ts'
import type { Auth } from './auth.ts'
import type { Core } from './core.ts'
import type { Media } from './media.ts'

export interface LinkRoutesDeps {
  readonly core: Core
  readonly auth: Auth
  readonly media: Media
}

/** The routes of share links, and those of the video that they show: the same as at the cameras. */
export function linkRoutes({ core, auth, media }: LinkRoutesDeps): Route[] {
  const { audit, clock, config, random, registry } = core
  const { linkKeys, shareLinks, publish } = auth
  const { cameras, recordings, exports } = media
  const store = auth.credentialStores.links
  const place = linkPlace(shareLinks)
  const newLinks = createNewLinks({
    store,
    linkKeys,
    keys: registry,
    finishedExport: exports.finished,
    recordedRange: recordings.wholeRange,
    maxHours: () => config().share.max_hours,
    clock,
    random,
  })
  const limit = limitOfLinks(auth.loginLimit)
  const openLink = createOpenLink({ store, shareLinks, keys: linkKeys, limit, audit, clock, random })
  return [
    ...shareLinkRoutes({ store, newLinks, shareLinks, publish, keys: registry, clock }),
    ...openShareLinkRoutes({
      shareLinks,
      place,
      openLink,
      titleOf: (camera) => config().cameras.get(registry.nameOf(camera))?.title ?? '',
      exportName: async (id) => (await exports.finished(id))?.name,
      sendExport: exports.sendFile,
      sendClip: recordings.sendClip,
      stream: segmentStream,
      clock,
    }),
    ...cameras.videoRoutes(place),
    ...recordings.videoRoutes(place),
  ]
}
