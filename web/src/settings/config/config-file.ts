import { queryOptions } from '@tanstack/react-query'
import type { ConfigCheck, ConfigHistory, ConfigSaved, Reasons } from '../../../../server/src/api-types.ts'
import { ApiError, fetchJson, send } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { JsonSchema } from './editor/schema.ts'

/** The content of `config.yml` on disk, or of the document that several instances share. */
export interface ConfigText {
  /** With LF line endings, as editors use them. */
  readonly text: string
  readonly etag: string
  /** Whether the file has CRLF line endings, which are restored when saving. */
  readonly crlf: boolean
}

export async function readConfig(signal?: AbortSignal): Promise<ConfigText> {
  const response = await send('api/config/raw', { signal })
  const text = await response.text()
  return {
    text: text.replaceAll('\r\n', '\n'),
    etag: response.headers.get('etag') ?? '',
    crlf: text.includes('\r\n'),
  }
}

/**
 * Saves `config.yml`.
 *
 * @param base the version that `text` is based on; 412 if another one is on disk
 * @param orphanRoles saves even if users would have a role that does not exist; otherwise 409
 */
export const saveConfig = (
  text: string,
  base: Pick<ConfigText, 'etag' | 'crlf'>,
  orphanRoles?: 'allow',
): Promise<ConfigSaved> =>
  fetchJson<ConfigSaved>(`api/config/raw${orphanRoles ? `?orphan_roles=${orphanRoles}` : ''}`, {
    method: 'PUT',
    yaml: base.crlf ? text.replaceAll('\n', '\r\n') : text,
    ifMatch: base.etag,
  })

export type OrphanedRoles = Reasons['orphaned-roles']

const texts = (list: unknown): string[] => (Array.isArray(list) ? list.map(String) : [])

/** The roles and users that a save would have orphaned, if it was rejected for that reason. */
export function orphansIn(error: unknown): OrphanedRoles | undefined {
  const reason = error instanceof ApiError ? error.failure.reason : undefined
  if (reason?.code !== 'orphaned-roles') return undefined
  const { roles, users } = reason.values ?? {}
  return { roles: texts(roles), users: texts(users) }
}

export const checkConfig = (text: string, signal?: AbortSignal): Promise<ConfigCheck> =>
  fetchJson<ConfigCheck>('api/config/check', { method: 'POST', yaml: text, signal })

/** Refetched every 10 seconds: other admins and editors of the file change it too. */
export const configTextQuery = queryOptions({
  queryKey: queryKeys.config.raw,
  queryFn: ({ signal }) => readConfig(signal),
  refetchInterval: 10_000,
})

/** Which sections are in the `config.yml` of each machine, if several instances share the others, and who saved those. */
export const configHistoryQuery = queryOptions({
  queryKey: queryKeys.config.history,
  queryFn: ({ signal }) => fetchJson<ConfigHistory>('api/config/versions', { signal }),
  refetchInterval: ({ state }) => (state.data && state.data.machine_sections.length > 0 ? 10_000 : false),
})

export const configSchemaQuery = queryOptions({
  queryKey: queryKeys.config.schema,
  queryFn: ({ signal }) => fetchJson<JsonSchema>('api/config/schema.json', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
