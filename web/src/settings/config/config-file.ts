import { queryOptions } from '@tanstack/react-query'
import type { ConfigCheck, ConfigSaved } from '../../../../server/src/config/config.routes.ts'
import type { Reasons } from '../../../../server/src/shared/errors.ts'
import { ApiError, ask, send } from '../../shared/api.ts'
import { queryKeys } from '../../shared/query-keys.ts'
import type { JsonSchema } from './schema.ts'

/** `config.yml` as it lies there. */
export interface ConfigText {
  /** With plain line feeds, as editors have them. */
  readonly text: string
  readonly etag: string
  /** Its lines end with CR LF, and shall again when it is saved. */
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
 * @param base the version that `text` was made from; any other on the disk refuses it with 412
 * @param orphanRoles saves it also where users would have a role that does not exist; otherwise that is refused with 409
 */
export const saveConfig = (
  text: string,
  base: Pick<ConfigText, 'etag' | 'crlf'>,
  orphanRoles?: 'allow',
): Promise<ConfigSaved> =>
  ask<ConfigSaved>(`api/config/raw${orphanRoles ? `?orphan_roles=${orphanRoles}` : ''}`, {
    method: 'PUT',
    yaml: base.crlf ? text.replaceAll('\n', '\r\n') : text,
    ifMatch: base.etag,
  })

export type OrphanedRoles = Reasons['orphaned-roles']

const texts = (list: unknown): string[] => (Array.isArray(list) ? list.map(String) : [])

/** Whom a save would have left with a role that does not exist, where that is why it was refused. */
export function orphansIn(error: unknown): OrphanedRoles | undefined {
  const reason = error instanceof ApiError ? error.failure.reason : undefined
  if (reason?.code !== 'orphaned-roles') return undefined
  const { roles, users } = reason.values ?? {}
  return { roles: texts(roles), users: texts(users) }
}

export const checkConfig = (text: string, signal?: AbortSignal): Promise<ConfigCheck> =>
  ask<ConfigCheck>('api/config/check', { method: 'POST', yaml: text, signal })

/** Asked again every few seconds: others change the file too, here and by hand. */
export const configTextQuery = queryOptions({
  queryKey: queryKeys.config.raw,
  queryFn: ({ signal }) => readConfig(signal),
  refetchInterval: 10_000,
})

export const configSchemaQuery = queryOptions({
  queryKey: queryKeys.config.schema,
  queryFn: ({ signal }) => ask<JsonSchema>('api/config/schema.json', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})
