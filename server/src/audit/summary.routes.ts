import { Type, type Static } from 'typebox'
import { ownerOf, ownerText } from '../access/identity.ts'
import { route, type Route } from '../http/route.ts'
import { cameraKey, formerName, isRemovedName, type CameraKeys } from '../shared/camera/camera-keys.ts'
import type { Store } from '../store/store.ts'
import { moment, AuditTime } from './audit-time.ts'
import { summaryOf, type Summed, type SummedAction } from './summary.ts'
import { nullable } from '../shared/nullable.ts'

const Count = Type.Integer()
const Seconds = Type.Number({ description: 'Seconds.' })

const removed = Type.Optional(
  Type.Literal(true, { description: 'Whether the camera was removed, or replaced by another one.' }),
)

const viewing = {
  watched: Count,
  watched_duration: Seconds,
  played: Count,
  played_duration: Seconds,
  downloads: Count,
  snapshots: Count,
}

const SummaryRow = Type.Object({
  name: nullable(Type.String(), 'Username or camera; null for entries that name none.'),
  removed,
  ...viewing,
  exports: Count,
  shares: Count,
})

/** What was viewed of one camera. */
const ViewingRow = Type.Object({
  name: nullable(Type.String(), 'Camera; null for entries that name none.'),
  removed,
  ...viewing,
})

export const AuditSummary = Type.Object({
  recorded: Type.Boolean({ description: 'Whether video access is being recorded now (`audit.reads`).' }),
  rows: Type.Array(SummaryRow),
})

export type AuditSummary = Static<typeof AuditSummary>
export type AuditSummaryRow = Static<typeof SummaryRow>

export const OwnSummary = Type.Object({ rows: Type.Array(ViewingRow) })

export type OwnSummary = Static<typeof OwnSummary>

const timeRange = { after: Type.Optional(AuditTime), before: Type.Optional(AuditTime) }

export interface SummaryDeps {
  readonly store: Pick<Store, 'db'>
  readonly settings: () => { readonly reads: boolean }
  readonly cameraNameOf: CameraKeys['nameOf']
}

export const summaryRoutes = (deps: SummaryDeps): Route[] => [summaryRoute(deps), ownSummaryRoute(deps)]

const summaryRoute = ({ store, settings, cameraNameOf }: SummaryDeps): Route =>
  route({
    method: 'GET',
    path: '/api/audit/summary',
    access: { service: 'audit.read', about: 'no-camera' },
    schema: {
      summary: 'Sum up viewing, downloads, exports and share links, by user or by camera.',
      querystring: Type.Object({
        by: Type.Enum(['user', 'camera']),
        ...timeRange,
      }),
      response: { 200: AuditSummary },
    },
    async handle({ query: { by, after, before } }) {
      const rows = await summaryOf(store, { by, after: moment(after), before: moment(before) })
      return {
        recorded: settings().reads,
        rows: rows.map((row) => ({
          ...(by === 'user' ? { name: row.name } : cameraOf(row, cameraNameOf)),
          ...rowOf(row),
        })),
      }
    },
  })

/** Sums of what the caller viewed (AUD-6). */
const ownSummaryRoute = ({ store, cameraNameOf }: SummaryDeps): Route =>
  route({
    method: 'GET',
    path: '/api/account/reads/summary',
    access: { account: true },
    schema: {
      summary: 'Sum up what the signed-in user watched, played back and downloaded, by camera.',
      querystring: Type.Object(timeRange),
      response: { 200: OwnSummary },
    },
    async handle({ query: { after, before } }, { identity }) {
      const owner = ownerText(ownerOf(identity))
      const rows = await summaryOf(store, { by: 'camera', owner, after: moment(after), before: moment(before) })
      return { rows: rows.map((row) => ({ ...cameraOf(row, cameraNameOf), ...viewingOf(row) })) }
    },
  })

const rowOf = (summed: Summed): Omit<AuditSummaryRow, 'name'> => ({
  ...viewingOf(summed),
  exports: countOf(summed, 'export.create'),
  shares: countOf(summed, 'link.create'),
})

const viewingOf = (summed: Summed) => ({
  watched: countOf(summed, 'watch'),
  watched_duration: secondsOf(summed, 'watch'),
  played: countOf(summed, 'playback'),
  played_duration: secondsOf(summed, 'playback'),
  downloads: countOf(summed, 'download'),
  snapshots: countOf(summed, 'snapshot'),
})

const countOf = ({ of }: Summed, action: SummedAction): number => of.get(action)?.count ?? 0
const secondsOf = ({ of }: Summed, action: SummedAction): number => (of.get(action)?.duration ?? 0) / 1000

function cameraOf({ name }: Summed, nameOf: CameraKeys['nameOf']): Pick<AuditSummaryRow, 'name' | 'removed'> {
  if (name === null) return { name }
  const key = cameraKey(name)
  return { name: formerName(key), ...(isRemovedName(nameOf(key)) && { removed: true }) }
}
