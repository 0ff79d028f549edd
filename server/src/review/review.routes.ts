import { Type, type Static } from 'typebox'
import type { CameraScope } from '../access/grant.ts'
import { ownerOf, type Owner } from '../access/identity.ts'
import type { AccessRule, Found, Params } from '../access/rule.ts'
import { beforeEnd } from '../access/recorded-time.ts'
import { answer, route, who, type Caller, type Route } from '../http/route.ts'
import type { AuditEntry } from '../shared/audit/audit.ts'
import { milliseconds, type Clock } from '../shared/time/clock.ts'
import { cursorOf, markFrom } from '../shared/http/cursor.ts'
import { invalidField, ServiceError } from '../shared/errors.ts'
import { namesVersion } from '../shared/http/etag.ts'
import { daysOf } from './days.ts'
import { pageOf } from './review-page.ts'
import type { ItemsByNames } from './named-items.ts'
import type { ReviewItem, SeenItem } from './review-store.ts'
import { ReviewItemResponse, ReviewPage, ReviewSeen, ReviewSummary, Severity } from './review-response.ts'
import type { Thumbnails } from './thumbnails.ts'
import { fieldProblem } from '../shared/messages/coded-message.ts'
import type { ReviewReasons } from './reasons.ts'

const ItemPath = Type.Object({ id: Type.String() })
const ItemSeen = Type.Object({ seen: Type.Boolean() }, { additionalProperties: false })
export type ItemSeen = Static<typeof ItemSeen>
const Timestamp = (description: string) => Type.Number({ minimum: 0, maximum: 253_402_300_799, description })
const Filter = {
  cameras: Type.Optional(
    Type.String({
      maxLength: 15_000,
      description: 'Camera names, separated by commas. Default: all cameras that the caller can see.',
    }),
  ),
  after: Type.Optional(Timestamp('Earliest start time of an item, Unix seconds.')),
  before: Type.Optional(Timestamp('Time before which an item starts, Unix seconds.')),
}

/** Length of a summary in seconds: default and maximum. */
const summary = { usual: 31 * 86_400, longest: 62 * 86_400 }

/** Unix milliseconds. */
const always = { after: 0, before: 253_402_300_799_000 }

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
  readonly cameraNames: (scope: CameraScope) => readonly string[]
  /** Removes an item; the audit entry is committed in the same transaction. */
  readonly remove: (item: ReviewItem, entry: AuditEntry) => Promise<void>
  readonly onMarked: (owner: Owner, marked: SeenChange) => void
  readonly clock: Clock
}

