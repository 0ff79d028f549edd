import { inScope, scopeOf, withoutCaller, type ScopedCamera, type ScopedKey } from '../../src/access/grant.ts'
import { cameraKey, type CameraKey } from '../../src/shared/camera/camera-keys.ts'

/** The camera as in the scope of a caller who can see all cameras. */
export function scopedCamera(name: string): ScopedCamera {
  if (!inScope(scopeOf({ actions: new Set(), cameras: 'all' }), name)) throw new Error(`${name} is not in scope`)
  return name
}

export const scopedKey = (key: string): ScopedKey<CameraKey> => withoutCaller(cameraKey(key))
