import { searchText } from '../lib/search-text.ts'

/** Query parameters of the Exports page. */
export interface ExportsSearch {
  readonly camera?: string
  /** The id of the export that plays. */
  readonly play?: string
}

/** Parses query parameters; invalid values are dropped. */
export const exportsSearch = (values: Readonly<Record<string, unknown>>): ExportsSearch => {
  const text = (name: string) => searchText(values[name])
  const [camera, play] = [text('camera'), text('play')]
  return {
    ...(/^[\w-]{1,64}$/.test(camera) && { camera }),
    ...(/^[\w-]{1,64}$/.test(play) && { play }),
  }
}
