import { join } from 'node:path'
import { Fmp4Error } from '../../media/mp4/box.ts'
import { createFmp4Parser } from '../../media/mp4/fmp4-parser.ts'
import { readFile, stat } from '../../shared/storage/media-disk.ts'
import type { NewSegment } from '../index/recording-store.ts'
import { segmentNamed } from './segment-name.ts'

/** Maximum bytes of a file that is read into memory. Files written by the service are far smaller. */
const largest = 512 << 20

interface ProbedSegment {
  readonly initBytes: number
  /** Bytes of whole boxes from the beginning of the file. */
  readonly bytes: number
  /** Seconds of video. */
  readonly duration: number
}

/**
 * Reads a segment's data from its file and its name.
 *
 * @param file path relative to the folder
 * @returns undefined if the file has no playable video
 */
export async function segmentOf(
  folder: string,
  file: string,
): Promise<(NewSegment & Pick<ProbedSegment, 'bytes'>) | undefined> {
  const named = segmentNamed(file)
  const probed = named && (await probeSegment(join(folder, file)))
  if (!named || !probed) return undefined
  const { initBytes, bytes, duration } = probed
  const { camera, start } = named
  return { camera, start, end: Math.round(start + duration * 1000), bytes, initBytes, motion: 0, streamId: start, file }
}

/** Reads a file up to its last whole box; undefined if it has no playable video. */
export async function probeSegment(path: string): Promise<ProbedSegment | undefined> {
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
      if (from === undefined && !key) throw new Fmp4Error('the file does not begin with a key frame')
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
