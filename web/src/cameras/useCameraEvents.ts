import { useDebouncedCallback } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useEvents } from '../events/Events.tsx'
import type { Camera, ServiceEvent } from '../../../server/src/api-types.ts'
import { queryKeys } from '../api/query-keys.ts'
import { cameraQuery, camerasQuery } from './queries.ts'

type CameraEvent = Extract<ServiceEvent, { type: 'camera' }>

/** Keeps the cached cameras current as events arrive. */
export function useCameraEvents(): void {
  const queries = useQueryClient()
  const changed = useRef(new Set<string>())
  // Fetches details that an event lacks, for example why a camera is offline. Several often change together.
  const refetch = useDebouncedCallback(() => {
    const keys = [queryKeys.cameras.list, ...[...changed.current].map(queryKeys.cameras.one)]
    changed.current.clear()
    for (const queryKey of keys) void queries.invalidateQueries({ queryKey, exact: true })
  }, 200)

  useEvents((event) => {
    if (event.type === 'again') return void queries.invalidateQueries({ queryKey: queryKeys.cameras.all })
    if (event.type !== 'camera') return
    const apply = (camera: Camera) => withEvent(camera, event)
    queries.setQueryData(camerasQuery.queryKey, (cameras) => cameras?.map(apply))
    queries.setQueryData(cameraQuery(event.camera).queryKey, (camera) => camera && apply(camera))
    changed.current.add(event.camera)
    refetch()
  })
}

function withEvent(camera: Camera, { camera: name, state, recording }: CameraEvent): Camera {
  if (camera.name !== name) return camera
  // The reason for the previous state does not apply to the new one.
  const { detail: _, reason: __, ...rest } = camera
  return { ...(camera.state === state ? camera : rest), state: state as Camera['state'], recording }
}
