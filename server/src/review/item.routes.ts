import { Type, type Static } from 'typebox'
import type { CameraScope, ScopedCamera } from '../access/grant.ts'
import { ownerOf, type Owner } from '../access/identity.ts'
import type { AccessRule, Found, Params } from '../access/rule.ts'
import { auditEntry, type Caller } from '../http/caller.ts'
import { respond } from '../http/response.ts'
import { route, type Route } from '../http/route.ts'
import type { AuditEntry } from '../shared/audit/audit.ts'
import { isUnavailable, ServiceError } from '../shared/errors.ts'
import { namesVersion } from '../shared/http/etag.ts'
import type { Clock } from '../shared/time/clock.ts'
import { isId } from '../shared/random-id.ts'
import type { ItemsByNames, Named } from './named-items.ts'
import type { ReviewReasons } from './reasons.ts'
import { itemResponse } from './item-response.ts'
import { ReviewItemResponse } from './review-response.ts'
import type { ReviewItem } from './review-store.ts'
import type { Thumbnails } from './thumbnails.ts'

const ItemPath = Type.Object({ id: Type.String() })
const ItemSeen = Type.Object({ seen: Type.Boolean() }, { additionalProperties: false })
export type ItemSeen = Static<typeof ItemSeen>

/** Items of one camera that a user marked: by ids, or by a filter. Times are Unix seconds. */
export interface SeenChange {
  readonly camera: string
  readonly seen: boolean
  readonly ids?: string[]
  readonly severity?: ReviewItem['severity']
  readonly after?: number
  readonly before?: number
}

export interface ReviewRouteDeps {
  readonly store: ItemsByNames
  readonly thumbnails: Pick<Thumbnails, 'read'>
  /** Names of the existing cameras within a scope. */
  readonly cameraNames: (scope: CameraScope) => readonly ScopedCamera[]
  /** Removes an item; the audit entry is committed in the same transaction. */
  readonly remove: (item: Named<ReviewItem>, entry: AuditEntry) => Promise<void>
  readonly onMarked: (owner: Owner, marked: SeenChange) => void
  readonly clock: Clock
}

/** Routes of one review item: read, thumbnail, mark, delete. */
export function itemRoutes({ store, thumbnails, remove, onMarked }: ReviewRouteDeps): Route[] {
  const cameraOf = async ({ id = '' }: Params): Promise<Found | undefined> => {
    const item = isId(id) ? await store.byId(id) : undefined
    return item && { camera: item.camera, time: item.start }
  }
  const ofItem = { camera: 'review', of: cameraOf } satisfies AccessRule
  const itemOf = async (id: string): Promise<Named<ReviewItem>> => {
    const item = await store.byId(id)
    if (!item) throw new ServiceError('not-found')
    return item
  }

  return [
    route({
      method: 'GET',
      path: '/api/review/:id',
      access: ofItem,
      schema: { summary: 'Get a review item.', params: ItemPath, response: { 200: ReviewItemResponse } },
      async handle({ params: { id } }, { identity }) {
        const item = await itemOf(id)
        return itemResponse({ ...item, seen: await store.isSeen(ownerOf(identity), id) })
      },
    }),
    route({
      method: 'GET',
      path: '/api/review/:id/thumbnail.jpg',
      access: ofItem,
      reads: 'snapshot',
      schema: {
        summary: 'Get the thumbnail: the frame with the most motion.',
        params: ItemPath,
        otherResponses: { 200: 'image/jpeg', 304: null },
      },
      async handle({ params: { id }, header }) {
        const item = await itemOf(id)
        const jpeg = item.thumbnailAt === null ? undefined : await thumbnails.read(item).catch(unreadable)
        if (!jpeg || item.thumbnailAt === null) {
          throw new ServiceError<ReviewReasons>('not-found', { reason: 'no-thumbnail' })
        }
        // A browser must revalidate each time, because permission may have been revoked.
        const headers = { 'cache-control': 'private, no-cache', etag: `"${item.thumbnailAt}"` }
        if (namesVersion(header('if-none-match'), headers.etag)) return respond({ status: 304, headers })
        const lastModified = new Date(item.thumbnailAt).toUTCString()
        return respond({
          body: jpeg,
          headers: { ...headers, 'content-type': 'image/jpeg', 'last-modified': lastModified },
        })
      },
    }),
    route({
      method: 'PUT',
      path: '/api/review/:id/seen',
      access: ofItem,
      schema: {
        summary: 'Mark a review item as seen or unseen for the caller.',
        params: ItemPath,
        body: ItemSeen,
        otherResponses: { 204: null },
      },
      async handle({ params: { id }, body }, { identity, camera }) {
        // It can have been deleted since the decision.
        await itemOf(id)
        const owner = ownerOf(identity)
        await store.markIds(owner, [id], [camera], body.seen)
        onMarked(owner, { camera, seen: body.seen, ids: [id] })
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/review/:id',
      access: { camera: 'delete', of: cameraOf },
      schema: {
        summary: 'Delete a review item for every user; recordings are not deleted.',
        params: ItemPath,
        otherResponses: { 204: null },
      },
      async handle({ params: { id } }, caller) {
        const item = await itemOf(id)
        await remove(item, deletionOf(item, caller))
      },
    }),
  ]
}

/** A missing disk, or an instance that can't be reached, says so itself. */
function unreadable(cause: unknown): never {
  if (isUnavailable(cause)) throw cause
  throw new ServiceError<ReviewReasons>('unavailable', {
    cause,
    reason: 'no-thumbnail',
    retryAfter: 5,
  })
}

const deletionOf = ({ id, camera, start }: Named<ReviewItem>, caller: Caller): AuditEntry =>
  auditEntry(caller, 'review.delete', id, `${camera} ${new Date(start).toISOString()}`)
