export const width = 1280
const height = 720
/** Frames per second. */
export const frameRate = 12

/** Draws a thing once and repeats the frame, so that only motion costs anything. */
export const once = `r=${frameRate}:d=0.08`
export const again = 'loop=-1:1'

export const box = (x: number, y: number, w: number, h: number, color: string): string =>
  `drawbox=x=${x}:y=${y}:w=${w}:h=${h}:color=${color}:t=fill`

export const row = (count: number, one: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => one(i))

/** The still background: a gradient from top to bottom with boxes on it. */
export const backdrop = (top: string, bottom: string, boxes: readonly string[]): string =>
  `gradients=s=${width}x${height}:c0=${top}:c1=${bottom}:x0=0:y0=0:x1=0:y1=${height}:n=2:speed=0.00001:${once},` +
  `format=yuv420p,${boxes.join(',')}`

export interface Thing {
  readonly name: string
  /** One frame. */
  readonly graph: string
  /** Expressions of `t`, seconds of the drawing. */
  readonly x: string
  readonly y: string
}

/** An ellipse; the lower the sharpness, the softer its edge. */
export function disc(
  name: string,
  size: string,
  color: string,
  x: string,
  y: string,
  { alpha = 1, sharpness = 10 }: { alpha?: number; sharpness?: number } = {},
): Thing {
  const edge = `clip((1-hypot((X-W/2)/(W/2),(Y-H/2)/(H/2)))*${sharpness},0,1)`
  const graph =
    `color=${color}:s=${size}:${once},format=yuva420p,` +
    `geq=lum='p(X,Y)':cb='p(X,Y)':cr='p(X,Y)':a='${Math.round(alpha * 255)}*${edge}'`
  return { name, graph, x, y }
}

export const block = (name: string, size: string, color: string, x: string, y: string): Thing => ({
  name,
  graph: `color=${color}:s=${size}:${once}`,
  x,
  y,
})
