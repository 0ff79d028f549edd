import { useTitles } from '../live/titles.ts'
import type { Export } from '../shared/api-types.ts'

/** What an export is called: by its name, else by its camera. */
export function useExportName(): (one: Pick<Export, 'name' | 'camera'>) => string {
  const titleOf = useTitles()
  return ({ name, camera }) => name || titleOf(camera)
}
