import { segmentNamed } from '../segments/segment-name.ts'

/** Begins the keys of all recordings of a volume. */
export const objectsOf = (volume: string): string => `recordings/${volume}/`

/** The key of a segment. It contains the checksum, so that what is read can be compared with what was stored. */
export const objectKey = (volume: string, file: string, sha256: string): string =>
  `${objectsOf(volume)}${file.replace(/mp4$/, `${sha256}.mp4`)}`

/** The checksum in a key, SHA-256 in hex; undefined if the key isn't that of a segment. */
export function checksumIn(key: string): string | undefined {
  const [, name, sha256] = /^recordings\/[0-9a-f]{32}\/(.+)\.([0-9a-f]{64})\.mp4$/.exec(key) ?? []
  return segmentNamed(`${name}.mp4`) ? sha256 : undefined
}
