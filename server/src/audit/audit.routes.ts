import { Type, type Static } from 'typebox'
import { route, type Route } from '../http/route.ts'
import { cursorOf, positionFrom } from '../shared/http/cursor.ts'
import { ownerOf, ownerText } from '../access/identity.ts'
import { readActions } from '../shared/audit/audit.ts'
import type { CameraKeys } from '../shared/camera/camera-keys.ts'
import type { AuditConfig } from './audit.config.ts'
import { AuditLine, lineFrom } from './audit-line.ts'
import { moment, AuditTime } from './audit-time.ts'
import type { AuditQuery, AuditStore, EntryPosition } from './audit-store.ts'
import { nullable } from '../shared/nullable.ts'

const Cursor = nullable(Type.String(), 'For the next page; null: this is the last one.')

export const AuditPage = Type.Object({
  entries: Type.Array(AuditLine),
  cursor: Cursor,
})

export type AuditPage = Static<typeof AuditPage>

/** What a user watched, played back and downloaded (AUD-5). */
export const OwnReads = Type.Object({
  recorded: Type.Boolean({ description: 'Whether video access is being recorded now (`audit.reads`).' }),
  kept_days: Type.Integer({ description: 'Days an entry is kept (`audit.reads_days`).' }),
  reads: Type.Array(AuditLine),
  cursor: Cursor,
})

export type OwnReads = Static<typeof OwnReads>

/** Max actions per request. */
const maxActions = 32

const pageParameters = {
  after: Type.Optional(AuditTime),
  before: Type.Optional(AuditTime),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
}

type PageParameters = Static<Type.TObject<typeof pageParameters>>

type Filter = Pick<AuditQuery, 'user' | 'owner' | 'camera' | 'actions' | 'result'>

const camera = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    description:
      'Viewing, downloads, exports and share links of this camera, without those of an earlier camera of the same name.',
  }),
)

const AuditSearch = Type.Object({
  user: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  action: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: 'Actions, separated by commas.' })),
  result: Type.Optional(Type.Enum(['success', 'denied', 'failure'])),
  camera,
  ...pageParameters,
})

export interface AuditRoutesDeps {
  readonly store: AuditStore
  readonly settings: () => AuditConfig
  readonly cameraKeyOf: CameraKeys['keyOf']
}

export const auditRoutes = (deps: AuditRoutesDeps): Route[] => [auditRoute(deps), ownReadsRoute(deps)]

const auditRoute = ({ store, cameraKeyOf }: AuditRoutesDeps): Route =>
  route({
    method: 'GET',
    path: '/api/audit',
    access: { service: 'audit.read', about: 'no-camera' },
    schema: {
      summary: 'List audit log entries, newest first.',
      querystring: AuditSearch,
      response: { 200: AuditPage },
    },
    async handle({ query }) {
      const { user, camera, action, result } = query
      const filter = {
        user: user?.replaceAll('\0', '\u2400'),
        camera: camera === undefined ? undefined : cameraKeyOf(camera),
        actions: action?.replaceAll('\0', '\u2400').split(',', maxActions),
        result,
      }
      const { entries, cursor } = await pageOf(store, filter, query)
      return { entries: entries.map(lineFrom), cursor }
    },
  })

const ownReadsRoute = ({ store, settings, cameraKeyOf }: AuditRoutesDeps): Route =>
  route({
    method: 'GET',
    path: '/api/account/reads',
    access: { account: true },
    schema: {
      summary: 'List what the signed-in user watched, played back and downloaded, newest first.',
      querystring: Type.Object({ camera, ...pageParameters }),
      response: { 200: OwnReads },
    },
    async handle({ query }, { identity }) {
      const owner = ownerText(ownerOf(identity))
      const of = query.camera === undefined ? undefined : cameraKeyOf(query.camera)
      const { entries, cursor } = await pageOf(store, { owner, actions: readActions, camera: of }, query)
      const { reads, reads_days } = settings()
      return { recorded: reads, kept_days: reads_days, reads: entries.map(lineFrom), cursor }
    },
  })

/** One page of the entries that match, and the cursor of the next one. */
async function pageOf(store: AuditStore, filter: Filter, { after, before, limit = 100, cursor }: PageParameters) {
  const found = await store.entries({
    ...filter,
    after: moment(after),
    before: moment(before),
    from: cursor === undefined ? undefined : entryPosition(cursor),
    // One extra row shows whether there is another page.
    limit: limit + 1,
  })
  const entries = found.slice(0, limit)
  const last = entries.at(-1)
  return { entries, cursor: found.length > limit && last ? cursorOf(last.at, last.id) : null }
}

/** Entries are numbered from 1. */
const idShape = /^[1-9]\d{0,14}$/

function entryPosition(cursor: string): EntryPosition {
  const { at, id } = positionFrom(cursor, idShape)
  return { at, id: Number(id) }
}
