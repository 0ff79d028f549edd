import { useRef, type PointerEvent } from 'react'

interface PinchProps {
  /**
   * Called while two fingers pinch. `factor` below 1: they move apart, so less is shown.
   *
   * @param clientX the point between the fingers
   * @param by pixels the point moved to the right
   */
  readonly onPinch: (factor: number, clientX: number, by: number) => void
}

/** Tracks pinching on one element. `down` and `move` return whether two fingers are down. */
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
