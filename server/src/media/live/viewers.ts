import { Fmp4Error } from '../mp4/box.ts'
import type { Fragment } from '../mp4/fragment.ts'
import type { InitSegment } from '../mp4/init-segment.ts'
import type { RetainedStream } from './retained-stream-state.ts'
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

/** The viewers of one stream, each of whom gets it at their own pace. */
export interface Viewers {
  /**
   * @param notice sent to the viewer if there is no video yet
   * @param audio false: the viewer gets no audio (GRANT-2)
   */
  join(viewer: Viewer, notice: string, audio: boolean, stream: RetainedStream): void
  /** A stream begins: each viewer waits for its first key frame. */
  begin(): void
  /** @param stream with the fragment */
  push(fragment: Fragment, stream: RetainedStream): void
  /** The stream has ended; the viewers stay. */
  end(notice: string): void
  close(code: number, reason: string): void
  readonly count: number
}

interface Seat {
  readonly audio: boolean
  /** The init segment sent last. */
  init: InitSegment | undefined
  /** Whether the viewer gets every fragment; otherwise it waits for the next key frame. */
  flowing: boolean
}

export function createViewers(): Viewers {
  const seats = new Map<Viewer, Seat>()
  const videoOnly = createVideoOnlyView()

  const introduce = (viewer: Viewer, seat: Seat, init: InitSegment): void => {
    if (seat.init === init) return
    const { mime, data } = seat.audio ? init : videoOnly.init(init)
    viewer.send(JSON.stringify({ mime }))
    viewer.send(data)
    seat.init = init
  }
  const show = (viewer: Viewer, { audio }: Seat, init: InitSegment, fragments: readonly Fragment[]): void => {
    for (const fragment of fragments) {
      const data = audio ? fragment.data : videoOnly.data(fragment, init)
      if (data.length > 0) viewer.send(data)
    }
  }
  const pushTo = (viewer: Viewer, seat: Seat, fragment: Fragment, stream: RetainedStream): void => {
    if (stream.state === 'no-stream') return
    const { init } = stream
    if (seat.flowing) {
      if (viewer.waiting <= waitingLimit) show(viewer, seat, init, [fragment])
      else seat.flowing = false
    } else if (fragment.key && viewer.waiting <= waitingLimit / 4) {
      introduce(viewer, seat, init)
      show(viewer, seat, init, stream.state === 'retained' ? stream.fragments : [fragment])
      seat.flowing = true
    }
  }
  /** A stream whose audio can't be taken out is not sent to those who may not hear it. */
  const reject = (viewer: Viewer, error: unknown): void => {
    if (!(error instanceof Fmp4Error)) throw error
    seats.delete(viewer)
    viewer.close(1011, 'audio cannot be removed')
  }

  return {
    join(viewer, notice, audio, stream) {
      const seat: Seat = { audio, init: undefined, flowing: false }
      seats.set(viewer, seat)
      viewer.onClose(() => seats.delete(viewer))
      if (stream.state === 'no-stream' || stream.state === 'awaiting-key-frame') return viewer.send(notice)
      try {
        introduce(viewer, seat, stream.init)
        if (stream.state === 'overgrown') return
        show(viewer, seat, stream.init, stream.fragments)
        seat.flowing = true
      } catch (error) {
        reject(viewer, error)
      }
    },
    begin() {
      for (const seat of seats.values()) seat.flowing = false
    },
    push(fragment, stream) {
      for (const [viewer, seat] of seats) {
        try {
          pushTo(viewer, seat, fragment, stream)
        } catch (error) {
          reject(viewer, error)
        }
      }
    },
    end(notice) {
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
    get count() {
      return seats.size
    },
  }
}
