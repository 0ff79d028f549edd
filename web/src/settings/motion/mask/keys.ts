import type { KeyboardEvent } from 'react'
import type { Point } from '../motion-settings.ts'

/** Share of the frame that an arrow key moves by, without and with Shift. */
const near = 0.005
const far = 0.05

const ways: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** The place that an arrow key moves to; undefined for any other key. */
export function wayOf({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>, [x, y]: Point): Point | undefined {
  const way = Object.hasOwn(ways, key) ? ways[key] : undefined
  if (!way) return undefined
  const size = shiftKey ? far : near
  return [x + way[0] * size, y + way[1] * size]
}
