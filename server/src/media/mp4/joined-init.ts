import { bodiesIn, bodyIn, Fmp4Error } from './box.ts'
import { initSegmentIn } from './init-segment.ts'

/**
 * Which of two init segments describes the fragments of both, for one file with one description of each track. The audio
 * can be missing in one of them: its fragments are then a gap in the audio.
 *
 * @returns `video` or `audio` if their tracks of that kind differ
 */
export function joinedInit(first: Buffer, second: Buffer): Buffer | 'video' | 'audio' {
  if (first.equals(second)) return first
  const [a, b] = [traksOf(first), traksOf(second)]
  if (!a || !b || !a.video.equals(b.video)) return 'video'
  if (b.rest.length === 0 || a.rest.equals(b.rest)) return first
  return a.rest.length === 0 ? second : 'audio'
}

/** The boxes of the video tracks and of the others; undefined if the init segment can't be read. */
function traksOf(init: Buffer): { readonly video: Buffer; readonly rest: Buffer } | undefined {
  try {
    const { data, tracks } = initSegmentIn(init)
    const traks = bodiesIn(bodyIn(data, 'moov') ?? Buffer.alloc(0), 'trak')
    // Both are in the order of the file.
    const all = (isVideo: boolean): Buffer =>
      Buffer.concat(traks.filter((_, index) => (tracks[index]?.kind === 'video') === isVideo))
    return { video: all(true), rest: all(false) }
  } catch (error) {
    if (error instanceof Fmp4Error) return undefined
    throw error
  }
}
