import { queryOptions } from '@tanstack/react-query'
import { ask } from '../../shared/api.ts'
import { queryKeys } from '../../shared/query-keys.ts'
import { edited, NotChanged } from '../cameras/cameras-file.ts'
import type { MaskToWrite } from './edit-motion.ts'
import { sameMotion, type MotionSettings } from './motion-settings.ts'

interface InForce {
  readonly cameras: Readonly<Record<string, { readonly motion: MotionSettings }>>
}

/** What is looked for at each camera, as it is in force. */
export const motionQuery = queryOptions({
  queryKey: queryKeys.config.motion,
  async queryFn({ signal }): Promise<ReadonlyMap<string, MotionSettings>> {
    const { cameras } = await ask<InForce>('api/config', { signal })
    const settings = Object.entries(cameras).map(
      ([name, { motion }]) =>
        [name, { enabled: motion.enabled, sensitivity: motion.sensitivity, masks: motion.masks }] as const,
    )
    return new Map(settings)
  },
  refetchInterval: 10_000,
})

interface Wanted {
  readonly camera: string
  /** What it was when the change began. */
  readonly was: MotionSettings
  readonly settings: Omit<MotionSettings, 'masks'> & { readonly masks: readonly MaskToWrite[] }
}

/** @throws NotChanged where somebody else was quicker, or it takes a person */
export async function changeMotion({ camera, was, settings }: Wanted): Promise<void> {
  const { motionIn, withMotion } = await import('./edit-motion.ts')
  await edited(async (text, known) => {
    if (!known.cameras.has(camera)) throw new NotChanged('gone')
    const place = { camera, keep: known.demos ? known.cameras : new Map() }
    // The file, as what is in force follows an edit by hand a moment later.
    if (!sameMotion(motionIn(text, place) as MotionSettings, was)) throw new NotChanged('meanwhile')
    return withMotion(text, { ...settings, ...place })
  })
}
