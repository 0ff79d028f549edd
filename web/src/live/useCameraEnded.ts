import { useDebouncedCallback } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { profileQuery } from '../session/session.ts'
import { camerasQuery } from './cameras.ts'

/**
 * For a video whose permission ended: the camera is listed no longer, and who one is and what one can see is asked for,
 * once for all videos that end together.
 */
export function useCameraEnded(): (camera: string) => void {
  const queries = useQueryClient()
  const refetch = useDebouncedCallback(
    () => {
      for (const { queryKey } of [profileQuery, camerasQuery]) void queries.invalidateQueries({ queryKey, exact: true })
    },
    // Where the last camera ended, what showed the cameras is gone before.
    { delay: 200, flushOnUnmount: true },
  )
  return (ended) => {
    queries.setQueryData(camerasQuery.queryKey, (cameras) => cameras?.filter(({ name }) => name !== ended))
    refetch()
  }
}
