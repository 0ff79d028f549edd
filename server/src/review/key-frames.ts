import type { Fragment } from '../media/mp4/fragment.ts'
import type { InitSegment } from '../media/mp4/init-segment.ts'
import type { Frame } from '../media/ffmpeg/jpeg-encoder.ts'
import type { StreamConsumer } from '../media/stream-consumer.ts'

/** Number of key frames held per camera, without and with motion. */
const held = { idle: 1, moving: 4 }

export interface KeyFrames extends StreamConsumer {
  /**
   * The key frame nearest to a time, during the motion if there is one. Times are Unix milliseconds.
   *
   * @param from start of the motion
   * @param to end of the motion so far
   */
  of(moment: number, from: number, to: number): Frame | undefined
  /** Holds the key frames nearest to `moment`; undefined: holds the newest. */
  hold(moment: number | undefined): void
}

/** Milliseconds by which the time of a key frame can be wrong. */
const slack = 500

/** The last key frames of a live stream, in memory. Their buffers are shared with live viewers. */
export function createKeyFrames(): KeyFrames {
  let init: InitSegment | undefined
  let frames: readonly Frame[] = []
  let requested: number | undefined

  const keep = (all: readonly Frame[]): void => {
    const moment = requested
    if (all.length <= (moment === undefined ? held.idle : held.moving)) return void (frames = all)
    // The newest frame stays, because the next peak may be now.
    const [oldest, ...others] = all.slice(0, -1)
    const furthest = others.reduce(
      (one, other) =>
        moment !== undefined && one && Math.abs(other.at - moment) > Math.abs(one.at - moment) ? other : one,
      oldest,
    )
    frames = all.filter((each) => each !== furthest)
  }

  return {
    begin(next) {
      init = next
      // The old frames may be from another source.
      frames = []
    },
    fragment({ video, key, data }: Fragment, now: number) {
      if (video && key && init) keep([...frames, { mp4: [init.data, data], at: now }])
    },
    end() {
      init = undefined
    },
    hold(moment) {
      requested = moment
      if (moment === undefined) frames = frames.slice(-held.idle)
    },
    of(moment, from, to) {
      const within = frames.filter(({ at }) => at >= from - slack && at <= to + slack)
      const [first, ...others] = within.length > 0 ? within : frames
      if (!first) return undefined
      return others.reduce(
        (best, each) => (Math.abs(each.at - moment) < Math.abs(best.at - moment) ? each : best),
        first,
      )
    },
  }
}
