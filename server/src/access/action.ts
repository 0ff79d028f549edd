/** Actions on one camera. */
export const cameraActions = ['cameras.watch', 'recordings.watch', 'recordings.delete'] as const

/** Actions on the service as a whole. */
export const serviceActions = [
  'users.manage',
  'roles.manage',
  'sessions.manage',
  'cameras.manage',
  'config.manage',
  'exports.manage',
  'access.try',
  'audit.read',
  'log.read',
  'system.read',
] as const

export type CameraAction = (typeof cameraActions)[number]
export type ServiceAction = (typeof serviceActions)[number]
export type Action = CameraAction | ServiceAction
