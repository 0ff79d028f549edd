import { join } from 'node:path'
import { createFmp4Parser, Fmp4Error } from '../media/fmp4.ts'
import { readFile, stat } from '../shared/media-disk.ts'
import type { NewSegment } from './recording-store.ts'
import { segmentNamed } from './segment-name.ts'

/** Bytes of a file that is read at once. None that we write comes near. */
const largest = 512 << 20

interface Inside {
  readonly initBytes: number
  /** Bytes of whole boxes, from the beginning. */
  readonly bytes: number
  /** Seconds of the pictures in it. */
  readonly duration: number
}

/**
 * What a recorded file says of itself.
 *
 * @param file below the folder
 * @returns undefined where no picture of it can be played
 */
export async function segmentOf(
  folder: string,
  file: string,
): Promise<(NewSegment & Pick<Inside, 'bytes'>) | undefined> {
  const named = segmentNamed(file)
  const inside = named && (await probeSegment(join(folder, file)))
  if (!named || !inside) return undefined
  const { initBytes, bytes, duration } = inside
  const { camera, start } = named
  return { camera, start, end: Math.round(start + duration * 1000), bytes, initBytes, motion: 0, run: start, file }
}

/** Reads as far as there are whole boxes; undefined where that is no picture. */
export async function probeSegment(path: string): Promise<Inside | undefined> {
  const { size } = await stat(path)
  if (size > largest) return undefined
  const data = await readFile(path)
  let initBytes = 0
  let bytes = 0
  let from: number | undefined
  let to = 0
  const parser = createFmp4Parser({
    init(segment) {
      initBytes = segment.data.length
      bytes = initBytes
    },
    fragment({ data: { length }, video, key, time, duration }) {
      bytes += length
      if (!video) return
      if (from === undefined && !key) throw new Fmp4Error('it does not begin with a key frame')
      from ??= time
      to = Math.max(to, time + duration)
    },
  })
  try {
    parser.write(data)
  } catch (error) {
    if (!(error instanceof Fmp4Error) || from === undefined) return undefined
  }
  return from === undefined ? undefined : { initBytes, bytes, duration: to - from }
}
