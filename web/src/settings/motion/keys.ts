import type { KeyboardEvent } from 'react'
import type { Point } from './motion-settings.ts'

/** Shares of the picture that an arrow key moves by, and with Shift. */
const near = 0.005
const far = 0.05

const ways: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Where an arrow key leads to; undefined for any other key. */
export function wayOf({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>, [x, y]: Point): Point | undefined {
  const way = Object.hasOwn(ways, key) ? ways[key] : undefined
  if (!way) return undefined
  const size = shiftKey ? far : near
  return [x + way[0] * size, y + way[1] * size]
}
