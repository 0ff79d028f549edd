import { disc, type Thing } from './drawing.ts'

interface Look {
  readonly coat: string
  readonly legs: string
  readonly head: string
}

/** A person on two legs. `x` is the center and `y` the feet; `stride` is the amount of walking, 0 to 1. */
export function person(
  name: string,
  tall: number,
  { coat, legs, head }: Look,
  { x, y, stride }: { x: string; y: string; stride: string },
): Thing[] {
  const part = (of: string, wide: number, high: number, above: number, color: string, sharpness: number, aside = '') =>
    disc(
      `${name}${of}`,
      `${even(wide * tall)}x${even(high * tall)}`,
      color,
      `${x}-${even(wide * tall) / 2}${aside}`,
      `${y}-${Math.round(above * tall)}`,
      { sharpness },
    )
  const step = `${Math.round(0.1 * tall)}*${stride}*sin(2*PI*t)`
  return [
    part('left', 0.13, 0.54, 0.54, legs, 5, `-${step}`),
    part('right', 0.13, 0.54, 0.54, legs, 5, `+${step}`),
    part('body', 0.3, 0.5, 0.85, coat, 6),
    part('head', 0.15, 0.18, 1, head, 9),
  ]
}

const even = (pixels: number): number => 2 * Math.round(pixels / 2)
