import type { ScreenLayout } from '../../../server/src/api-types.ts'

/** The columns of a grid that fills a screen with the largest 16:9 tiles; of several the most, for a wide grid. @param width and height, pixels */
export function columnsFor(count: number, width: number, height: number): number {
  const tileIn = (columns: number): number => {
    const rows = Math.ceil(count / columns)
    return Math.min(width / columns, ((height / rows) * 16) / 9)
  }
  const candidates = Array.from({ length: Math.max(1, count) }, (_, at) => at + 1)
  return candidates.reduce((best, columns) => (tileIn(columns) >= tileIn(best) ? columns : best), 1)
}

/** The cameras in pages that are shown one after another. */
export function pagesOf<Camera>(cameras: readonly Camera[], perPage: number | null): readonly (readonly Camera[])[] {
  const size = perPage ?? Math.max(1, cameras.length)
  const count = Math.max(1, Math.ceil(cameras.length / size))
  return Array.from({ length: count }, (_, page) => cameras.slice(page * size, (page + 1) * size))
}

/** Whether a screen is dark at a time of its own clock. */
export function isDimmed(dim: ScreenLayout['dim'], now: Date): boolean {
  if (dim === null) return false
  const [from, until] = [minutesOf(dim.from), minutesOf(dim.until)]
  const minutes = now.getHours() * 60 + now.getMinutes()
  // Without its own end, or across midnight.
  return from < until ? minutes >= from && minutes < until : minutes >= from || minutes < until
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}
