import { infiniteQueryOptions, queryOptions, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import { pollInterval } from '../events/listening.ts'
import { fetchJson, jsonOf, send, sendJson } from '../api/api.ts'
import { deleteUnlessGone } from '../api/delete-unless-gone.ts'
import type { Export, ExportPage, ExportUsage, ServiceEvent } from '../../../server/src/api-types.ts'
import { urlOf } from '../lib/base.ts'
import { afterCurrentPages } from '../api/next-page.ts'
import { queryKeys } from '../api/query-keys.ts'
import { isUnfinished } from './ended.ts'

export type ExportEvent = Extract<ServiceEvent, { type: 'export' }>

const pathOf = (id: string): string => `api/exports/${encodeURIComponent(id)}`
const filePathOf = (id: string): string => `${pathOf(id)}/video.mp4`

/** URL of the finished file. */
export const fileOf = ({ id }: Export): string => urlOf(filePathOf(id)).href

/** Asks whether the finished file is there. @throws ApiError if not */
export const requestFile = ({ id }: Export, signal: AbortSignal) => send(filePathOf(id), { method: 'HEAD', signal })

/** Milliseconds between two polls while an export is running; events arrive sooner. */
const every = 3000

const pageOf = (parts: Readonly<Record<string, string | undefined>>, signal: AbortSignal): Promise<ExportPage> => {
  const given = Object.entries(parts).filter((part): part is [string, string] => part[1] !== undefined)
  return fetchJson<ExportPage>(`api/exports?${new URLSearchParams(given)}`, { signal })
}

/** Exports of all cameras or of one, newest first. `recentExports` keeps those that run current. */
export const exportList = (camera: string | undefined) =>
  infiniteQueryOptions({
    queryKey: queryKeys.exports.list(camera ?? null),
    queryFn: ({ pageParam, signal }) => pageOf({ limit: '30', cameras: camera, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    structuralSharing: afterCurrentPages,
  })

export const oneExport = (id: string) =>
  queryOptions({
    queryKey: queryKeys.exports.one(id),
    queryFn: ({ signal }) => fetchJson<Export>(pathOf(id), { signal }),
  })

/** The newest exports: as many as can be unfinished. */
export const recentExports = queryOptions({
  queryKey: queryKeys.exports.recent,
  queryFn: async ({ client, signal }) => {
    const page = await pageOf({ limit: '100' }, signal)
    const fetched = new Map(page.items.map((one) => [one.id, one]))
    changeListed(client, (one) => fetched.get(one.id) ?? one)
    return page
  },
  refetchInterval: ({ state: { data } }) => pollInterval(data?.items.some(isUnfinished) ? every : 60_000),
})

/** Space of the user's own exports, and of all exports if the user can see all. */
export const exportUsage = queryOptions({
  queryKey: queryKeys.exports.usage,
  queryFn: ({ signal }) => fetchJson<ExportUsage>('api/exports/usage', { signal }),
})

/** @returns the id of the new export */
export const beginExport = ({ camera, start, end, name }: Pick<Export, 'camera' | 'start' | 'end' | 'name'>) =>
  jsonOf<{ id: string }>(sendJson('POST /api/exports', {}, { camera, start, end, ...(name && { name }) }))

export const renameExport = ({ id }: Export, name: string) => sendJson('PATCH /api/exports/:id', { id }, { name })

export const cancelExport = ({ id }: Export) => send(`${pathOf(id)}/cancel`, { method: 'POST' })

export const deleteExport = ({ id }: Export) => deleteUnlessGone(pathOf(id))

/**
 * Applies an event to the cached exports.
 *
 * @returns whether the event was enough; otherwise the export must be refetched
 */
export function applyExportEvent(queries: QueryClient, { id, state, progress }: ExportEvent): boolean {
  let known = false
  const withEvent = (one: Export): Export => {
    if (one.id !== id || one.state !== state) return one
    known = true
    return { ...one, progress }
  }
  queries.setQueryData(recentExports.queryKey, (page) => page && { ...page, items: page.items.map(withEvent) })
  changeListed(queries, withEvent)
  return known
}

/** Changes the exports of every cached list. */
const changeListed = (queries: QueryClient, change: (one: Export) => Export) =>
  queries.setQueriesData<InfiniteData<ExportPage>>(
    { queryKey: queryKeys.exports.lists },
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(change) })) },
  )
