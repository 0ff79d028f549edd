import { queryOptions } from '@tanstack/react-query'
import type { FactorsResponse } from '../../../../server/src/api-types.ts'
import { fetchJson } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'

/** The second factors of the signed-in user. */
export const factorsQuery = queryOptions({
  queryKey: queryKeys.factors,
  queryFn: ({ signal }) => fetchJson<FactorsResponse>('api/account/factors', { signal }),
})
