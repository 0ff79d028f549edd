import { boxesIn, Fmp4Error, typeOf } from './box.ts'
import { readInitSegment, type InitSegment } from './init-segment.ts'
import { videoOnlyMoov } from './video-only-moov.ts'

const [ftyp, moov] = [typeOf('ftyp'), typeOf('moov')]

/**
 * An init segment without its audio tracks, for a caller without the action `audio` (GRANT-2). Its `mime` names only the
 * video codec.
 *
 * The fragments belong to the original: {@link videoOnlyFragments} needs its tracks.
 *
 * Called where an init segment is sent: `introduce` of the viewers, `init` of live HLS, `init.mp4` of a recorded
 * segment, and `createClip`, which also needs {@link padWithFree}. A response depends on the action, so its ETag must
 * too.
 *
 * @returns `init` itself if it has no audio
 * @throws Fmp4Error if it has no video, or if any part of it is ambiguous
 */
export function videoOnlyInit(init: InitSegment): InitSegment {
  const boxes = boxesIn(init.data, 0, init.data.length)
  const [first, second] = boxes
  if (boxes.length !== 2 || first?.type !== ftyp || second?.type !== moov) throw new Fmp4Error('no init segment')
  const whole = init.data.subarray(second.start, second.end)
  const stripped = videoOnlyMoov(whole)
  return stripped === whole ? init : readInitSegment(init.data.subarray(first.start, first.end), stripped)
}
