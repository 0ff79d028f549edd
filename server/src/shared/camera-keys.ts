/**
 * What is stored of a camera is kept under its key, not under its name: a camera that is added under a name that another
 * one had before has another key, and so none of what was stored before (CAM-4).
 *
 * A key that no camera of now has is known outside by a name that no camera can have.
 */
export interface CameraKeys {
  /** The key of a camera, by its name; of a name that no camera has, a key under which nothing is stored. */
  keyOf(name: string): string
  /** The name of the camera that has a key; of a removed one, a name that no camera can have. */
  nameOf(key: string): string
}

/** What the name of a camera never contains (PATH-2). */
export const keyMark = '~'

/** The name that a camera had, for people. */
export const formerName = (key: string): string => key.slice(0, (key + keyMark).indexOf(keyMark))

/** Whether `nameOf` gave it for a removed camera. */
export const isRemovedName = (name: string): boolean => name.includes(keyMark)
