import { useRef, type PointerEvent } from 'react'

interface PinchProps {
  /**
   * Fingers move apart (`factor` below 1: less is shown) or together, around a point of the screen, and aside with it.
   *
   * @param by pixels that the point moved to the right
   */
  readonly onPinch: (factor: number, clientX: number, by: number) => void
}

/** Two fingers on one element. Each function answers whether there are two. */
export function usePinch({ onPinch }: PinchProps) {
  const fingers = useRef(new Map<number, number>())

  const both = (): readonly [number, number] | undefined => {
    const [one, other] = [...fingers.current.values()]
    return one !== undefined && other !== undefined ? [one, other] : undefined
  }
  return {
    down({ pointerId, clientX }: PointerEvent): boolean {
      fingers.current.set(pointerId, clientX)
      return both() !== undefined
    },
    move({ pointerId, clientX }: PointerEvent): boolean {
      const before = both()
      if (fingers.current.has(pointerId)) fingers.current.set(pointerId, clientX)
      const after = both()
      if (!before || !after) return false
      const [apart, now] = [Math.abs(before[0] - before[1]), Math.abs(after[0] - after[1])]
      const [middle, middleNow] = [(before[0] + before[1]) / 2, (after[0] + after[1]) / 2]
      if (apart > 10 && now > 10) onPinch(apart / now, middle, middleNow - middle)
      return true
    },
    up({ pointerId }: PointerEvent): void {
      fingers.current.delete(pointerId)
    },
  }
}
