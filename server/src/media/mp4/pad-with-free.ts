import { Fmp4Error, headerSize, makeBox } from './box.ts'

/**
 * Adds a `free` box, which players skip, so that the boxes of `data` take as many bytes as before something was removed.
 *
 * For a clip without audio: its size, and the place of every segment in it, are known without reading the segments, as a
 * response to a range request needs. `clip.ts` calls this for its init segment and for each part. The box shows the
 * bytes of audio in about ten seconds, which is not enough to tell what was said.
 *
 * @param size bytes of the result
 * @throws Fmp4Error if `data` is longer, or there is no space for the box
 */
export function padWithFree(data: Buffer, size: number): Buffer {
  if (data.length === size) return data
  const left = size - data.length - headerSize
  if (left < 0) throw new Fmp4Error(`${data.length} bytes that can't become ${size}`)
  return Buffer.concat([data, makeBox('free', Buffer.alloc(left))])
}
