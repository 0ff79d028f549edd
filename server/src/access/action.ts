/**
 * Actions on one camera (GRANT-1). `live`: live video and snapshots; `audio`: audio in any video; `history`: playback of
 * recordings; `export`: create and see exports; `download`: save video as a file; `delete`: recordings and review items.
 */
export const cameraActions = ['live', 'audio', 'history', 'review', 'export', 'download', 'share', 'delete'] as const

/** Actions on the service as a whole. */
export const serviceActions = [
  'users.manage',
  'roles.manage',
  'sessions.manage',
  'screens.manage',
  'tokens.manage',
  'links.manage',
  'cameras.manage',
  'config.manage',
  'exports.manage',
  'access.try',
  'audit.read',
  'log.read',
  'system.read',
] as const

export type CameraAction = (typeof cameraActions)[number]
/** What a rule requires on a camera. `any`: one of the actions, for what every user of the camera sees: its name and state. */
export type CameraNeed = CameraAction | 'any'
export type ServiceAction = (typeof serviceActions)[number]
export type Action = CameraAction | ServiceAction
