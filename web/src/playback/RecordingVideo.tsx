import { Loader } from '@mantine/core'
import {
  IconClockOff,
  IconLock,
  IconPlugConnectedX,
  IconTrash,
  IconVideoOff,
  type TablerIcon,
} from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { muteVideo } from './muting.ts'
import { signedOut } from '../api/api.ts'
import { useTexts } from '../i18n/texts.ts'
import classes from './RecordingVideo.module.css'
import { useAccessLoss } from './access-loss.ts'
import { createRecordingPlayer, type RecordingPlayer, type RecordingState } from './recording-player.ts'

interface RecordingVideoProps {
  readonly camera: string
  /** Accessible name of the video. */
  readonly label: string
  /** Unix seconds; playback stays within `from` and `to`. */
  readonly from: number
  readonly to: number
  /** Where to seek, Unix seconds. Each new object seeks, even to the same time. */
  readonly place: { readonly at: number }
  readonly playing: boolean
  /** 1 is the original speed. */
  readonly rate?: number
  readonly muted?: boolean
  /** The current playback time, several times per second. */
  readonly onTime?: (at: number) => void
  readonly onState?: (state: RecordingState) => void
  /** Nothing more to play from here: `to` is reached, or nothing was recorded for half an hour. */
  readonly onEnd?: (at: number) => void
  /** Shows a single frame, fetches no more than that takes, and displays no messages. */
  readonly preview?: boolean
  /** Alternative shown if the browser cannot play the video, for example a link to the file. */
  readonly unplayable?: ReactNode
}

/** A camera's recordings, with an overlay that says why they cannot be shown. */
export function RecordingVideo({
  camera,
  label,
  from,
  to,
  place,
  playing,
  rate = 1,
  muted = true,
  onTime,
  onState,
  onEnd,
  preview = false,
  unplayable,
}: RecordingVideoProps) {
  const video = useRef<HTMLVideoElement>(null)
  const still = useRef<HTMLCanvasElement>(null)
  const player = useRef<RecordingPlayer>(undefined)
  const [state, setState] = useState<RecordingState>({ kind: 'waiting' })

  const bounds = useEffectEvent(() => ({ from, to }))
  const reported = useEffectEvent((next: RecordingState) => {
    setState(next)
    onState?.(next)
    if (next.kind === 'ended' && next.why === 'session') signedOut()
  })
  const timed = useEffectEvent((at: number) => onTime?.(at))
  const ended = useEffectEvent((at: number) => onEnd?.(at))
  const begin = useEffectEvent((mine: RecordingPlayer) => {
    mine.setRate(rate)
    mine.setPlaying(playing)
    mine.goTo(place.at)
  })

  useEffect(() => {
    if (!video.current || !still.current) return undefined
    setState({ kind: 'waiting' })
    const mine = createRecordingPlayer({
      video: video.current,
      still: still.current,
      camera,
      sparing: preview,
      bounds: () => bounds(),
      onState: (next) => reported(next),
      onTime: (at) => timed(at),
      onEnd: (at) => ended(at),
    })
    begin(mine)
    player.current = mine
    return () => {
      player.current = undefined
      mine.stop()
    }
  }, [camera, preview])

  useAccessLoss(camera, (why) => player.current?.end(why))

  const first = useRef(place)
  useEffect(() => {
    if (first.current !== place) player.current?.goTo(place.at)
    first.current = place
  }, [place])
  useEffect(() => player.current?.setPlaying(playing), [playing])
  useEffect(() => player.current?.setRate(rate), [rate])
  useEffect(() => (video.current ? muteVideo(video.current, muted) : undefined), [muted])

  return (
    <div className={classes.stage} data-recording={preview ? undefined : camera} data-state={state.kind}>
      <video
        ref={video}
        className={classes.video}
        muted
        playsInline
        tabIndex={-1}
        aria-label={label}
        aria-hidden={preview}
      />
      <canvas ref={still} className={classes.video} width={0} height={0} aria-hidden />
      {!preview && <Notice state={state} unplayable={unplayable} />}
    </div>
  )
}

function Notice({ state, unplayable }: { state: RecordingState; unplayable: ReactNode }) {
  const { playback } = useTexts('playback')
  switch (state.kind) {
    case 'shown':
    case 'played':
      return null
    case 'waiting':
      return (
        <div className={classes.waiting} role="status">
          <Loader color="white" size="sm" type="oval" aria-hidden />
          <span className="visually-hidden">{playback.waiting}</span>
        </div>
      )
    case 'nothing':
      return <Explanation icon={IconClockOff} title={playback.nothing} />
    case 'gone':
      return <Explanation icon={IconTrash} title={playback.gone} body={playback.goneBody} />
    case 'lost':
      return <Explanation icon={IconPlugConnectedX} title={playback.lost} />
    case 'unsupported':
      return (
        <Explanation icon={IconVideoOff} title={playback.unsupported} body={playback.unsupportedBody}>
          {unplayable}
        </Explanation>
      )
    case 'broken':
      return (
        <Explanation icon={IconVideoOff} title={playback.broken}>
          {unplayable}
        </Explanation>
      )
    case 'ended':
      return <Ended why={state.why} />
  }
}

function Ended({ why }: { why: 'permission' | 'session' | 'missing' }) {
  const { playback } = useTexts('playback')
  if (why === 'session') return null
  return why === 'missing' ? (
    <Explanation icon={IconVideoOff} title={playback.missing} alert />
  ) : (
    <Explanation icon={IconLock} title={playback.ended} body={playback.endedBody} alert />
  )
}

interface ExplanationProps {
  readonly icon: TablerIcon
  readonly title: string
  readonly body?: string
  readonly alert?: boolean
  readonly children?: ReactNode
}

function Explanation({ icon: Icon, title, body, alert = false, children }: ExplanationProps) {
  return (
    <div className={classes.notice} role={alert ? 'alert' : 'status'}>
      <Icon size={26} stroke={1.5} aria-hidden />
      <strong>{title}</strong>
      {body && <span className={classes.detail}>{body}</span>}
      {children}
    </div>
  )
}
