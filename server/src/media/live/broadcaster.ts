import type { Fragment } from '../mp4/fragment.ts'
import type { InitSegment } from '../mp4/init-segment.ts'
import type { StreamConsumer } from '../stream-consumer.ts'
import { heldOf, noStream, step, type Held, type RetainedStream } from './retained-stream-state.ts'
import { createViewers, type Viewer } from './viewers.ts'

export interface Broadcaster {
  /**
   * @param notice sent to the viewer if there is no video yet
   * @param audio false: the viewer gets no audio (GRANT-2)
   */
  join(viewer: Viewer, notice: string, audio: boolean): void
  begin(init: InitSegment): void
  push(fragment: Fragment, now: number): void
  /** Ends the stream; viewers stay connected. */
  end(notice: string): void
  close(code: number, reason: string): void
  /** Subscribes to the stream, from the last key frame on if it is kept. @returns a function that unsubscribes */
  follow(consumer: StreamConsumer): () => void
  /** The newest key frame. */
  readonly held: Held | undefined
  readonly viewers: number
}

/**
 * Sends one stream to many viewers, each at its own pace.
 *
 * A viewer gets, in this order and again for every stream that begins:
 * a text frame `{"mime":"…"}`, the init segment, and fragments from a key frame on.
 * So `{"mime"}` means: discard the old source buffer. A viewer that is too slow skips to the next key frame: its media
 * time jumps, and the service's memory does not grow.
 */
export function createBroadcaster(always: readonly StreamConsumer[] = []): Broadcaster {
  const consumers = new Set(always)
  const viewers = createViewers()
  let stream: RetainedStream = noStream

  return {
    join: (viewer, notice, audio) => viewers.join(viewer, notice, audio, stream),
    begin(init) {
      stream = step(stream, { kind: 'stream-began', init })
      viewers.begin()
      for (const consumer of consumers) consumer.begin(init)
    },
    push(fragment, now) {
      if (stream.state === 'no-stream') return
      for (const consumer of consumers) consumer.fragment(fragment, now)
      stream = step(stream, { kind: 'fragment-arrived', fragment, at: now })
      viewers.push(fragment, stream)
    },
    end(notice) {
      if (stream.state !== 'no-stream') for (const consumer of consumers) consumer.end()
      stream = step(stream, { kind: 'stream-ended' })
      viewers.end(notice)
    },
    close: viewers.close,
    follow(consumer) {
      consumers.add(consumer)
      if (stream.state !== 'no-stream') consumer.begin(stream.init)
      if (stream.state === 'retained') {
        for (const fragment of stream.fragments) consumer.fragment(fragment, stream.held.at)
      }
      return () => void consumers.delete(consumer)
    },
    get held() {
      return heldOf(stream)
    },
    get viewers() {
      return viewers.count
    },
  }
}
