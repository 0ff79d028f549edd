import { cameraKey, type CameraKey } from '../../shared/camera/camera-keys.ts'

/** Path of a segment relative to the volume's folder, from its start (Unix milliseconds) in UTC: `2026-11-21/yard/10-30-15.250.mp4`. */
export function segmentFile(camera: CameraKey, start: number): string {
  const [day = '', time = ''] = new Date(start).toISOString().slice(0, -1).split('T')
  return `${day}/${camera}/${time.replaceAll(':', '-')}.mp4`
}

const shape =
  /^(\d{4}-\d{2}-\d{2})\/([A-Za-z0-9_-]{1,64}(?:~[0-9a-f]*)?)\/(\d{2})-(\d{2})-(\d{2}\.\d{3})(?:-\d+)?\.mp4$/

export interface NamedSegment {
  /** The camera's key. */
  readonly camera: CameraKey
  /** Unix milliseconds. */
  readonly start: number
}

/** Parses the path of a segment; undefined if the path isn't one. */
export function segmentNamed(file: string): NamedSegment | undefined {
  const [, day, camera, hours, minutes, seconds] = shape.exec(file) ?? []
  if (camera === undefined) return undefined
  const start = Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`)
  return Number.isNaN(start) ? undefined : { camera: cameraKey(camera), start }
}

/**
 * The name of a segment while it is being written. It contains the id of the writing process.
 *
 * @param count unique per draft: after the clock was set back, two segments can begin at the same time
 */
export const draftOf = (file: string, writer: string, count: number): string => `${file}.${writer}-${count}.part`

const draftShape = /^(.+\.mp4)\.([0-9a-f]+)-\d+\.part$/

/** Parses the name of a draft; undefined if the name isn't one. */
export function draftNamed(name: string): { readonly file: string; readonly writer: string } | undefined {
  const [, file, writer] = draftShape.exec(name) ?? []
  return file !== undefined && writer !== undefined ? { file, writer } : undefined
}
