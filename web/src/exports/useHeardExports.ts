import { useDebouncedCallback } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useEvents } from '../events/Events.tsx'
import { exportsKey, takeOver } from './exports.ts'

/** Keeps what is known of exports true as they get on. */
export function useHeardExports(): void {
  const queries = useQueryClient()
  const askAnew = useDebouncedCallback(() => void queries.invalidateQueries({ queryKey: exportsKey }), 200)

  useEvents((heard) => {
    if (heard.type === 'again') askAnew()
    else if (heard.type === 'export' && !(takeOver(queries, heard) && heard.change === 'update')) askAnew()
  })
}
