import { queryOptions } from '@tanstack/react-query'
import type { LinkCreated, LinkResponse, RequestBodies } from '../../../server/src/api-types.ts'
import { fetchJson, jsonOf, sendJson } from '../api/api.ts'
import { deleteUnlessGone } from '../api/delete-unless-gone.ts'
import { queryKeys } from '../api/query-keys.ts'

/** Milliseconds between two polls: links are opened, and end. */
const every = 10_000

/** The links that the user created. */
export const ownLinksQuery = queryOptions({
  queryKey: queryKeys.links.own,
  queryFn: ({ signal }) => fetchJson<LinkResponse[]>('api/links', { signal }),
  refetchInterval: every,
})

/** The links of all users, for those who can manage them. */
export const allLinksQuery = queryOptions({
  queryKey: queryKeys.links.everyone,
  queryFn: ({ signal }) => fetchJson<LinkResponse[]>('api/links/all', { signal }),
  refetchInterval: every,
})

export const createLink = (link: RequestBodies['POST /api/links']): Promise<LinkCreated> =>
  jsonOf(sendJson('POST /api/links', {}, link))

/** @param isGone whether it no longer exists, if the service doesn't tell this user */
export const revokeLink = ({ id }: LinkResponse, isGone: () => Promise<boolean>): Promise<boolean> =>
  deleteUnlessGone(`api/links/${encodeURIComponent(id)}`, isGone)
