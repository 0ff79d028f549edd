/** Pattern of a camera's name, which is also a part of paths and file names. */
export const cameraNamePattern = '^[A-Za-z0-9_-]{1,64}$'

/** What stands for all cameras in the list of a role, so no camera has this name (PATH-2). */
export const allCameras = 'all'
