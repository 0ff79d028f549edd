import type { Fragment } from '../mp4/fragment.ts'
import type { InitSegment } from '../mp4/init-segment.ts'
import type { StreamConsumer } from '../stream-consumer.ts'

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
  /** @param notice sent to the viewer if there is no video yet. */
  join(viewer: Viewer, notice: string): void
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

  const introduce = (viewer: Viewer, seat: Seat): void => {
    if (!init || seat.init === init) return
    viewer.send(JSON.stringify({ mime: init.mime }))
    viewer.send(init.data)
    seat.init = init
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

  return {
    join(viewer, notice) {
      const seat: Seat = { init: undefined, flowing: false }
      seats.set(viewer, seat)
      viewer.onClose(() => seats.delete(viewer))
      if (!held) return viewer.send(notice)
      introduce(viewer, seat)
      if (!group) return
      for (const fragment of group) viewer.send(fragment.data)
      seat.flowing = true
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
        if (seat.flowing) {
          if (viewer.waiting <= waitingLimit) viewer.send(fragment.data)
          else seat.flowing = false
        } else if (fragment.key && viewer.waiting <= waitingLimit / 4) {
          introduce(viewer, seat)
          for (const each of group ?? [fragment]) viewer.send(each.data)
          seat.flowing = true
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
