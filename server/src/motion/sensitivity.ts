/** `low`: near and large objects. `high`: far and small objects, with more false alarms. */
export type Sensitivity = 'low' | 'medium' | 'high'

export interface Thresholds {
  /** Share of the frame that must move in one region for motion to begin. */
  readonly begin: number
  /** The same for motion to continue. */
  readonly goOn: number
  /** Minimum difference of a pixel, gray levels. */
  readonly contrast: number
}

export const thresholdsOf: Readonly<Record<Sensitivity, Thresholds>> = {
  low: { begin: 0.006, goOn: 0.003, contrast: 12 },
  medium: { begin: 0.0014, goOn: 0.0007, contrast: 7 },
  high: { begin: 0.0006, goOn: 0.0003, contrast: 5 },
}
