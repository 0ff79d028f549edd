import type { Clock } from '../../shared/time/clock.ts'
import { audioCodecArgs, type AudioMode } from '../ffmpeg/audio.ts'
import { AudioError, StreamError, type Output, type Sink } from '../ffmpeg/output.ts'
import { createFmp4Parser, type Fmp4Receiver } from '../mp4/fmp4-parser.ts'
import type { Track } from '../mp4/init-segment.ts'
import { silence } from '../mp4/silent-audio.ts'
import type { Broadcaster } from './broadcaster.ts'
import { openingWith, step, type LiveOutputEffect, type LiveOutputEvent } from './live-output-state.ts'

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
  readonly mode: AudioMode
  /** Whether ffmpeg doesn't know when to show the first frame, if the stream has B-frames. */
  readonly isFirstTimeUnknown: boolean
  readonly onFrame: (isKey: boolean) => void
  /** Called when a key frame has arrived, and again when more is known. */
  readonly onStream: (facts: StreamFacts) => void
}

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
  readonly video: Output
  /** fMP4 that declares the video track too, but contains only audio. */
  readonly audio: Output
}

/**
 * The live view of a stream: video, with audio if the source has any.
 *
 * ffmpeg writes the two separately, so that neither an audio codec nor missing audio can delay a frame. They are
 * combined here. The audio output declares both tracks in its init segment but drops the video; so its init segment
 * fits both outputs, and ffmpeg accepts it even if the source has no audio.
 *
 * The decisions are in `live-output-state.ts`.
 */
export function liveOutputs({
  broadcaster,
  clock,
  mode,
  isFirstTimeUnknown,
  onFrame,
  onStream,
}: LiveOutputDeps): LiveOutputs {
  let state = openingWith(mode === 'none' ? 'none' : 'requested')
  let reported: number | null | undefined
  const pace = createRateSampler()

  const dispatch = (event: LiveOutputEvent): void => {
    const { state: next, effects } = step(state, event, clock.elapsed())
    state = next
    for (const effect of effects) perform(effect)
  }
  const perform = (effect: LiveOutputEffect): void => {
    switch (effect.kind) {
      case 'begin':
        return broadcaster.begin(effect.init)
      case 'push':
        return broadcaster.push(effect.fragment, clock.now())
      case 'push-silence':
        return broadcaster.push(silence(effect.track, effect.from, effect.frames), clock.now())
      case 'report-stream':
        return report(effect.track, effect.key)
      case 'fail':
        throw new StreamError(effect.problem)
      case 'refuse-audio':
        throw new AudioError(effect.reason)
    }
  }
  const report = ({ width, height, codec }: Track, key: boolean): void => {
    if (!broadcaster.held || (reported !== undefined && !key)) return
    const fps = pace.fps()
    if (fps === reported) return
    reported = fps
    onStream({ resolution: `${width}x${height}`, fps, codec })
  }

  return {
    video: {
      args: (pipe) => videoArgs(pipe, isFirstTimeUnknown),
      open: () =>
        sinkOf({
          init: (init) => dispatch({ kind: 'video-described', init }),
          fragment(frame) {
            onFrame(frame.key)
            pace.add(frame.time)
            dispatch({ kind: 'frame-arrived', frame })
          },
        }),
    },
    audio: {
      args: (pipe) => audioArgs(pipe, mode),
      open: () =>
        sinkOf({
          init: (init) => dispatch({ kind: 'audio-described', init }),
          fragment: (audio) => dispatch({ kind: 'audio-arrived', audio }),
        }),
    },
  }
}

const videoArgs = (pipe: string, isFirstTimeUnknown: boolean): string[] => {
  const flags = '+frag_every_frame+empty_moov+default_base_moof+frag_discont'
  // Frames before the first key frame show that the camera is sending: key frames can be a minute apart.
  const copied = ['-map', '0:v:0', '-c:v', 'copy', '-copyinkf']
  return [...copied, ...(isFirstTimeUnknown ? ['-bsf:v', shownTimes] : []), ...together, flags, pipe]
}

/**
 * ffmpeg doesn't know when to show the first frame of an RTSP stream with B-frames, and the times of all frames would
 * count from there: it's shown when it's decoded. Not for a file that is repeated: ffmpeg 5 drops everything after the
 * first time.
 */
const shownTimes = String.raw`setts=pts=if(eq(PTS\,NOPTS)\,DTS\,PTS):dts=DTS`

const audioArgs = (pipe: string, mode: AudioMode): string[] =>
  [
    ['-map', '0:v:0', '-c:v', 'copy', '-bsf:v', 'noise=drop=1', ...audioCodecArgs(mode)],
    // Do not wait for video, which never arrives. Ten fragments per second are enough.
    ['-max_interleave_delta', '1', '-frag_duration', '100000'],
    [...together, '+empty_moov+default_base_moof+frag_discont', pipe],
  ].flat()

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
