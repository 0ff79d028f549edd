/** `low`: what is near and large. `high`: what is far and small, and more that is nothing. */
export type Sensitivity = 'low' | 'medium' | 'high'

export interface Thresholds {
  /** Share of the picture that has to move in one piece for motion to begin. */
  readonly begin: number
  /** The same for motion that goes on. */
  readonly goOn: number
  /** Grey levels by which a pixel has to differ at least. */
  readonly contrast: number
}

export const thresholdsOf: Readonly<Record<Sensitivity, Thresholds>> = {
  low: { begin: 0.006, goOn: 0.003, contrast: 12 },
  medium: { begin: 0.0014, goOn: 0.0007, contrast: 7 },
  high: { begin: 0.0006, goOn: 0.0003, contrast: 5 },
}
