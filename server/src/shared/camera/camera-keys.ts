declare const key: unique symbol

/** The key of a camera, as the registry gives it and as rows have it. A camera's name is not one. */
export type CameraKey = string & { readonly [key]: true }

/** Makes a key of text: of the registry, or of what was written with a key, such as JSON or the path of a file. */
export const cameraKey = (text: string): CameraKey => text as CameraKey

/**
 * A camera's data is stored under its key, not its name: a new camera that reuses the name of a removed one has another
 * key, and therefore none of the old data (CAM-4).
 *
 * The key of a removed camera is shown outside as a name that no camera can have.
 */
export interface CameraKeys {
  /** The key of a camera, by its name; for an unknown name, a key under which nothing is stored. */
  keyOf(name: string): CameraKey
  /** The name of the camera that has a key; of a removed one, a name that no camera can have. */
  nameOf(key: CameraKey): string
}

/** A character that a camera name never contains (PATH-2). */
export const keyMark = '~'

/** The name that a camera has or had, for display. */
export const formerName = (key: CameraKey): string => key.slice(0, (key + keyMark).indexOf(keyMark))

/** Whether a name from `nameOf` stands for a removed camera. */
export const isRemovedName = (name: string): boolean => name.includes(keyMark)
