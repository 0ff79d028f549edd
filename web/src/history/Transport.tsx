import { NativeSelect } from '@mantine/core'
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
} from '@tabler/icons-react'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { timeOfDay } from '../lib/format-time.ts'
import { rates } from './player/useHistoryPlayer.ts'
import classes from './Transport.module.css'

interface TransportProps {
  readonly at: number
  readonly playing: boolean
  readonly rate: number
  /** undefined: the video has no audio. */
  readonly muted: boolean | undefined
  readonly marking: boolean
  readonly fullscreen: boolean
  readonly act: TransportActions
}

/** What the buttons do; undefined if that's not possible now. */
export interface TransportActions {
  readonly toggle: () => void
  readonly step: (seconds: number) => void
  readonly motion: (step: 1 | -1) => void
  readonly rate: (rate: number) => void
  readonly mute: () => void
  readonly zoomIn: (() => void) | undefined
  readonly zoomOut: (() => void) | undefined
  /** undefined if nothing can be done with a clip. */
  readonly mark: (() => void) | undefined
  /** undefined on phones, where only a video element can fill the screen. */
  readonly fullScreen: (() => void) | undefined
}

/** The buttons below the video; each has a keyboard shortcut too. */
export function Transport({ at, playing, rate, muted, marking, fullscreen, act }: TransportProps) {
  const { history, live } = useTexts('history', 'live')
  const locale = useLocale()

  return (
    <div className={classes.bar} role="group" aria-label={history.controls}>
      <div className={classes.group}>
        <span className={classes.clock} data-testid="clock">
          {timeOfDay(at, locale)}
        </span>
      </div>
      <PlayButtons playing={playing} act={act} />
      <div className={classes.group} data-end>
        <RateSelect rate={rate} onRate={act.rate} />
        {muted !== undefined && (
          <IconButton
            icon={muted ? IconVolumeOff : IconVolume}
            label={muted ? live.soundOn : live.soundOff}
            shortcut="M"
            onClick={act.mute}
            withinPortal={false}
          />
        )}
        <ZoomButton out act={act} only="wide" />
        <ZoomButton act={act} only="wide" />
        {act.mark && (
          <IconButton
            icon={IconScissors}
            label={history.mark}
            shortcut="I"
            aria-pressed={marking}
            variant={marking ? 'light' : 'subtle'}
            onClick={act.mark}
            withinPortal={false}
          />
        )}
        {act.fullScreen && (
          <IconButton
            icon={fullscreen ? IconMinimize : IconMaximize}
            label={fullscreen ? live.leaveFullScreen : live.fullScreen}
            shortcut="F"
            onClick={act.fullScreen}
            withinPortal={false}
          />
        )}
      </div>
    </div>
  )
}

function PlayButtons({ playing, act }: Pick<TransportProps, 'playing' | 'act'>) {
  const { history } = useTexts('history')
  return (
    <div className={classes.play}>
      <ZoomButton out act={act} only="narrow" />
      <IconButton
        icon={IconPlayerSkipBack}
        label={history.previousMotion}
        shortcut="P"
        onClick={() => act.motion(-1)}
        mirrored
        withinPortal={false}
      />
      <IconButton
        icon={IconRewindBackward5}
        label={history.back}
        shortcut="←"
        onClick={() => act.step(-5)}
        withinPortal={false}
      />
      <IconButton
        icon={playing ? IconPlayerPauseFilled : IconPlayerPlayFilled}
        label={playing ? history.pause : history.play}
        shortcut="K"
        aria-keyshortcuts="K Space"
        size={48}
        radius="xl"
        variant="filled"
        onClick={act.toggle}
        withinPortal={false}
      />
      <IconButton
        icon={IconRewindForward5}
        label={history.forward}
        shortcut="→"
        onClick={() => act.step(5)}
        withinPortal={false}
      />
      <IconButton
        icon={IconPlayerSkipForward}
        label={history.nextMotion}
        shortcut="N"
        onClick={() => act.motion(1)}
        mirrored
        withinPortal={false}
      />
      <ZoomButton act={act} only="narrow" />
    </div>
  )
}

interface ZoomButtonProps {
  readonly out?: boolean
  readonly act: TransportActions
  /** Shown on this kind of screen only; the other has the button elsewhere. */
  readonly only: 'wide' | 'narrow'
}

function ZoomButton({ out = false, act, only }: ZoomButtonProps) {
  const { history } = useTexts('history')
  return (
    <IconButton
      icon={out ? IconZoomOut : IconZoomIn}
      label={out ? history.zoomOut : history.zoomIn}
      shortcut={out ? '-' : '+'}
      onClick={out ? act.zoomOut : act.zoomIn}
      data-only={only}
      withinPortal={false}
    />
  )
}

function RateSelect({ rate, onRate }: { rate: number; onRate: (rate: number) => void }) {
  const { history } = useTexts('history')
  const locale = useLocale()
  return (
    <NativeSelect
      className={classes.rate}
      aria-label={history.speed}
      value={`${rate}`}
      data={rates.map((each) => ({
        value: `${each}`,
        label: history.times({ rate: new Intl.NumberFormat(locale).format(each) }),
      }))}
      onChange={({ currentTarget: { value } }) => onRate(Number(value))}
    />
  )
}
