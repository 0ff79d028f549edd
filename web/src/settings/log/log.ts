import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { LogLines } from '../../../../server/src/api-types.ts'
import { fetchJson } from '../../api/api.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { LogFilter } from './filter.ts'

/** @param follow refetches every 2 seconds */
export const logQuery = ({ logger, level }: Omit<LogFilter, 'text'>, follow: boolean) =>
  queryOptions({
    queryKey: queryKeys.logs(logger, level),
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ level, ...(logger && { logger }) })
      return fetchJson<LogLines>(`api/logs?${query.toString()}`, { signal })
    },
    placeholderData: keepPreviousData,
    refetchInterval: follow ? 2000 : false,
  })
