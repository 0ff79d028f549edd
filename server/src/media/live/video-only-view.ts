import type { Fragment } from '../mp4/fragment.ts'
import type { InitSegment } from '../mp4/init-segment.ts'
import { videoOnlyFragments } from '../mp4/video-only-fragments.ts'
import { videoOnlyInit } from '../mp4/video-only-init.ts'

/** A stream as viewers without the action `audio` get it (GRANT-2), made once for all of them. */
export interface VideoOnlyView {
  /** @throws Fmp4Error if any part of it is in doubt */
  init(original: InitSegment): InitSegment
  /**
   * @param of the original init segment of the fragment's stream
   * @returns no bytes for a fragment that contains only audio
   * @throws Fmp4Error if any part of it is in doubt
   */
  data(fragment: Fragment, of: InitSegment): Buffer
}

export function createVideoOnlyView(): VideoOnlyView {
  // Each is forgotten with its original.
  const inits = new WeakMap<InitSegment, InitSegment>()
  const fragments = new WeakMap<Fragment, Buffer>()
  return {
    init(original) {
      const made = inits.get(original) ?? videoOnlyInit(original)
      inits.set(original, made)
      return made
    },
    data(fragment, of) {
      const made = fragments.get(fragment) ?? videoOnlyFragments(fragment.data, of.tracks)
      fragments.set(fragment, made)
      return made
    },
  }
}
