/** How to lay out the tiles: columns, and the width of a tile in pixels. */
export interface Layout {
  readonly columns: number
  readonly tile: number
}

/** Between tiles, pixels. */
export const gap = 12
/** Narrower than this a picture says nothing on a desk or a wall, and the page scrolls instead. */
const narrowest = 300
/** What part of the largest tile still looks as large. */
const almost = 0.95

/**
 * The largest 16:9 tiles that all fit, or, where those would be too small to see, as many columns as are wide enough.
 *
 * @param width and height of the space, pixels
 */
export function layoutFor(count: number, width: number, height: number): Layout {
  const min = Math.min(narrowest, width)
  const candidates = Array.from({ length: Math.max(1, count) }, (_, at) => {
    const columns = at + 1
    const rows = Math.ceil(count / columns)
    const byWidth = (width - gap * (columns - 1)) / columns
    const byHeight = (((height - gap * (rows - 1)) / rows) * 16) / 9
    return { columns, tile: Math.floor(Math.min(byWidth, byHeight)) }
  })
  const largest = Math.max(...candidates.map(({ tile }) => tile))
  // Where it costs next to nothing, more columns: filled from side to side looks better than down the middle.
  const fitting = candidates.findLast(({ tile }) => tile >= largest * almost) ?? { columns: 1, tile: min }
  // On a phone held upright one column that scrolls shows more than a stamp that fits.
  if (fitting.tile >= min && (fitting.columns > 1 || fitting.tile >= width * 0.6)) return fitting
  const columns = Math.max(1, Math.min(count, Math.floor((width + gap) / (min + gap))))
  return { columns, tile: Math.floor((width - gap * (columns - 1)) / columns) }
}

export interface Tiles {
  readonly columns: number
  readonly count: number
  readonly rightToLeft: boolean
}

/** Where a key leads from the tile `at`; that may be outside of the grid. @returns -1 for a key that leads nowhere. */
export function stepIn(at: number, key: string, { columns, count, rightToLeft }: Tiles): number {
  const onward = rightToLeft ? -1 : 1
  switch (key) {
    case 'ArrowRight':
      return at + onward
    case 'ArrowLeft':
      return at - onward
    case 'ArrowDown':
      return at + columns
    case 'ArrowUp':
      return at - columns
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return -1
  }
}
