import { IconMaximize, IconMinimize, IconPictureInPicture, IconVolume, IconVolumeOff } from '@tabler/icons-react'
import type { ReactNode, RefObject } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { IconButton } from '../ui/IconButton.tsx'
import classes from './SharedLinkPage.module.css'

interface StageControlsProps {
  readonly video: RefObject<HTMLVideoElement | null>
  /** undefined: there is no audio, or the link doesn't have it. */
  readonly audio: { readonly muted: boolean; readonly toggle: () => void } | undefined
  readonly fullscreen: boolean
  readonly onFullscreen: () => void
  /** Controls of this kind of link only. */
  readonly children?: ReactNode
}

/** The buttons over the video. */
export function StageControls({ video, audio, fullscreen, onFullscreen, children }: StageControlsProps) {
  const { sharedLink } = useTexts('shared-link')
  return (
    <div className={classes.controls} role="group" aria-label={sharedLink.controls}>
      {children ?? <span className={classes.spring} />}
      {audio && (
        <IconButton
          icon={audio.muted ? IconVolumeOff : IconVolume}
          label={audio.muted ? sharedLink.soundOn : sharedLink.soundOff}
          onClick={audio.toggle}
          variant="overlay"
          withinPortal={false}
        />
      )}
      {document.pictureInPictureEnabled && (
        <IconButton
          icon={IconPictureInPicture}
          label={sharedLink.pictureInPicture}
          onClick={() => void video.current?.requestPictureInPicture().catch(() => {})}
          variant="overlay"
          withinPortal={false}
        />
      )}
      <IconButton
        icon={fullscreen ? IconMinimize : IconMaximize}
        label={fullscreen ? sharedLink.leaveFullScreen : sharedLink.fullScreen}
        onClick={onFullscreen}
        variant="overlay"
        withinPortal={false}
      />
    </div>
  )
}
