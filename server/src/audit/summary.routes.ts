import { Type, type Static } from 'typebox'
import { route, type Route } from '../http/route.ts'
import { formerName, isRemovedName, type CameraKeys } from '../shared/camera-keys.ts'
import type { Store } from '../store/store.ts'
import { moment, Timestamp } from './audit-time.ts'
import { summaryOf, type Summed } from './summary.ts'

const Count = Type.Integer()
const Seconds = Type.Number({ description: 'Seconds.' })

const SummaryRow = Type.Object({
  name: Type.Union([Type.String(), Type.Null()], {
    description: 'Username or camera; null for entries that name none.',
  }),
  removed: Type.Optional(Type.Literal(true, { description: 'The camera was removed, or replaced by another one.' })),
  watched: Count,
  watched_duration: Seconds,
  played: Count,
  played_duration: Seconds,
  downloads: Count,
  snapshots: Count,
  exports: Count,
  shares: Count,
})

export const AuditSummary = Type.Object({
  recorded: Type.Boolean({ description: 'Whether video access is being recorded now (`audit.reads`).' }),
  rows: Type.Array(SummaryRow),
})

export type AuditSummary = Static<typeof AuditSummary>
export type AuditSummaryRow = Static<typeof SummaryRow>

export interface SummaryDeps {
  readonly store: Pick<Store, 'db'>
  readonly settings: () => { readonly reads: boolean }
  readonly cameraNameOf: CameraKeys['nameOf']
}

export const summaryRoute = ({ store, settings, cameraNameOf }: SummaryDeps): Route =>
  route({
    method: 'GET',
    path: '/api/audit/summary',
    access: { service: 'audit.read' },
    schema: {
      summary: 'Sum up viewing, downloads, exports and share links, by user or by camera.',
      querystring: Type.Object({
        by: Type.Enum(['user', 'camera']),
        after: Type.Optional(Timestamp),
        before: Type.Optional(Timestamp),
      }),
      response: { 200: AuditSummary },
    },
    async handle({ query: { by, after, before } }) {
      const rows = await summaryOf(store, { by, after: moment(after), before: moment(before) })
      return {
        recorded: settings().reads,
        rows: rows.map((row) => (by === 'user' ? rowOf(row) : cameraRow(row, cameraNameOf))),
      }
    },
  })

function cameraRow(summed: Summed, nameOf: CameraKeys['nameOf']): AuditSummaryRow {
  const row = rowOf(summed)
  if (summed.name === null) return row
  const removed = isRemovedName(nameOf(summed.name))
  return { ...row, name: formerName(summed.name), ...(removed && { removed }) }
}

function rowOf({ name, of }: Summed): AuditSummaryRow {
  const countOf = (action: Parameters<typeof of.get>[0]) => of.get(action)?.count ?? 0
  const secondsOf = (action: Parameters<typeof of.get>[0]) => (of.get(action)?.duration ?? 0) / 1000
  return {
    name,
    watched: countOf('watch'),
    watched_duration: secondsOf('watch'),
    played: countOf('playback'),
    played_duration: secondsOf('playback'),
    downloads: countOf('download'),
    snapshots: countOf('snapshot'),
    exports: countOf('export.create'),
    shares: countOf('link.create'),
  }
}
