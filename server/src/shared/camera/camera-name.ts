/** Pattern of a camera's name, which is also a part of paths and file names. */
export const cameraNamePattern = '^[A-Za-z0-9_-]{1,64}$'

/** What stands for all cameras in the map of a role. */
export const allCameras = 'all'

/** Of a name that a camera gets through the API: {@link allCameras} would give a role that lists it all cameras (PATH-2). */
export const newCameraNamePattern = cameraNamePattern.replace('^', `^(?!${allCameras}$)`)
