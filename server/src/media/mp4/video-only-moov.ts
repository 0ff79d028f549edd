import { bodiesIn, boxesIn, Fmp4Error, headerSize, makeBox, typeOf, type Box } from './box.ts'
import { readTracks } from './init-segment.ts'

const [trak, mvex, trex, iods] = [typeOf('trak'), typeOf('mvex'), typeOf('trex'), typeOf('iods')]

/**
 * A `moov` with its video tracks only. Left out are every other `trak` with its `trex`, and `iods`, whose profile levels
 * describe the audio; all other boxes are copied byte for byte. Its positions of samples in the file stay as they were.
 *
 * @param moov the whole box
 * @returns `moov` itself if all of its tracks are video
 * @throws Fmp4Error for a `moov` without video, or with a video track that some reader can take for audio
 */
export function videoOnlyMoov(moov: Buffer): Buffer {
  const tracks = readTracks(moov)
  const boxes = boxesIn(moov, headerSize, moov.length)
  // Both are in the order of the file.
  const traks = boxes.filter(({ type }) => type === trak)
  const videos = traks.filter((_, i) => tracks[i]?.kind === 'video')
  const ids = new Set(tracks.filter(({ kind }) => kind === 'video').map(({ id }) => id))
  if (new Set(tracks.map(({ id }) => id)).size < tracks.length) throw new Fmp4Error('two tracks with one id')
  if (videos.length === 0) throw new Fmp4Error('no video track')
  for (const { body, end } of videos) requireUnambiguous(moov.subarray(body, end))
  if (videos.length === tracks.length) return moov

  const bytesOf = ({ start, end }: Box): Buffer => moov.subarray(start, end)
  const isKept = (box: Box): boolean => box.type !== iods && (box.type !== trak || videos.includes(box))
  const isKeptInMvex = ({ type, body }: Box): boolean => type !== trex || ids.has(moov.readUInt32BE(body + 4))
  const mvexOf = ({ body, end }: Box): Buffer =>
    makeBox('mvex', ...boxesIn(moov, body, end).filter(isKeptInMvex).map(bytesOf))
  return makeBox('moov', ...boxes.filter(isKept).map((box) => (box.type === mvex ? mvexOf(box) : bytesOf(box))))
}

/** Readers differ in which of two boxes they believe, so what makes a track video must be there exactly once. */
function requireUnambiguous(trak: Buffer): void {
  for (const path of [['tkhd'], ['mdia', 'hdlr'], ['mdia', 'minf', 'vmhd'], ['mdia', 'minf', 'stbl', 'stsd']]) {
    let body = trak
    for (const letters of path) {
      const [first, second] = bodiesIn(body, letters)
      if (!first || second) throw new Fmp4Error(`a video track ${first ? 'with two' : 'without'} ${letters}`)
      body = first
    }
  }
}
