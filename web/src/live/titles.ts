import { useQuery } from '@tanstack/react-query'
import { camerasQuery, titleOf } from './cameras.ts'

/** What a camera is called; its name where it has no title, or is not known. */
export function useTitles(): (camera: string) => string {
  const { data = [] } = useQuery(camerasQuery)
  const titles = new Map(data.map((camera) => [camera.name, titleOf(camera)]))
  return (camera) => titles.get(camera) ?? camera
}
