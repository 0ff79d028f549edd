import { Loader } from '@mantine/core'
import {
  IconClockOff,
  IconLock,
  IconPlugConnectedX,
  IconTrash,
  IconVideoOff,
  type TablerIcon,
} from '@tabler/icons-react'
import type { ReactNode, RefObject } from 'react'
import { useTexts } from '../../i18n/texts.ts'
import classes from './RecordingStage.module.css'
import type { AccessLoss, RecordingState } from './recording-state.ts'

interface RecordingStageProps {
  /** Of `useRecordingPlayer`. */
  readonly video: RefObject<HTMLVideoElement | null>
  readonly still: RefObject<HTMLCanvasElement | null>
  readonly state: RecordingState
  /** Names the camera, for tests. */
  readonly name?: string | undefined
  /** Accessible name of the video. */
  readonly label: string
  /** Displays no messages. */
  readonly preview?: boolean
  /** Alternative shown if the browser cannot play the video, for example a link to the file. */
  readonly unplayable?: ReactNode
}

/** Recorded video, with an overlay that says why it cannot be shown. */
export function RecordingStage(props: RecordingStageProps) {
  const { video, still, state, name, label, preview = false, unplayable } = props
  return (
    <div className={classes.stage} data-recording={name} data-state={state.kind}>
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
      return <Ended reason={state.reason} />
  }
}

/** Says in the place of a video or thumbnail why its camera can no longer be seen. */
export function Ended({ reason }: { reason: AccessLoss }) {
  const { playback } = useTexts('playback')
  if (reason === 'session') return null
  return reason === 'missing' ? (
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
