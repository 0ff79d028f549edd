import { useDebouncedCallback } from '@mantine/hooks'
import { useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useEvents } from '../events/Events.tsx'
import type { Camera, ServiceEvent } from '../shared/api-types.ts'
import { camerasQuery } from './cameras.ts'

type CameraEvent = Extract<ServiceEvent, { type: 'camera' }>

/** Keeps what is known of the cameras true as things happen. */
export function useHeardCameras(): void {
  const queries = useQueryClient()
  const { queryKey } = camerasQuery
  // What an event does not tell, as why a camera is away. Several go and come together.
  const askAnew = useDebouncedCallback(() => void queries.invalidateQueries({ queryKey }), 200)

  useEvents((heard) => {
    if (heard.type === 'again') return askAnew()
    if (heard.type !== 'camera') return
    const key: QueryKey = [...queryKey, heard.camera]
    queries.setQueryData<Camera[]>(queryKey, (cameras) => cameras?.map((camera) => withEvent(camera, heard)))
    queries.setQueryData<Camera>(key, (camera) => camera && withEvent(camera, heard))
    askAnew()
  })
}

function withEvent(camera: Camera, { camera: name, state, recording }: CameraEvent): Camera {
  if (camera.name !== name) return camera
  // Why it was away is not why it is now.
  const { detail: _, reason: __, ...rest } = camera
  return { ...(camera.state === state ? camera : rest), state: state as Camera['state'], recording }
}
