import type { KeyFrameOutput } from './key-frame-decoder.ts'

/** The filter that makes an image of a frame as a player shows it: scaled to square pixels, at most `height` high. */
export function imageFilter(height: number | undefined): string {
  const high = height === undefined ? 'ih' : `min(ih,${height})`
  // A multiple of two, as most encoders need it.
  return `scale='2*round(iw*sar*${high}/ih/2)':'${high}',setsar=1`
}

/** The quality of a JPEG. */
export const jpegQuality: readonly string[] = ['-q:v', '4']

/** JPEGs of the key frames of a live stream. What passes the key frames on decides which. */
export const jpegOutput = (height: number | undefined): KeyFrameOutput => ({
  decoder: ['-threads', '1'],
  encoder: [
    ['-map', '0:v:0', '-fps_mode', 'passthrough', '-threads', '1', '-filter_threads', '1'],
    ['-vf', `select=key,${imageFilter(height)}`, ...jpegQuality],
    ['-f', 'mpjpeg', '-flush_packets', '1', 'pipe:1'],
  ].flat(),
  splitter: createJpegSplitter,
  minInterval: 0,
  nice: false,
})

const headerEnd = Buffer.from('\r\n\r\n')

/** Maximum bytes of a header, which ffmpeg itself writes. */
const longestHeader = 1024

/** Cuts ffmpeg's multipart stream into JPEGs, by their lengths. After a bad header, everything is dropped. */
export function createJpegSplitter(onFrame: (jpeg: Buffer) => void): (chunk: Buffer) => void {
  let waiting: Buffer[] = []
  let held = 0
  /** Bytes from which more can be read. */
  let needed = 0
  let isBroken = false
  const next = (data: Buffer): Buffer | undefined => {
    const at = data.subarray(0, longestHeader).indexOf(headerEnd)
    if (at < 0) {
      isBroken = data.length >= longestHeader
      return undefined
    }
    const start = at + headerEnd.length
    const [, length] = /content-length: *(\d+)/i.exec(data.toString('latin1', 0, at)) ?? []
    if (length === undefined) {
      isBroken = true
      return undefined
    }
    const end = start + Number(length)
    if (data.length < end) {
      needed = end
      return undefined
    }
    onFrame(data.subarray(start, end))
    return data.subarray(end)
  }
  return (chunk) => {
    if (isBroken) return
    waiting.push(chunk)
    held += chunk.length
    if (held < needed) return
    needed = 0
    let rest: Buffer = Buffer.concat(waiting)
    for (let after = next(rest); after; after = next(rest)) rest = after
    waiting = isBroken ? [] : [rest]
    held = rest.length
  }
}
