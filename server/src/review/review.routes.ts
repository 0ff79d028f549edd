import { Type, type Static } from 'typebox'
import type { CameraScope } from '../access/grant.ts'
import { ownerOf } from '../access/identity.ts'
import type { AccessRule, Found } from '../access/rule.ts'
import { beforeEnd } from '../access/recorded-time.ts'
import { route, type Route } from '../http/route.ts'
import { milliseconds } from '../shared/time/clock.ts'
import { cursorOf, positionFrom } from '../shared/http/cursor.ts'
import { invalidField, type ServiceError } from '../shared/errors.ts'
import { fieldProblem } from '../shared/messages/coded-message.ts'
import { daysOf } from './days.ts'
import { idShape, isId } from '../shared/random-id.ts'
import { itemRoutes, type ReviewRouteDeps } from './item.routes.ts'
import type { ItemsByNames } from './named-items.ts'
import { pageOf } from './review-page.ts'
import { itemResponse } from './item-response.ts'
import { ReviewPage, ReviewSeen, ReviewSummary, Severity } from './review-response.ts'
import { UnixSeconds } from '../shared/http/timestamp.ts'
import { yieldToEventLoop } from '../shared/yield-to-event-loop.ts'

const Filter = {
  cameras: Type.Optional(
    Type.String({
      maxLength: 15_000,
      description: 'Camera names, separated by commas. Default: all cameras that the caller can see.',
    }),
  ),
  after: Type.Optional(UnixSeconds('Earliest start time of an item, Unix seconds.')),
  before: Type.Optional(UnixSeconds('Time before which an item starts, Unix seconds.')),
}

/** Length of a summary in seconds: default and maximum. */
const summary = { usual: 31 * 86_400, longest: 62 * 86_400 }

/** Unix milliseconds. */
const always = { after: 0, before: 253_402_300_799_000 }

/** Routes to list, count and mark review items, and those of single items. */
export function reviewRoutes(deps: ReviewRouteDeps): Route[] {
  const { store, cameraNames, onMarked, clock } = deps
  const inQuery = {
    cameras: 'review',
    requested: { of: 'query', name: 'cameras' },
    time: beforeEnd('query.before'),
  } satisfies AccessRule
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
        const position = cursor === undefined ? undefined : positionFrom(cursor, idShape)
        const from = position && { start: position.at, id: position.id }
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
            UnixSeconds('Earliest start time of an item, Unix seconds. Default: 31 days before `before`.'),
          ),
          before: Type.Optional(UnixSeconds('Time before which an item starts, Unix seconds. Default: now.')),
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
          await yieldToEventLoop()
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
        resources: { name: 'ids', find: (ids) => foundBy(store, ids) },
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
      },
    }),
    ...itemRoutes(deps),
  ]
}

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

function tooLong(seconds: number): ServiceError {
  return invalidField('before', fieldProblem('span-too-long', { hours: seconds / 3600 }))
}
