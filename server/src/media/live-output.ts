import type { Clock } from '../shared/clock.ts'
import type { FanOut } from './fan-out.ts'
import { createFmp4Parser, parameterSetsIn, type Fragment, type InitSegment, type Track } from './fmp4.ts'
import { Refusal, type Output } from './output.ts'

/** What a stream turned out to be. */
export interface StreamFacts {
  /** `1280x720`. */
  readonly resolution: string
  /** Frames a second, once a few have come. */
  readonly fps: number | null
  readonly codec: string
}

export interface LiveOutputParts {
  readonly fanOut: FanOut
  readonly clock: Clock
  readonly onPicture: () => void
  /** A key frame is held; again when more is known. */
  readonly onStream: (facts: StreamFacts) => void
}

/** What Media Source Extensions can play somewhere. */
const playable = /^(avc|hvc|hev|av01|vp09)/

/** The live picture: fMP4 with a fragment for every frame, so that a frame waits for no other but the next. */
export const liveOutput = ({ fanOut, clock, onPicture, onStream }: LiveOutputParts): Output => ({
  args: (pipe) =>
    [
      ['-map', '0:v:0', '-c:v', 'copy', '-f', 'mp4'],
      ['-movflags', '+frag_every_frame+empty_moov+default_base_moof', '-flush_packets', '1', pipe],
    ].flat(),
  open() {
    let init: InitSegment | undefined
    let track: Track | undefined
    let sets: Buffer | undefined
    let told: number | null | undefined
    const pace = createPace()

    const fragment = (next: Fragment): void => {
      onPicture()
      if (next.video) pace.add(next.time)
      if (next.key && track) {
        const inside = parameterSetsIn(next, track.codec)
        // Its first frames may differ from what it announced; what counts is a change while it runs.
        if (sets && inside.length > 0 && !sets.equals(inside)) throw new Refusal('The camera changed its picture.')
        if (inside.length > 0) sets = inside
      }
      fanOut.push(next, clock.now())
      if (!track || !fanOut.held || (told !== undefined && !next.key)) return
      const fps = pace.fps()
      if (fps === told) return
      told = fps
      onStream({ resolution: `${track.width}x${track.height}`, fps, codec: track.codec })
    }

    const parser = createFmp4Parser({
      init(segment) {
        if (init) throw new Refusal('The camera changed its picture.')
        init = segment
        track = segment.tracks.find(({ kind }) => kind === 'video')
        if (!track) throw new Refusal('The source has no video.')
        if (!playable.test(track.codec)) {
          throw new Refusal('The source sends a kind of video that browsers do not play. Set the camera to H.264.')
        }
        fanOut.begin(segment)
      },
      fragment,
    })
    let refused = false
    return {
      write(chunk) {
        if (refused) return
        try {
          parser.write(chunk)
        } catch (error) {
          refused = true
          throw error
        }
      },
      end() {},
    }
  },
})

/** Frames a second: of the last few seconds, the middle one of the steps, so that a hiccup does not count. */
function createPace(): { add(time: number): void; fps(): number | null } {
  const steps: number[] = []
  let last: number | undefined
  return {
    add(time) {
      if (last !== undefined && time > last) steps.push(time - last)
      if (steps.length > 60) steps.shift()
      last = time
    },
    fps() {
      const middle = steps.toSorted((a, b) => a - b)[steps.length >> 1]
      return steps.length < 5 || middle === undefined ? null : Math.round(10 / middle) / 10
    },
  }
}
