import { useQuery } from '@tanstack/react-query'
import { camerasQuery, titleOf } from './queries.ts'

/** A function that returns a camera's title, or its name if it has no title or is unknown. */
export function useTitles(): (camera: string) => string {
  const { data = [] } = useQuery(camerasQuery)
  const titles = new Map(data.map((camera) => [camera.name, titleOf(camera)]))
  return (camera) => titles.get(camera) ?? camera
}
