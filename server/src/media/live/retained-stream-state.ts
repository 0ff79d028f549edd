import type { Fragment } from '../mp4/fragment.ts'
import type { InitSegment } from '../mp4/init-segment.ts'

/** Limits of the fragments retained for those who join later, from the last key frame on. Bytes, and seconds. */
const limits = { bytes: 8 << 20, seconds: 20 }

export interface Held {
  readonly init: InitSegment
  readonly key: Fragment
  /** Arrival time of the key frame, Unix milliseconds. */
  readonly at: number
}

interface NoStream {
  readonly state: 'no-stream'
}
interface AwaitingKeyFrame {
  readonly state: 'awaiting-key-frame'
  readonly init: InitSegment
}
interface Retained {
  readonly state: 'retained'
  readonly init: InitSegment
  readonly held: Held
  /** From the last key frame on. At least one. */
  readonly fragments: readonly Fragment[]
  readonly bytes: number
}
/** Only the last key frame is retained, because too much followed it. */
interface Overgrown {
  readonly state: 'overgrown'
  readonly init: InitSegment
  readonly held: Held
}

/** What is retained of a stream, so that those who join later need not wait for the next key frame. */
export type RetainedStream = NoStream | AwaitingKeyFrame | Retained | Overgrown

export type RetainedStreamEvent =
  | { readonly kind: 'stream-began'; readonly init: InitSegment }
  /** `at`: arrival time, Unix milliseconds. */
  | { readonly kind: 'fragment-arrived'; readonly fragment: Fragment; readonly at: number }
  | { readonly kind: 'stream-ended' }

export const noStream: RetainedStream = { state: 'no-stream' }

/** The newest key frame. */
export const heldOf = (stream: RetainedStream): Held | undefined => ('held' in stream ? stream.held : undefined)

/** One step of what is retained. There are no effects. */
export function step(before: RetainedStream, event: RetainedStreamEvent): RetainedStream {
  switch (event.kind) {
    case 'stream-began':
      return { state: 'awaiting-key-frame', init: event.init }
    case 'fragment-arrived':
      if (before.state === 'no-stream') return before
      return event.fragment.key ? keyFrameArrived(before, event.fragment, event.at) : append(before, event.fragment)
    case 'stream-ended':
      return noStream
  }
}

function keyFrameArrived(before: Exclude<RetainedStream, NoStream>, key: Fragment, at: number): RetainedStream {
  const { init } = before
  // Audio that arrived before the video it belongs to.
  const ahead =
    before.state === 'retained'
      ? before.fragments.filter(({ video, time, duration }) => !video && time + duration > key.time)
      : []
  const fragments = [key, ...ahead]
  const bytes = fragments.reduce((sum, { data }) => sum + data.length, 0)
  return limited({ state: 'retained', init, held: { init, key, at }, fragments, bytes })
}

function append(before: Exclude<RetainedStream, NoStream>, fragment: Fragment): RetainedStream {
  if (before.state !== 'retained') return before
  const grown = { ...before, fragments: [...before.fragments, fragment], bytes: before.bytes + fragment.data.length }
  return fragment.time - before.held.key.time > limits.seconds ? overgrown(grown) : limited(grown)
}

const limited = (retained: Retained): RetainedStream => (retained.bytes > limits.bytes ? overgrown(retained) : retained)

const overgrown = ({ init, held }: Retained): RetainedStream => ({ state: 'overgrown', init, held })
