import { queryOptions } from '@tanstack/react-query'
import type { AllCameraSettings, CameraSettings } from '../../../server/src/api-types.ts'
import { ApiError, send } from '../api/api.ts'
import { queryKeys } from '../api/query-keys.ts'

/** The configured cameras, with the version of the configuration. */
export interface KnownSettings extends AllCameraSettings {
  readonly etag: string
}

async function read(signal?: AbortSignal): Promise<KnownSettings> {
  const response = await send('api/config/cameras', { signal })
  const settings = (await response.json()) as AllCameraSettings
  return { ...settings, etag: response.headers.get('etag') ?? '' }
}

/** Refetched every 10 seconds: other admins and editors of the file change the configuration too. */
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

/** Whether someone else saved first. */
export const isOvertaken = (error: unknown): boolean => error instanceof ApiError && error.failure.status === 412

/**
 * Sends a change with the version it is based on. If only something else changed, tries again with the newest version,
 * up to three times in total.
 *
 * @param same whether the settings that the change is based on are still the same
 * @throws ApiError 412 if they are not
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
