/** Pattern of a camera's name, which is also a part of paths and file names. */
export const cameraNamePattern = '^[A-Za-z0-9_-]{1,64}$'