export function reviewRoutes(deps: ReviewRouteDeps): Route[] {
  const { store, thumbnails, cameraNames, remove, onMarked, clock } = deps
  const cameraOf = async ({ id = '' }: Params): Promise<Found | undefined> => {
    const item = isId(id) ? await store.byId(id) : undefined
    return item && { camera: item.camera, time: item.start }
  }
  const inQuery = {
    cameras: 'review',
    requested: { of: 'query', name: 'cameras' },
    time: beforeEnd('query.before'),
  } satisfies AccessRule
  const ofItem = { camera: 'review', of: cameraOf } satisfies AccessRule
  const itemOf = async (id: string): Promise<ReviewItem> => {
    const item = await store.byId(id)
    if (!item) throw new ServiceError('not-found')
    return item
  }

  return [
    route({
      method: 'GET',
      path: '/api/review',
      access: inQuery,
      schema: {
        summary: 'List review items, newest first.',
        querystring: Type.Object({
          ...Filter,
          severity: Type.Optional(Severity),
          seen: Type.Optional(
            Type.Boolean({ description: 'Only items that the caller has seen, or only unseen ones. Default: both.' }),
          ),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
          cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
        }),
        response: { 200: ReviewPage },
      },
      async handle({ query }, { identity, scope }) {
        const { severity, seen, limit = 50, cursor } = query
        const mark = cursor === undefined ? undefined : markFrom(cursor, idShape)
        const from = mark && { start: mark.at, id: mark.id }
        const cameras = cameraNames(scope)
        const { items, next } = await pageOf(
          store,
          ownerOf(identity),
          { cameras, ...spanOf(query, scope), severity, from, limit },
          seen,
        )
        return { items: items.map(itemResponse), cursor: next ? cursorOf(next.start, next.id) : null }
      },
    }),
    route({
      method: 'GET',
      path: '/api/review/summary',
      access: inQuery,
      schema: {
        summary: 'Count review items, and those that the caller has not seen, by day, camera and severity.',
        querystring: Type.Object({
          ...Filter,
          after: Type.Optional(
            Timestamp('Earliest start time of an item, Unix seconds. Default: 31 days before `before`.'),
          ),
          before: Type.Optional(Timestamp('Time before which an item starts, Unix seconds. Default: now.')),
          timezone: Type.Optional(
            Type.String({
              maxLength: 64,
              description: 'Time zone of the days, for example `Europe/Berlin`.',
              default: 'UTC',
            }),
          ),
        }),
        response: { 200: ReviewSummary },
      },
      async handle({ query }, { identity, scope }) {
        const before = query.before ?? clock.now() / 1000 + 1
        const after = query.after ?? Math.max(0, before - summary.usual)
        if (before - after > summary.longest) throw tooLong(summary.longest)
        const span = spanOf({ after, before }, scope)
        const { names, edges } = daysOf(span.after, span.before, query.timezone ?? 'UTC')
        const days: Static<typeof ReviewSummary>['days'] = []
        for (const camera of cameraNames(scope)) {
          for (const { part, severity, total, seen } of await store.counts(ownerOf(identity), camera, edges)) {
            days.push({ day: names[part] ?? '', camera, severity, total, unseen: Math.max(0, total - seen) })
          }
        }
        return { days: days.sort((one, other) => (one.day < other.day ? 1 : one.day > other.day ? -1 : 0)) }
      },
    }),
    route({
      method: 'PUT',
      path: '/api/review/seen',
      access: {
        cameras: 'review',
        requested: { of: 'body', name: 'filter.cameras' },
        things: { name: 'ids', find: (ids) => foundBy(store, ids) },
        time: beforeEnd('body.filter.before'),
      },
      schema: {
        summary: 'Mark review items as seen or unseen for the caller, by `ids` or by `filter`.',
        body: ReviewSeen,
        otherResponses: { 204: null },
      },
      async handle({ body: { ids, filter, seen } }, { identity, scope }) {
        if ((ids === undefined) === (filter === undefined)) {
          throw invalidField('ids', fieldProblem('ids-or-filter'))
        }
        const owner = ownerOf(identity)
        const cameras = cameraNames(scope)
        if (ids) {
          await store.markIds(owner, ids, cameras, seen)
          const byCamera = Map.groupBy(await idsWithCameras(store, ids), ({ camera }) => camera)
          for (const [camera, some] of byCamera) onMarked(owner, { camera, seen, ids: some.map(({ id }) => id) })
        }
        if (filter) {
          const { severity } = filter
          // Items that begin while this request runs stay unseen.
          const span = spanOf({ ...filter, before: filter.before ?? clock.now() / 1000 }, scope)
          await store.markAll(owner, { cameras, ...span, severity }, seen)
          const fit = { seen, after: span.after / 1000, before: span.before / 1000, ...(severity && { severity }) }
          for (const camera of cameras) onMarked(owner, { camera, ...fit })
        }
        return answer({ status: 204 })
      },
    }),
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
        if (namesVersion(header('if-none-match'), headers.etag)) return answer({ status: 304, headers })
        const lastModified = new Date(item.thumbnailAt).toUTCString()
        return answer({
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
      async handle({ params: { id }, body }, { identity }) {
        const { camera } = await itemOf(id)
        const owner = ownerOf(identity)
        await store.markIds(owner, [id], [camera], body.seen)
        onMarked(owner, { camera, seen: body.seen, ids: [id] })
        return answer({ status: 204 })
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
        return answer({ status: 204 })
      },
    }),
  ]
}

const idShape = /^[0-9a-f]{32}$/
const isId = (id: string): boolean => idShape.test(id)

/** Text that doesn't have the shape of an id gets undefined without a query. */
async function foundBy(store: ItemsByNames, ids: readonly string[]): Promise<(Found | undefined)[]> {
  const found = await store.starts(ids.filter(isId))
  return ids.map((id) => {
    const item = isId(id) ? found.shift() : undefined
    return item && { camera: item.camera, time: item.start }
  })
}

async function idsWithCameras(store: ItemsByNames, ids: readonly string[]): Promise<{ id: string; camera: string }[]> {
  const known = ids.filter(isId)
  const found = await store.starts(known)
  return known.flatMap((id, at) => {
    const camera = found[at]?.camera
    return camera === undefined ? [] : [{ id, camera }]
  })
}

/** Items begin at whole milliseconds, so fractions in `after` and `before` are rounded up. */
function spanOf(
  { after, before }: { after?: number | undefined; before?: number | undefined },
  { since }: CameraScope,
) {
  return {
    after: Math.max(since, after === undefined ? always.after : Math.ceil(milliseconds(after))),
    before: before === undefined ? always.before : Math.ceil(milliseconds(before)),
  }
}

const itemResponse = ({
  open,
  start,
  end,
  motion,
  box,
  thumbnailAt,
  ...item
}: SeenItem): Static<typeof ReviewItemResponse> => ({
  ...item,
  start: start / 1000,
  end: open ? null : end / 1000,
  data: { motion, box },
  thumbnail: thumbnailAt === null ? null : thumbnailAt / 1000,
})

function tooLong(seconds: number): ServiceError {
  return invalidField('before', fieldProblem('span-too-long', { hours: seconds / 3600 }))
}

function unreadable(cause: unknown): never {
  throw new ServiceError<ReviewReasons>('unavailable', {
    cause,
    reason: 'no-thumbnail',
    retryAfter: 5,
  })
}

const deletionOf = ({ id, camera, start }: ReviewItem, caller: Caller): AuditEntry => ({
  action: 'review.delete',
  result: 'success',
  ...who(caller),
  target: id,
  detail: `${camera} ${new Date(start).toISOString()}`,
})
