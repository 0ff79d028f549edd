import type { CameraConfig } from '../cameras.config.ts'
import { camerasIn, cameraIn } from './edit-cameras.ts'
import { editYaml, setOrDefault, setOrRemove, tableIn } from '../../config/edit-yaml.ts'

/** Recording limits of one camera. */
export type CameraLimits = CameraConfig['record']

/** Recording limits of all cameras together. */
export interface Limits {
  readonly enabled: boolean
  readonly retain_days: number
  readonly max_gb: number
}

/**
 * Changes the limits of one camera. A default is not written unless its key already exists.
 *
 * @throws ServiceError `not-found` for an unknown camera; `conflict` if the text can only be edited by hand.
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
 * Changes the limits of all cameras together.
 *
 * @throws ServiceError `conflict` if the text can only be edited by hand.
 */
export const withLimits = (text: string, limits: Limits): string =>
  editYaml(text, ({ document, top }) => {
    const table = tableIn(document, top, 'recording')
    setOrDefault(document, table, 'enabled', { value: limits.enabled, byDefault: true })
    setOrRemove(document, table, 'retain_days', limits.retain_days)
    setOrRemove(document, table, 'max_gb', limits.max_gb)
  })
