import type { Clock } from '../../shared/clock.ts'
import type { Broadcaster } from './broadcaster.ts'
import { createFmp4Parser, type Fmp4Receiver } from '../mp4/fmp4-parser.ts'
import { parameterSetsIn, type Fragment } from '../mp4/fragment.ts'
import type { InitSegment, Track } from '../mp4/init-segment.ts'
import { StreamError, SoundRefusal, type Output, type Sink } from '../ffmpeg/output.ts'
import { streamProblem } from '../ffmpeg/reason.ts'
import { createAudioAligner, type AudioAligner } from './audio-aligner.ts'
import { playableSound, soundArgs, soundOf, type SoundMode } from '../ffmpeg/audio.ts'

/** Detected properties of a stream. */
export interface StreamFacts {
  /** `1280x720`. */
  readonly resolution: string
  /** Frames per second, once a few frames have arrived. */
  readonly fps: number | null
  readonly codec: string
}

export interface LiveOutputDeps {
  readonly broadcaster: Broadcaster
  readonly clock: Clock
  /** Audio mode; with `none`, the audio output is not requested. */
  readonly mode: SoundMode
  readonly onPicture: () => void
  /** Called when a key frame has arrived, and again when more is known. */
  readonly onStream: (facts: StreamFacts) => void
}

/** Codecs that Media Source Extensions can play in some browser. */
const playable = /^(avc|hvc|hev|av01|vp09)/

/** Milliseconds for which the first frames wait for the first audio, so that both begin together. */
const soundGrace = 800

/**
 * Milliseconds without output after which transcoding the audio to AAC is abandoned: until then ffmpeg holds back all
 * frames for it.
 */
const audioTimeout = 10_000

/** Seconds added to all times of both outputs, so that neither shifts its times to begin at 0. */
const offset = '1'

const together = [
  '-output_ts_offset',
  offset,
  '-avoid_negative_ts',
  'make_non_negative',
  '-flush_packets',
  '1',
  '-f',
  'mp4',
  '-movflags',
]

export interface LiveOutputs {
  /** fMP4 with a fragment per frame, so that a frame waits only for the next one. */
  readonly picture: Output
  /** fMP4 that declares the video track too, but contains only audio. */
  readonly sound: Output
}

/**
 * The live view of a stream: video, with audio if the source has any.
 *
 * ffmpeg writes the two separately, so that neither an audio codec nor missing audio can delay a frame. They are
 * combined here. The audio output declares both tracks in its init segment but drops the video; so its init segment
 * fits both outputs, and ffmpeg accepts it even if the source has no audio.
 */
export function liveOutputs({ broadcaster, clock, mode, onPicture, onStream }: LiveOutputDeps): LiveOutputs {
  let picture: InitSegment | undefined
  let track: Track | undefined
  let sets: Buffer | undefined
  let reported: number | null | undefined
  const pace = createRateSampler()

  /** The init segment of the audio; `none` once it is certain that there is no audio. */
  let sound: InitSegment | 'none' | undefined = mode === 'none' ? mode : undefined
  /** Exists once audio has arrived. */
  let lane: AudioAligner | undefined
  /** The init segment sent to viewers. */
  let begun: InitSegment | undefined
  let firstAt: number | undefined
  /** Fragments that wait for the start. */
  let early: Fragment[] = []

  const begin = (init: InitSegment): void => {
    begun = init
    broadcaster.begin(init)
    const waiting = early
    early = []
    for (const each of waiting) show(each)
  }

  const pass = (fragments: readonly Fragment[]): void => {
    for (const each of fragments) broadcaster.push(each, clock.now())
  }

  const show = (next: Fragment): void => {
    // Late audio is added at a key frame, where a player can start again anyway.
    if (next.key && lane && typeof sound === 'object' && begun !== sound) {
      begun = sound
      broadcaster.begin(sound)
    }
    pass([next])
    if (lane && begun === sound) pass(lane.keepUp(next.time + next.duration, clock.elapsed()))
    if (!track || !broadcaster.held || (reported !== undefined && !next.key)) return
    const fps = pace.fps()
    if (fps === reported) return
    reported = fps
    onStream({ resolution: `${track.width}x${track.height}`, fps, codec: track.codec })
  }

  const onFrame = (next: Fragment): void => {
    onPicture()
    pace.add(next.time)
    if (next.key && track) {
      const inside = parameterSetsIn(next, track.codec)
      // The first frames can differ from the init segment; only a change during the stream counts.
      if (sets && inside.length > 0 && !sets.equals(inside))
        throw new StreamError(streamProblem('video-format-changed'))
      if (inside.length > 0) sets = inside
    }
    const now = clock.elapsed()
    firstAt ??= now
    if (sound === undefined && now - firstAt > audioTimeout) throw new SoundRefusal('There is no sound to be made.')
    if (begun) return show(next)
    early.push(next)
    if (picture && (sound === 'none' || now - firstAt > soundGrace)) begin(picture)
  }

  const onSound = (next: Fragment): void => {
    if (typeof sound !== 'object' || !picture) return
    const received = soundOf(sound)
    if (!received) return
    lane ??= createAudioAligner(received)
    const fragments = lane.take(next, clock.elapsed())
    if (!begun && early.length > 0) begin(sound)
    if (begun === sound) pass(fragments)
  }

  return {
    picture: {
      args: (pipe) => {
        const flags = '+frag_every_frame+empty_moov+default_base_moof+frag_discont'
        return ['-map', '0:v:0', '-c:v', 'copy', ...together, flags, pipe]
      },
      open: () =>
        sinkOf({
          init(segment) {
            if (picture) throw new StreamError(streamProblem('video-format-changed'))
            picture = segment
            track = segment.tracks.find(({ kind }) => kind === 'video')
            if (!track) throw new StreamError(streamProblem('no-video'))
            if (!playable.test(track.codec)) {
              throw new StreamError(streamProblem('unplayable-video'))
            }
            if (sound === 'none') begin(segment)
          },
          fragment: onFrame,
        }),
    },
    sound: {
      args: (pipe) =>
        [
          ['-map', '0:v:0', '-c:v', 'copy', '-bsf:v', 'noise=drop=1', ...soundArgs(mode)],
          // Do not wait for video, which never arrives. Ten fragments per second are enough.
          ['-max_interleave_delta', '1', '-frag_duration', '100000'],
          [...together, '+empty_moov+default_base_moof+frag_discont', pipe],
        ].flat(),
      open: () =>
        sinkOf({
          init(segment) {
            const received = soundOf(segment)
            if (received && !playableSound(received)) throw new SoundRefusal('Browsers do not play this sound.')
            sound = received ? segment : 'none'
            if (!received && picture && !begun) begin(picture)
          },
          fragment: onSound,
        }),
    },
  }
}

/** A sink that ignores further input after an error. */
function sinkOf(receiver: Fmp4Receiver): Sink {
  const parser = createFmp4Parser(receiver)
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
}

/** Frames per second: the median step of the last few seconds, so that a hiccup does not count. */
function createRateSampler(): { add(time: number): void; fps(): number | null } {
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
