import { useTitles } from '../cameras/useTitles.ts'
import type { Export } from '../../../server/src/api-types.ts'

/** A function that returns an export's name, or its camera's title if it has none. */
export function useExportName(): (one: Pick<Export, 'name' | 'camera'>) => string {
  const titleOf = useTitles()
  return ({ name, camera }) => name || titleOf(camera)
}
