import { camerasIn, cameraIn } from './edit-cameras.ts'
import { editYaml, setOrDefault, setOrRemove, tableIn } from './edit-yaml.ts'

/** What recordings of one camera are limited to. */
export interface CameraLimits {
  readonly enabled: boolean
  readonly mode: 'all' | 'motion'
  /** null: as for all cameras. */
  readonly retain_days: number | null
  /** null: no limit of its own. */
  readonly max_gb: number | null
}

/** What recordings of all cameras together are limited to. */
export interface Limits {
  readonly enabled: boolean
  readonly retain_days: number
  readonly max_gb: number
}

/**
 * The text with other limits for one camera. A default is not written out, unless its key is there already.
 *
 * @throws ServiceError `not-found` where there is no such camera; `conflict` where only a person can change the text.
 */
export const withCameraLimits = (text: string, camera: string, limits: CameraLimits): string =>
  editYaml(text, ({ document, top }) => {
    const above = cameraIn(camerasIn(document, top), camera)
    const table = tableIn(document, above, 'record')
    setOrDefault(document, table, 'enabled', { value: limits.enabled, byDefault: true })
    setOrDefault(document, table, 'mode', { value: limits.mode, byDefault: 'all' })
    setOrRemove(document, table, 'retain_days', limits.retain_days)
    setOrRemove(document, table, 'max_gb', limits.max_gb)
    if (table.items.length === 0) above.items = above.items.filter(({ value }) => value !== table)
  })

/**
 * The text with other limits for all cameras together.
 *
 * @throws ServiceError `conflict` where only a person can change the text.
 */
export const withLimits = (text: string, limits: Limits): string =>
  editYaml(text, ({ document, top }) => {
    const table = tableIn(document, top, 'recording')
    setOrDefault(document, table, 'enabled', { value: limits.enabled, byDefault: true })
    setOrRemove(document, table, 'retain_days', limits.retain_days)
    setOrRemove(document, table, 'max_gb', limits.max_gb)
  })
