import { useElementSize } from '@mantine/hooks'
import type { CSSProperties } from 'react'
import { layoutFor } from './grid.ts'

/** Measures the available space and computes the grid layout. */
export function useGridLayout(count: number) {
  const { ref, width, height } = useElementSize<HTMLDivElement>()
  const { columns, tile } = layoutFor(count, width, height)
  const style = {
    '--columns': columns,
    '--tile': `${Math.max(0, tile)}px`,
    visibility: width > 0 ? undefined : 'hidden',
  }
  return { ref, style: style as CSSProperties, columns, tile }
}
