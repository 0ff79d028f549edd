import type { Fragment, InitSegment } from './fmp4.ts'
import type { StreamConsumer } from './stream-consumer.ts'

/** Somebody who watches: of a WebSocket, what is needed here. */
export interface Viewer {
  send(data: string | Uint8Array): void
  /** Bytes accepted by {@link send} and not yet handed to the network. */
  readonly waiting: number
  onClose(done: () => void): void
  close(code: number, reason: string): void
}

/** Bytes that may wait for one viewer before the next pictures are left out. */
const waitingLimit = 1 << 20

/** What is kept for those who come later: from the last key frame on. Bytes, and seconds. */
const kept = { bytes: 8 << 20, seconds: 20 }

export interface Held {
  readonly init: InitSegment
  readonly key: Fragment
  /** Unix milliseconds at which the key frame came. */
  readonly at: number
}

export interface Broadcaster {
  /** @param noPicture what the viewer is told where there is no picture yet. */
  join(viewer: Viewer, noPicture: string): void
  begin(init: InitSegment): void
  push(fragment: Fragment, now: number): void
  /** The stream is over; viewers stay. */
  end(notice: string): void
  close(code: number, reason: string): void
  /** Takes the stream along, from the last key frame on where that is held. @returns what ends it */
  follow(tap: StreamConsumer): () => void
  /** The newest key frame. */
  readonly held: Held | undefined
  readonly viewers: number
}

interface Seat {
  /** The init segment that was sent last. */
  init: InitSegment | undefined
  /** Gets every fragment; otherwise it waits for the next key frame. */
  flowing: boolean
}

/**
 * Hands one stream to many viewers, each at its own pace.
 *
 * A viewer gets, in this order and again for every stream that begins:
 * a text frame `{"mime":"…"}`, the init segment, and fragments from a key frame on.
 * A `{"mime"}` therefore says: throw the old source buffer away. A viewer that is too slow loses pictures up to
 * the next key frame, so its media time jumps, and the service's memory does not grow.
 */
export function createBroadcaster(always: readonly StreamConsumer[] = []): Broadcaster {
  const taps = new Set(always)
  const seats = new Map<Viewer, Seat>()
  let init: InitSegment | undefined
  /** From the last key frame on; undefined where it grew too large to be kept. */
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
      // Sound that came before the picture it belongs to.
      const ahead = group?.filter(({ video, time, duration }) => !video && time + duration > fragment.time) ?? []
      group = [fragment, ...ahead]
      groupBytes = ahead.reduce((sum, { data }) => sum + data.length, fragment.data.length)
    } else if (group) {
      group.push(fragment)
      groupBytes += fragment.data.length
    }
    if (!group) return
    const tooLong = fragment.time - group[0]!.time > kept.seconds
    if (groupBytes > kept.bytes || tooLong) group = undefined
  }

  return {
    join(viewer, noPicture) {
      const seat: Seat = { init: undefined, flowing: false }
      seats.set(viewer, seat)
      viewer.onClose(() => seats.delete(viewer))
      if (!held) return viewer.send(noPicture)
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
      for (const tap of taps) tap.begin(next)
    },
    push(fragment, now) {
      if (!init) return
      for (const tap of taps) tap.fragment(fragment, now)
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
      if (init) for (const tap of taps) tap.end()
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
    follow(tap) {
      taps.add(tap)
      if (init) {
        tap.begin(init)
        for (const fragment of group ?? []) tap.fragment(fragment, held?.at ?? 0)
      }
      return () => void taps.delete(tap)
    },
    get held() {
      return held
    },
    get viewers() {
      return seats.size
    },
  }
}
