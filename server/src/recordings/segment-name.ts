/** A segment's place below the library's folder, told by its time (UTC, Unix milliseconds): `2026-11-21/yard/10-30-15.250.mp4`. */
export function segmentFile(camera: string, start: number): string {
  const [day = '', time = ''] = new Date(start).toISOString().slice(0, -1).split('T')
  return `${day}/${camera}/${time.replaceAll(':', '-')}.mp4`
}

const shape =
  /^(\d{4}-\d{2}-\d{2})\/([A-Za-z0-9_-]{1,64}(?:~[0-9a-f]*)?)\/(\d{2})-(\d{2})-(\d{2}\.\d{3})(?:-\d+)?\.mp4$/

export interface NamedSegment {
  /** The key of one. */
  readonly camera: string
  /** Unix milliseconds. */
  readonly start: number
}

/** Reads such a place; undefined for what is none. */
export function segmentNamed(file: string): NamedSegment | undefined {
  const [, day, camera, hours, minutes, seconds] = shape.exec(file) ?? []
  if (camera === undefined) return undefined
  const start = Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`)
  return Number.isNaN(start) ? undefined : { camera, start }
}

/**
 * The name under which a segment is written, until it is whole: with the mark of the process that writes it.
 *
 * @param count its own, since two may begin at the same moment where the clock was set back
 */
export const draftOf = (file: string, writer: string, count: number): string => `${file}.${writer}-${count}.part`

const draftShape = /^(.+\.mp4)\.([0-9a-f]+)-\d+\.part$/

/** Reads such a name; undefined for what is none. */
export function draftNamed(name: string): { readonly file: string; readonly writer: string } | undefined {
  const [, file, writer] = draftShape.exec(name) ?? []
  return file !== undefined && writer !== undefined ? { file, writer } : undefined
}
