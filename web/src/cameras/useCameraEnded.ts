import { useDebouncedCallback } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { profileQuery } from '../session/session.ts'
import { camerasQuery } from './queries.ts'

/**
 * For a video whose permission ended: removes the camera from the list, and refetches the user's profile and cameras,
 * once for all videos that end together.
 */
export function useCameraEnded(): (camera: string) => void {
  const queries = useQueryClient()
  const refetch = useDebouncedCallback(
    () => {
      for (const { queryKey } of [profileQuery, camerasQuery]) void queries.invalidateQueries({ queryKey, exact: true })
    },
    // After the last camera ended, the component that showed the cameras unmounts before the delay is over.
    { delay: 200, flushOnUnmount: true },
  )
  return (ended) => {
    queries.setQueryData(camerasQuery.queryKey, (cameras) => cameras?.filter(({ name }) => name !== ended))
    refetch()
  }
}
