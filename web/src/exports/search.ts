/** What may stand behind the `?` of the exports' address. */
export interface ExportsSearch {
  readonly camera?: string
  /** The one that plays, by its id. */
  readonly play?: string
}

/** What an address says, as far as it can be meant. */
export const exportsSearch = (values: Readonly<Record<string, unknown>>): ExportsSearch => {
  // `?camera=12` is read as a number.
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
