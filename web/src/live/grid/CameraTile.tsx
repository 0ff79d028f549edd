import {
  IconAlertTriangle,
  IconArrowsDiagonal,
  IconHistory,
  IconPhoto,
  IconPlayerPlayFilled,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { Camera } from '../../../../server/src/api-types.ts'
import { notRecordingReason } from '../../api/translate-message.ts'
import { useTexts } from '../../i18n/texts.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { titleOf } from '../../cameras/queries.ts'
import { useCan } from '../../session/session.ts'
import classes from './CameraTile.module.css'
import { LiveVideo } from '../LiveVideo.tsx'
import type { LiveState } from '../../player/live/player-types.ts'
import { stateText } from '../state-text.ts'
import { useLive } from '../useLive.ts'
import { useInView } from '../../player/useInView.ts'
import type { TileHandlers } from './usePlayingTiles.ts'

interface CameraTileProps extends TileHandlers {
  readonly camera: Camera
  /** false: the tile shows snapshots until it is tapped. */
  readonly plays: boolean
  /** The tile plays because the user tapped it. */
  readonly tapped: boolean
  /** Pixels, of the snapshots. */
  readonly height: number
  /** The permission for this camera has ended. */
  readonly onEnded: (camera: string) => void
}

/** One camera in the grid. Links to the camera's page once it plays. */
export function CameraTile({ camera, plays, tapped, height, onTap, onSeen, onEnded }: CameraTileProps) {
  const texts = useTexts('live', 'reasons')
  const { live } = texts
  const notice = useId()
  const trouble = useId()
  const tile = useRef<HTMLDivElement>(null)
  const whole = useRef<HTMLAnchorElement & HTMLButtonElement>(null)
  const seen = useInView(tile)
  const isEnabled = camera.state !== 'disabled'
  const [video, played] = useLive({ camera: camera.name, enabled: plays && isEnabled, seen, muted: true })
  const state = plays ? played : withoutPlaying(camera)
  useTileEvents({ seen, onSeen: (now) => onSeen(camera, now), state, onEnded: () => onEnded(camera.name) })

  const tap = (play: boolean) => {
    flushSync(() => onTap(camera, play))
    // The clicked button is replaced by another one: focus moves to the tile, so that keyboard users keep their place.
    whole.current?.focus({ preventScroll: true })
  }

  const reason = notRecordingReason(camera, texts)
  const label = live.tile({ title: titleOf(camera), state: stateText(camera, state, live.states) })
  const isPlayable = !plays && (state.kind === 'snapshots' || state.kind === 'connecting')
  const shared = {
    ref: whole,
    className: classes.whole,
    'data-tile': true,
    'aria-describedby': reason === undefined ? notice : `${notice} ${trouble}`,
  }

  return (
    <div ref={tile} className={classes.tile} data-camera={camera.name} data-state={isEnabled ? state.kind : 'disabled'}>
      <LiveVideo id={notice} camera={camera} video={video} state={state} height={height} seen={seen} />
      <TileLabel camera={camera} reason={reason} id={trouble} />
      {isPlayable ? (
        <button {...shared} type="button" aria-label={live.play({ tile: label })} onClick={() => tap(true)}>
          <span className={classes.play}>
            <IconPlayerPlayFilled size={22} aria-hidden />
          </span>
        </button>
      ) : (
        <Link {...shared} to="/cameras/$camera" params={{ camera: camera.name }} aria-label={label} />
      )}
      <TileButtons camera={camera} canOpen={isPlayable} onStop={plays && tapped ? () => tap(false) : undefined} />
    </div>
  )
}

interface TileEventsProps {
  readonly seen: boolean
  readonly onSeen: (seen: boolean) => void
  readonly state: LiveState
  readonly onEnded: () => void
}

/** Reports that the tile came into view or left it, and that the permission ended. */
function useTileEvents({ seen, onSeen, state, onEnded }: TileEventsProps): void {
  const notifySeen = useEffectEvent(onSeen)
  useEffect(() => notifySeen(seen), [seen])
  const isLost = state.kind === 'ended' && state.reason === 'permission'
  const notifyEnded = useEffectEvent(onEnded)
  useEffect(() => {
    if (isLost) notifyEnded()
  }, [isLost])
}

interface TileLabelProps {
  readonly camera: Camera
  /** Why the camera isn't recorded, although it should be. */
  readonly reason: string | undefined
  /** The id of the element with the reason. */
  readonly id: string
}

function TileLabel({ camera, reason, id }: TileLabelProps) {
  const { live } = useTexts('live')
  return (
    <span className={classes.label}>
      <span className={classes.who}>
        <span className={classes.dot} aria-hidden />
        <span className={classes.title}>{titleOf(camera)}</span>
      </span>
      {reason !== undefined && (
        <span id={id} className={classes.trouble}>
          <IconAlertTriangle size={16} aria-hidden />
          <span>{live.notRecording({ reason })}</span>
        </span>
      )}
    </span>
  )
}

interface TileButtonsProps {
  readonly camera: Camera
  /** The tile itself plays when tapped, so that another button opens the camera's page. */
  readonly canOpen: boolean
  /** Stops a video that the user started; undefined if there is none. */
  readonly onStop: (() => void) | undefined
}

function TileButtons({ camera, canOpen, onStop }: TileButtonsProps) {
  const { live, menu, label } = useTexts('live')
  const hasHistory = useCan('history')
  const title = titleOf(camera)
  return (
    <>
      {canOpen && (
        <IconButton
          className={classes.corner}
          icon={IconArrowsDiagonal}
          label={live.open({ title })}
          variant="overlay"
          withinPortal={false}
          renderRoot={(props) => <Link {...props} to="/cameras/$camera" params={{ camera: camera.name }} />}
        />
      )}
      {hasHistory && (
        <IconButton
          className={classes.history}
          icon={IconHistory}
          label={menu.history}
          aria-label={label({ what: menu.history }) + title}
          variant="overlay"
          withinPortal={false}
          renderRoot={(props) => <Link {...props} to="/history" search={{ camera: camera.name }} />}
        />
      )}
      {onStop && (
        <IconButton
          className={classes.corner}
          icon={IconPhoto}
          label={live.unplay({ title })}
          variant="overlay"
          withinPortal={false}
          onClick={onStop}
        />
      )}
    </>
  )
}

/** The live state of a tile that does not play, from the camera's own state. */
function withoutPlaying({ state, detail, reason }: Camera): LiveState {
  if (state === 'offline') return { kind: 'offline', detail, reason }
  return { kind: state === 'connecting' ? 'connecting' : 'snapshots' }
}
