/**
 * Key of the row of `meta` that says which key a camera on a volume had before; the folders with its files still have that
 * key. It's there also without recordings in the index: the disk can have files that no row describes.
 *
 * @param key the camera's key; empty: the beginning of all of a volume
 */
export const renamedKeyRow = (volume: string, key: string): string => `renamed_key:${volume}:${key}`
