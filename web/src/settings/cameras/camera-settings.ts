import { queryOptions } from '@tanstack/react-query'
import type { AllCameraSettings, CameraSettings } from '../../../../server/src/config/camera-settings.routes.ts'
import { ApiError, send } from '../../shared/api.ts'
import { queryKeys } from '../../shared/query-keys.ts'

/** Cameras as they are configured, with the version of the configuration. */
export interface KnownSettings extends AllCameraSettings {
  readonly etag: string
}

async function read(signal?: AbortSignal): Promise<KnownSettings> {
  const response = await send('api/config/cameras', { signal })
  const settings = (await response.json()) as AllCameraSettings
  return { ...settings, etag: response.headers.get('etag') ?? '' }
}

/** Read again every few seconds: others change the configuration too, here and by hand. */
export const cameraSettingsQuery = queryOptions({
  queryKey: queryKeys.config.cameras,
  queryFn: ({ signal }) => read(signal),
  refetchInterval: 10_000,
})

export const settingsOf = (known: KnownSettings, camera: string): CameraSettings | undefined =>
  known.cameras.find(({ name }) => name === camera)

/** The custom roles that list a camera. */
export const rolesListing = (known: KnownSettings, camera: string): KnownSettings['roles'] =>
  known.roles.filter(({ cameras }) => cameras.includes(camera))

/** Someone else saved first. */
export const isOvertaken = (error: unknown): boolean => error instanceof ApiError && error.failure.status === 412

/**
 * Sends a change with the version that it was made from; again with the newest version where something else changed.
 *
 * @param same whether what the change was made from is still the same
 * @throws ApiError 412 where it is not
 */
export async function changeSettings(
  known: KnownSettings,
  same: (newest: KnownSettings) => boolean,
  change: (ifMatch: string) => Promise<unknown>,
): Promise<void> {
  let version = known.etag
  for (let tries = 1; ; tries += 1) {
    try {
      await change(version)
      return
    } catch (error) {
      if (!isOvertaken(error) || tries === 3) throw error
      const newest = await read()
      if (!same(newest)) throw error
      version = newest.etag
    }
  }
}

export const sameJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
