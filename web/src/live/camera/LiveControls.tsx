import {
  IconCamera,
  IconChevronLeft,
  IconChevronRight,
  IconInfoCircle,
  IconMaximize,
  IconMinimize,
  IconPictureInPicture,
  IconVolume,
  IconVolumeOff,
} from '@tabler/icons-react'
import type { ComponentProps, RefObject } from 'react'
import { useTexts } from '../../i18n/texts.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import classes from './CameraPage.module.css'
import type { LiveState } from '../../player/live/player-types.ts'
import { saveSnapshot } from './save-snapshot.ts'

interface LiveControlsProps {
  readonly camera: string
  readonly video: RefObject<HTMLVideoElement | null>
  readonly state: LiveState
  readonly muted: boolean
  readonly fullscreen: boolean
  /** The id of the stream's details; undefined while they're closed. */
  readonly details: string | undefined
  readonly act: {
    /** undefined: there is only one camera. */
    readonly previous: (() => void) | undefined
    readonly next: (() => void) | undefined
    readonly toggleAudio: () => void
    readonly toggleDetails: () => void
    readonly toggleFullscreen: () => void
  }
}

/** The buttons over a live video. */
export function LiveControls({ camera, video, state, muted, fullscreen, details, act }: LiveControlsProps) {
  const { live } = useTexts('live')
  const isPlaying = state.kind === 'playing'
  return (
    <div className={classes.controls} role="group" aria-label={live.controls}>
      {act.previous && <Control icon={IconChevronLeft} label={live.previous} onClick={act.previous} />}
      {act.next && <Control icon={IconChevronRight} label={live.next} onClick={act.next} />}
      <span className={classes.spring} />
      {isPlaying && <AudioControl hasAudio={state.audio} muted={muted} onToggle={act.toggleAudio} />}
      {isPlaying && (
        <Control icon={IconCamera} label={live.snapshot} onClick={() => saveSnapshot(video.current, camera)} />
      )}
      {isPlaying && document.pictureInPictureEnabled && (
        <Control
          icon={IconPictureInPicture}
          label={live.pictureInPicture}
          onClick={() => void video.current?.requestPictureInPicture().catch(() => {})}
        />
      )}
      <Control
        icon={IconInfoCircle}
        label={details === undefined ? live.details.show : live.details.hide}
        onClick={act.toggleDetails}
        shortcut="I"
        aria-expanded={details !== undefined}
        {...(details !== undefined && { 'aria-controls': details })}
      />
      <Control
        icon={fullscreen ? IconMinimize : IconMaximize}
        label={fullscreen ? live.leaveFullScreen : live.fullScreen}
        onClick={act.toggleFullscreen}
        shortcut="F"
      />
    </div>
  )
}

function AudioControl(props: { readonly hasAudio: boolean; readonly muted: boolean; readonly onToggle: () => void }) {
  const { hasAudio, muted, onToggle } = props
  const { live } = useTexts('live')
  if (!hasAudio) return <Control icon={IconVolumeOff} label={live.noSound} />
  return (
    <Control
      icon={muted ? IconVolumeOff : IconVolume}
      label={muted ? live.soundOn : live.soundOff}
      onClick={onToggle}
      shortcut="M"
    />
  )
}

const Control = (props: ComponentProps<typeof IconButton>) => (
  <IconButton {...props} variant="overlay" withinPortal={false} />
)
