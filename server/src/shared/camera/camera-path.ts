import { Type } from 'typebox'

/** Parameters of a path that names a camera. */
export const CameraPath = Type.Object({ camera: Type.String() })
