import { useDebouncedCallback } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useEvents } from '../events/Events.tsx'
import { applyExportEvent } from './queries.ts'
import { queryKeys } from '../api/query-keys.ts'

/** Keeps the cached exports current as they progress. */
export function useExportEvents(): void {
  const queries = useQueryClient()
  const changed = useRef(new Set<string>())
  const refetch = useDebouncedCallback(() => {
    const ones = [...changed.current].map(queryKeys.exports.one)
    changed.current.clear()
    for (const queryKey of [queryKeys.exports.lists, queryKeys.exports.recent, queryKeys.exports.usage, ...ones])
      void queries.invalidateQueries({ queryKey })
  }, 200)

  useEvents((event) => {
    if (event.type === 'again') return void queries.invalidateQueries({ queryKey: queryKeys.exports.all })
    if (event.type !== 'export' || (applyExportEvent(queries, event) && event.change === 'updated')) return
    changed.current.add(event.id)
    refetch()
  })
}
