import { Fmp4Error } from '../mp4/box.ts'
import type { Fragment } from '../mp4/fragment.ts'
import type { InitSegment } from '../mp4/init-segment.ts'
import type { StreamConsumer } from '../stream-consumer.ts'
import { createVideoOnlyView } from './video-only-view.ts'

/** A viewer: the part of a WebSocket that is needed here. */
export interface Viewer {
  send(data: string | Uint8Array): void
  /** Bytes accepted by {@link send} and not yet handed to the network. */
  readonly waiting: number
  onClose(done: () => void): void
  close(code: number, reason: string): void
}

/** Bytes queued for one viewer from which further frames are skipped. */
const waitingLimit = 1 << 20

/** Limits of the fragments retained for viewers who join later, from the last key frame on. Bytes, and seconds. */
const retained = { bytes: 8 << 20, seconds: 20 }

export interface Held {
  readonly init: InitSegment
  readonly key: Fragment
  /** Arrival time of the key frame, Unix milliseconds. */
  readonly at: number
}

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

interface Seat {
  readonly audio: boolean
  /** The init segment sent last. */
  init: InitSegment | undefined
  /** Whether the viewer gets every fragment; otherwise it waits for the next key frame. */
  flowing: boolean
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
  const seats = new Map<Viewer, Seat>()
  let init: InitSegment | undefined
  /** From the last key frame on; undefined if it grew too large to keep. */
  let group: Fragment[] | undefined
  let groupBytes = 0
  let held: Held | undefined

  const videoOnly = createVideoOnlyView()

  const introduce = (viewer: Viewer, seat: Seat): void => {
    if (!init || seat.init === init) return
    const { mime, data } = seat.audio ? init : videoOnly.init(init)
    viewer.send(JSON.stringify({ mime }))
    viewer.send(data)
    seat.init = init
  }
  const show = (viewer: Viewer, { audio }: Seat, fragments: readonly Fragment[]): void => {
    for (const fragment of fragments) {
      const data = audio || !init ? fragment.data : videoOnly.data(fragment, init)
      if (data.length > 0) viewer.send(data)
    }
  }
  /** A stream whose audio can't be taken out is not sent to those who may not hear it. */
  const reject = (viewer: Viewer, error: unknown): void => {
    if (!(error instanceof Fmp4Error)) throw error
    seats.delete(viewer)
    viewer.close(1011, 'audio cannot be removed')
  }

  const keep = (fragment: Fragment, now: number): void => {
    if (fragment.key && init) {
      held = { init, key: fragment, at: now }
      // Audio that arrived before the video it belongs to.
      const ahead = group?.filter(({ video, time, duration }) => !video && time + duration > fragment.time) ?? []
      group = [fragment, ...ahead]
      groupBytes = ahead.reduce((sum, { data }) => sum + data.length, fragment.data.length)
    } else if (group) {
      group.push(fragment)
      groupBytes += fragment.data.length
    }
    if (!group) return
    const tooLong = fragment.time - group[0]!.time > retained.seconds
    if (groupBytes > retained.bytes || tooLong) group = undefined
  }

  const pushTo = (viewer: Viewer, seat: Seat, fragment: Fragment): void => {
    if (seat.flowing) {
      if (viewer.waiting <= waitingLimit) show(viewer, seat, [fragment])
      else seat.flowing = false
    } else if (fragment.key && viewer.waiting <= waitingLimit / 4) {
      introduce(viewer, seat)
      show(viewer, seat, group ?? [fragment])
      seat.flowing = true
    }
  }

  return {
    join(viewer, notice, audio) {
      const seat: Seat = { audio, init: undefined, flowing: false }
      seats.set(viewer, seat)
      viewer.onClose(() => seats.delete(viewer))
      if (!held) return viewer.send(notice)
      try {
        introduce(viewer, seat)
        if (!group) return
        show(viewer, seat, group)
        seat.flowing = true
      } catch (error) {
        reject(viewer, error)
      }
    },
    begin(next) {
      init = next
      group = undefined
      held = undefined
      for (const seat of seats.values()) seat.flowing = false
      for (const consumer of consumers) consumer.begin(next)
    },
    push(fragment, now) {
      if (!init) return
      for (const consumer of consumers) consumer.fragment(fragment, now)
      keep(fragment, now)
      for (const [viewer, seat] of seats) {
        try {
          pushTo(viewer, seat, fragment)
        } catch (error) {
          reject(viewer, error)
        }
      }
    },
    end(notice) {
      if (init) for (const consumer of consumers) consumer.end()
      init = undefined
      group = undefined
      held = undefined
      for (const [viewer, seat] of seats) {
        seat.flowing = false
        if (viewer.waiting <= waitingLimit) viewer.send(notice)
      }
    },
    close(code, reason) {
      const leaving = Array.from(seats.keys())
      seats.clear()
      for (const viewer of leaving) viewer.close(code, reason)
    },
    follow(consumer) {
      consumers.add(consumer)
      if (init) {
        consumer.begin(init)
        for (const fragment of group ?? []) consumer.fragment(fragment, held?.at ?? 0)
      }
      return () => void consumers.delete(consumer)
    },
    get held() {
      return held
    },
    get viewers() {
      return seats.size
    },
  }
}
