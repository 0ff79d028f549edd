/** Query parameters of the Exports page. */
export interface ExportsSearch {
  readonly camera?: string
  /** The id of the export that plays. */
  readonly play?: string
}

/** Parses query parameters; invalid values are dropped. */
export const exportsSearch = (values: Readonly<Record<string, unknown>>): ExportsSearch => {
  // The router parses `?camera=12` as a number.
  const text = (name: string) => {
    const value = values[name]
    return typeof value === 'string' || typeof value === 'number' ? `${value}` : ''
  }
  const [camera, play] = [text('camera'), text('play')]
  return {
    ...(/^[\w-]{1,64}$/.test(camera) && { camera }),
    ...(/^[\w-]{1,64}$/.test(play) && { play }),
  }
}
