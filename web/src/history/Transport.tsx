import { ActionIcon, NativeSelect, Tooltip } from '@mantine/core'
import {
  IconMaximize,
  IconMinimize,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBack,
  IconPlayerSkipForward,
  IconRewindBackward5,
  IconRewindForward5,
  IconScissors,
  IconVolume,
  IconVolumeOff,
  IconZoomIn,
  IconZoomOut,
  type TablerIcon,
} from '@tabler/icons-react'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { clockText } from './clock-text.ts'
import classes from './Transport.module.css'

/** Playback rates. */
export const rates = [0.5, 1, 2, 4, 8, 16] as const

interface TransportProps {
  readonly at: number
  readonly playing: boolean
  readonly rate: number
  /** undefined: the video has no audio. */
  readonly muted: boolean | undefined
  readonly marking: boolean
  readonly fullscreen: boolean
  readonly mayZoomIn: boolean
  readonly mayZoomOut: boolean
  readonly act: {
    readonly toggle: () => void
    readonly step: (seconds: number) => void
    readonly motion: (step: 1 | -1) => void
    readonly rate: (rate: number) => void
    readonly mute: () => void
    readonly zoom: (factor: number) => void
    readonly mark: () => void
    /** undefined on phones, where only a video element can fill the screen. */
    readonly fullScreen: (() => void) | undefined
  }
}

/** The buttons below the video; each has a keyboard shortcut too. */
export function Transport({
  at,
  playing,
  rate,
  muted,
  marking,
  fullscreen,
  mayZoomIn,
  mayZoomOut,
  act,
}: TransportProps) {
  const { history, live } = useTexts('history', 'live')
  const locale = useLocale()

  return (
    <div className={classes.bar} role="group" aria-label={history.controls}>
      <div className={classes.group}>
        <span className={classes.clock} data-testid="clock">
          {clockText(at, locale)}
        </span>
      </div>
      <div className={classes.play}>
        <Tool
          icon={IconZoomOut}
          label={history.zoomOut}
          keys="-"
          act={mayZoomOut ? () => act.zoom(2) : undefined}
          only="narrow"
        />
        <Tool icon={IconPlayerSkipBack} label={history.previousMotion} keys="P" act={() => act.motion(-1)} directed />
        <Tool icon={IconRewindBackward5} label={history.back} keys="←" act={() => act.step(-5)} />
        <Tooltip label={`${playing ? history.pause : history.play} (K)`} withinPortal={false}>
          <ActionIcon
            size={48}
            radius="xl"
            aria-label={playing ? history.pause : history.play}
            aria-keyshortcuts="K Space"
            onClick={act.toggle}
          >
            {playing ? <IconPlayerPauseFilled size={22} aria-hidden /> : <IconPlayerPlayFilled size={22} aria-hidden />}
          </ActionIcon>
        </Tooltip>
        <Tool icon={IconRewindForward5} label={history.forward} keys="→" act={() => act.step(5)} />
        <Tool icon={IconPlayerSkipForward} label={history.nextMotion} keys="N" act={() => act.motion(1)} directed />
        <Tool
          icon={IconZoomIn}
          label={history.zoomIn}
          keys="+"
          act={mayZoomIn ? () => act.zoom(0.5) : undefined}
          only="narrow"
        />
      </div>
      <div className={classes.group} data-end>
        <NativeSelect
          className={classes.rate}
          aria-label={history.speed}
          value={`${rate}`}
          data={rates.map((each) => ({
            value: `${each}`,
            label: history.times({ rate: new Intl.NumberFormat(locale).format(each) }),
          }))}
          onChange={({ currentTarget: { value } }) => act.rate(Number(value))}
        />
        {muted !== undefined && (
          <Tool
            icon={muted ? IconVolumeOff : IconVolume}
            label={muted ? live.soundOn : live.soundOff}
            keys="M"
            act={act.mute}
          />
        )}
        <Tool
          icon={IconZoomOut}
          label={history.zoomOut}
          keys="-"
          act={mayZoomOut ? () => act.zoom(2) : undefined}
          only="wide"
        />
        <Tool
          icon={IconZoomIn}
          label={history.zoomIn}
          keys="+"
          act={mayZoomIn ? () => act.zoom(0.5) : undefined}
          only="wide"
        />
        <Tool icon={IconScissors} label={history.mark} keys="I" act={act.mark} pressed={marking} />
        {act.fullScreen && (
          <Tool
            icon={fullscreen ? IconMinimize : IconMaximize}
            label={fullscreen ? live.leaveFullScreen : live.fullScreen}
            keys="F"
            act={act.fullScreen}
          />
        )}
      </div>
    </div>
  )
}

interface ToolProps {
  readonly icon: TablerIcon
  readonly label: string
  readonly keys: string
  readonly act: (() => void) | undefined
  readonly pressed?: boolean
  /** The icon points along the time axis, which is mirrored in right-to-left languages. */
  readonly directed?: boolean
  /** Shown on this kind of screen only; the other has the button elsewhere. */
  readonly only?: 'wide' | 'narrow'
}

function Tool({ icon: Icon, label, keys, act, pressed, directed, only }: ToolProps) {
  return (
    <Tooltip label={`${label} (${keys})`} withinPortal={false}>
      <ActionIcon
        className={classes.tool}
        variant={pressed ? 'light' : 'subtle'}
        {...(!pressed && { color: 'gray' })}
        size={44}
        aria-label={label}
        aria-pressed={pressed}
        disabled={!act}
        onClick={act}
        data-directed={directed}
        data-only={only}
      >
        <Icon size={22} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
