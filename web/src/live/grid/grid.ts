/** Grid layout: columns, and the width of a tile in pixels. */
export interface Layout {
  readonly columns: number
  readonly tile: number
}

/** Pixels between tiles. */
export const gap = 12
/** Minimum width of a tile, pixels: on a narrower one nothing is recognizable, so the page scrolls instead. */
const minTileWidth = 300
/** Fraction of the largest tile width that still looks as large. */
const nearlyLargest = 0.95

/**
 * Returns the largest 16:9 tiles that all fit. If those would be too small, returns as many columns as are wide enough.
 *
 * @param width and height of the space, pixels
 */
export function layoutFor(count: number, width: number, height: number): Layout {
  const min = Math.min(minTileWidth, width)
  const candidates = Array.from({ length: Math.max(1, count) }, (_, at) => {
    const columns = at + 1
    const rows = Math.ceil(count / columns)
    const byWidth = (width - gap * (columns - 1)) / columns
    const byHeight = (((height - gap * (rows - 1)) / rows) * 16) / 9
    return { columns, tile: Math.floor(Math.min(byWidth, byHeight)) }
  })
  const largest = Math.max(...candidates.map(({ tile }) => tile))
  // More columns where that costs almost nothing: a grid that fills the width looks better than a narrow one.
  const fitting = candidates.findLast(({ tile }) => tile >= largest * nearlyLargest) ?? { columns: 1, tile: min }
  // On a phone in portrait, one scrolling column shows more than tiny tiles that all fit.
  if (fitting.tile >= min && (fitting.columns > 1 || fitting.tile >= width * 0.6)) return fitting
  const columns = Math.max(1, Math.min(count, Math.floor((width + gap) / (min + gap))))
  return { columns, tile: Math.floor((width - gap * (columns - 1)) / columns) }
}

export interface Tiles {
  readonly columns: number
  readonly count: number
  readonly rightToLeft: boolean
}

/** The tile a key leads to from tile `at`; can be outside the grid. @returns -1 for any other key */
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
