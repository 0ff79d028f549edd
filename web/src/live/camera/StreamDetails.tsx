import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type RefObject } from 'react'
import { bitsPerSecond } from '../../lib/format-number.ts'
import type { Camera } from '../../../../server/src/api-types.ts'
import { noMotionReason, notRecordingReason } from '../../api/translate-message.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { codecName } from '../../lib/codec-name.ts'
import type { LiveState } from '../../player/live/player-types.ts'
import { statsQuery } from '../../cameras/queries.ts'
import { stateText } from '../state-text.ts'
import classes from './StreamDetails.module.css'

interface StreamDetailsProps {
  readonly id: string
  readonly camera: Camera
  readonly video: RefObject<HTMLVideoElement | null>
  readonly state: LiveState
}

/** What the service and this browser know about a stream. */
export function StreamDetails({ id, camera, video, state }: StreamDetailsProps) {
  const texts = useTexts('live', 'system', 'storage', 'reasons')
  const { live, system, storage, partsSeparator } = texts
  const locale = useLocale()
  const service = useQuery(statsQuery).data?.cameras.find(({ name }) => name === camera.name)
  const bitrate = service?.bitrate ?? null
  const played = usePlaybackStats(video)
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const seconds = (value: number) => live.details.seconds({ seconds: number.format(value) })
  const playing = state.kind === 'playing'
  const size = played.size ?? camera.resolution?.replace('x', ' × ')
  const notRecording = notRecordingReason(camera, texts)
  const noMotion = noMotionReason(camera, texts)

  const rows: readonly (readonly [string, string | undefined])[] = [
    [system.state, stateText(camera, state, live.states)],
    [
      system.video,
      [
        ...(camera.codec === null ? [] : [codecName(camera.codec)]),
        ...(size === undefined ? [] : [size]),
        ...(camera.fps === null ? [] : [system.fps({ rate: camera.fps })]),
      ].join(partsSeparator),
    ],
    [live.details.bitrate, bitrate === null ? undefined : bitsPerSecond(bitrate, locale)],
    [live.details.sound, playing ? audioText(state, live.details.noSound, live.details.withSound) : undefined],
    [live.details.way, playing ? live.details.ways[state.way] : undefined],
    [live.details.buffer, playing && played.ahead !== undefined ? seconds(played.ahead) : undefined],
    [
      live.details.dropped,
      playing && played.frames !== undefined
        ? live.details.droppedOf({ dropped: number.format(played.dropped), frames: number.format(played.frames) })
        : undefined,
    ],
    [system.viewers, service && number.format(service.viewers)],
    [
      live.details.recording,
      notRecording === undefined ? storage.states[camera.recording_state] : live.notRecording({ reason: notRecording }),
    ],
    [
      live.details.motion,
      noMotion === undefined
        ? live.details.motionStates[camera.motion_state]
        : live.details.motionPaused({ reason: noMotion }),
    ],
  ]

  return (
    <section id={id} className={classes.details} aria-label={live.details.title}>
      <dl>
        {rows.map(([name, value]) =>
          value === undefined || value === '' ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </section>
  )
}

function audioText(state: LiveState & { readonly kind: 'playing' }, none: string, unnamed: string): string {
  if (!state.audio) return none
  return state.audioCodec === undefined ? unnamed : codecName(state.audioCodec)
}

interface PlaybackStats {
  /** Size of the decoded video: `1280 × 720`. */
  readonly size: string | undefined
  /** Seconds buffered ahead of the playback position: the delay is at least that. */
  readonly ahead: number | undefined
  readonly frames: number | undefined
  readonly dropped: number
}

/** The browser's playback figures, read every second. */
function usePlaybackStats(video: RefObject<HTMLVideoElement | null>): PlaybackStats {
  const [played, setPlayed] = useState<PlaybackStats>({
    size: undefined,
    ahead: undefined,
    frames: undefined,
    dropped: 0,
  })
  useEffect(() => {
    const read = () => {
      const element = video.current
      if (!element) return
      const { buffered, currentTime, videoWidth, videoHeight } = element
      const quality = (element as Partial<HTMLVideoElement>).getVideoPlaybackQuality?.call(element)
      setPlayed({
        size: videoWidth > 0 ? `${videoWidth} × ${videoHeight}` : undefined,
        ahead: buffered.length > 0 ? Math.max(0, buffered.end(buffered.length - 1) - currentTime) : undefined,
        frames: quality?.totalVideoFrames,
        dropped: quality?.droppedVideoFrames ?? 0,
      })
    }
    read()
    const timer = setInterval(read, 1000)
    return () => clearInterval(timer)
  }, [video])
  return played
}
