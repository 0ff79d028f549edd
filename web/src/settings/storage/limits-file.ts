import { queryOptions } from '@tanstack/react-query'
import { ask } from '../../shared/api.ts'
import { queryKeys } from '../../shared/query-keys.ts'
import { edited, NotChanged } from '../cameras/cameras-file.ts'
import type { Limits } from './edit-limits.ts'

/** The limits in force: of all cameras, and what each camera says of its own. */
export interface LimitsInForce {
  readonly whole: Limits
  readonly cameras: ReadonlyMap<string, Limits>
}

interface InForce {
  readonly recording: Limits
  readonly cameras: Readonly<Record<string, { readonly record: Limits }>>
}

async function inForce(signal?: AbortSignal): Promise<LimitsInForce> {
  const { recording, cameras } = await ask<InForce>('api/config', { signal })
  return { whole: recording, cameras: new Map(Object.entries(cameras).map(([name, { record }]) => [name, record])) }
}

export const limitsQuery = queryOptions({
  queryKey: queryKeys.config.limits,
  queryFn: ({ signal }) => inForce(signal),
  refetchInterval: 10_000,
})

interface Wanted {
  /** undefined: of all cameras together. */
  readonly camera: string | undefined
  /** What they were when the form was opened. */
  readonly was: Limits
  readonly limits: Limits
}

/** @throws NotChanged where somebody else was quicker, or it takes a person */
export async function changeLimits({ camera, was, limits }: Wanted): Promise<void> {
  const { withLimits } = await import('./edit-limits.ts')
  await edited(async (text, known) => {
    const now = await inForce()
    const same = camera === undefined ? now.whole : now.cameras.get(camera)
    if (!same || !sameLimits(same, was)) throw new NotChanged('meanwhile')
    return withLimits(text, { camera, limits, keep: known.demos ? known.cameras : new Map() })
  })
}

const sameLimits = (one: Limits, other: Limits): boolean =>
  one.enabled === other.enabled &&
  one.retain_days === other.retain_days &&
  one.max_gb === other.max_gb &&
  one.mode === other.mode
