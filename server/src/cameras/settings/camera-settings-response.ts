import { allInScope, inScope, type CameraScope } from '../../access/grant.ts'
import type { CustomRole } from '../../access/role.ts'
import type { ConfigStore } from '../../config/config-store.ts'
import { redactUrl } from '../../config/redact-url.ts'
import { shownName } from '../../shared/display-name.ts'
import { ServiceError } from '../../shared/errors.ts'
import { demoCameras, type CamerasConfig } from '../cameras.config.ts'
import type { AllCameraSettings, CameraSettings, Limits } from './camera-settings-schema.ts'
import { canEditCameras } from './edit-cameras.ts'

/** The sections that the routes of the cameras show or edit. */
export interface EditedSections {
  readonly cameras: CamerasConfig
  readonly recording: Limits
}

interface SettingsSources {
  /** The configuration as it is stored. */
  readonly raw: ConfigStore<EditedSections>['raw']
  /** The custom roles of the active configuration. */
  readonly customRoles: () => ReadonlyMap<string, CustomRole>
}

/** Everything that the page of the cameras shows. @param scope of a token that is limited to cameras, no others */
export async function settingsIn(
  written: EditedSections,
  etag: string,
  { raw, customRoles }: SettingsSources,
  scope: CameraScope,
): Promise<AllCameraSettings> {
  const stored = await raw()
  const isSeen = (camera: string) => inScope(scope, camera)
  return {
    cameras: [...written.cameras.keys()].filter(isSeen).map((name) => settingsOf(name, written.cameras)),
    recording: limitsOf(written),
    roles: [...customRoles()].flatMap(([name, { cameras }]) => {
      // A role for all cameras lists none by name.
      const seen = cameras === 'all' ? [] : cameras.filter(isSeen)
      return allInScope(scope, seen) ? [{ name, cameras: seen }] : []
    }),
    demo: written.cameras === demoCameras,
    // A text that differs from the active one is checked when it is edited.
    editable: stored.etag !== etag || canEditCameras(stored.text),
  }
}

/** @throws ServiceError `not-found` if there is no such camera */
export function settingsOf(name: string, cameras: CamerasConfig): CameraSettings {
  const camera = cameras.get(name)
  if (!camera) throw new ServiceError('not-found', { reason: 'no-such-camera' })
  const { title, enabled, labels, motion, record } = camera
  const source = redactUrl(camera.source)
  return {
    name,
    source,
    source_masked: source !== camera.source,
    title: title && shownName(title),
    enabled,
    labels: [...labels],
    motion: {
      enabled: motion.enabled,
      sensitivity: motion.sensitivity,
      masks: motion.masks.map((mask) => mask.map(([x = 0, y = 0]) => [x, y])),
    },
    record: { ...record },
  }
}

export const limitsOf = ({ recording: { enabled, retain_days, max_gb } }: EditedSections): Limits => ({
  enabled,
  retain_days,
  max_gb,
})
