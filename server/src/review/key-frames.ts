import type { Fragment, InitSegment } from '../media/fmp4.ts'
import type { Frame } from '../media/jpeg-encoder.ts'
import type { StreamConsumer } from '../media/stream-consumer.ts'

/** Key frames of one camera that are held: while nothing moves, and while something does. */
const held = { idle: 1, moving: 4 }

export interface KeyFrames extends StreamConsumer {
  /**
   * The one that shows a moment best: the nearest to it, within the time of movement if there is one.
   *
   * @param from when it began to move, Unix milliseconds
   * @param to when it moved last
   */
  of(moment: number, from: number, to: number): Frame | undefined
  /** While this is wanted, the nearest to it are held; otherwise the newest are. */
  hold(moment: number | undefined): void
}

/** Milliseconds by which the time of a key frame may be off. */
const slack = 500

/** The last key frames of a live stream, in memory: they are shared with those who watch. */
export function createKeyFrames(): KeyFrames {
  let init: InitSegment | undefined
  let frames: readonly Frame[] = []
  let requested: number | undefined

  const keep = (all: readonly Frame[]): void => {
    const moment = requested
    if (all.length <= (moment === undefined ? held.idle : held.moving)) return void (frames = all)
    // The newest stays: the next moment may be the one.
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
      // They may be of another source.
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
