import {
  IconChevronLeft,
  IconChevronRight,
  IconLogin2,
  IconMaximize,
  IconMinimize,
  IconPlayerPause,
  IconPlayerPlay,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../i18n/texts.ts'
import { IconButton } from '../ui/IconButton.tsx'
import classes from './ScreenGrid.module.css'
import type { AutoFullscreen } from './useAutoFullscreen.ts'
import type { Rotation } from './useRotation.ts'

interface ScreenControlsProps {
  readonly name: string
  readonly pages: number
  readonly rotation: Rotation
  readonly fullscreen: AutoFullscreen
  /** Hidden without input, unless one of them has the focus. */
  readonly idle: boolean
}

/** What a person in front of the screen can do. */
export function ScreenControls({ name, pages, rotation, fullscreen, idle }: ScreenControlsProps) {
  const { screens, live } = useTexts('live', 'screens')
  const { page } = screens
  return (
    <div className={classes.controls} data-idle={idle || undefined}>
      <span className={classes.name}>{name}</span>
      {pages > 1 && (
        <>
          <Overlay icon={IconChevronLeft} label={page.previous} onClick={rotation.previous} mirrored />
          <span className={classes.page}>{page.pageOf({ page: rotation.page + 1, pages })}</span>
          <Overlay icon={IconChevronRight} label={page.next} onClick={rotation.next} mirrored />
          <Overlay
            icon={rotation.paused ? IconPlayerPlay : IconPlayerPause}
            label={rotation.paused ? page.rotate : page.pause}
            onClick={rotation.toggle}
          />
        </>
      )}
      <IconButton
        icon={IconLogin2}
        label={page.signIn}
        variant="overlay"
        withinPortal={false}
        renderRoot={(props) => <Link {...props} to="/login" />}
      />
      {fullscreen.possible && (
        <Overlay
          icon={fullscreen.active ? IconMinimize : IconMaximize}
          label={fullscreen.active ? live.leaveFullScreen : live.fullScreen}
          onClick={fullscreen.toggle}
        />
      )}
    </div>
  )
}

const Overlay = (props: Pick<Parameters<typeof IconButton>[0], 'icon' | 'label' | 'onClick' | 'mirrored'>) => (
  <IconButton {...props} variant="overlay" withinPortal={false} />
)
