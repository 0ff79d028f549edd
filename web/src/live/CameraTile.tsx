import { Tooltip } from '@mantine/core'
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
import type { Camera } from '../../../server/src/api-types.ts'
import { notRecordingReason } from '../api/translate-message.ts'
import { useTexts } from '../i18n/texts.ts'
import { titleOf } from '../cameras/queries.ts'
import classes from './CameraTile.module.css'
import { LiveVideo } from './LiveVideo.tsx'
import type { LiveState } from './player-types.ts'
import { stateText } from './state-text.ts'
import { useLive } from './useLive.ts'
import { useInView } from './useInView.ts'

interface CameraTileProps {
  readonly camera: Camera
  /** false: the tile shows snapshots until it is tapped. */
  readonly plays: boolean
  /** The tile plays because the user tapped it. */
  readonly tapped: boolean
  /** Pixels, of the snapshots. */
  readonly height: number
  readonly onTap: (camera: Camera, play: boolean) => void
  readonly onSeen: (camera: Camera, seen: boolean) => void
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
  const [video, played] = useLive({
    camera: camera.name,
    enabled: plays && camera.state !== 'disabled',
    seen,
    muted: true,
  })
  const state = plays ? played : withoutPlaying(camera)

  const notifySeen = useEffectEvent((now: boolean) => onSeen(camera, now))
  useEffect(() => notifySeen(seen), [seen])
  const lost = state.kind === 'ended' && state.why === 'permission'
  const notify = useEffectEvent(() => onEnded(camera.name))
  useEffect(() => {
    if (lost) notify()
  }, [lost])

  const tap = (play: boolean) => {
    flushSync(() => onTap(camera, play))
    // The clicked button is replaced by another one: focus moves to the tile, so that keyboard users keep their place.
    whole.current?.focus({ preventScroll: true })
  }

  const title = titleOf(camera)
  const reason = notRecordingReason(camera, texts)
  const described = reason === undefined ? notice : `${notice} ${trouble}`
  const label = live.tile({ title, state: stateText(camera, state, live.states) })
  const playable = !plays && (state.kind === 'pictures' || state.kind === 'connecting')
  const alone = { to: '/cameras/$camera', params: { camera: camera.name } } as const

  return (
    <div
      ref={tile}
      className={classes.tile}
      data-camera={camera.name}
      data-state={camera.state === 'disabled' ? 'disabled' : state.kind}
    >
      <LiveVideo id={notice} camera={camera} video={video} state={state} height={height} seen={seen} />
      <span className={classes.label}>
        <span className={classes.who}>
          <span className={classes.dot} aria-hidden />
          <span className={classes.title}>{title}</span>
        </span>
        {reason !== undefined && (
          <span id={trouble} className={classes.trouble}>
            <IconAlertTriangle size={16} aria-hidden />
            <span>{live.notRecording({ why: reason })}</span>
          </span>
        )}
      </span>
      {playable ? (
        <button
          ref={whole}
          type="button"
          className={classes.whole}
          data-tile
          aria-label={live.play({ tile: label })}
          aria-describedby={described}
          onClick={() => tap(true)}
        >
          <span className={classes.play}>
            <IconPlayerPlayFilled size={22} aria-hidden />
          </span>
        </button>
      ) : (
        <Link
          ref={whole}
          {...alone}
          className={classes.whole}
          data-tile
          aria-label={label}
          aria-describedby={described}
        />
      )}
      {playable && (
        <Tooltip label={live.open({ title })} withinPortal={false}>
          <Link {...alone} className={classes.corner} aria-label={live.open({ title })}>
            <IconArrowsDiagonal size={18} aria-hidden />
          </Link>
        </Tooltip>
      )}
      <Tooltip label={texts.menu.history} withinPortal={false}>
        <Link
          to="/history"
          search={{ camera: camera.name }}
          className={classes.history}
          aria-label={texts.label({ what: texts.menu.history }) + title}
        >
          <IconHistory size={18} aria-hidden />
        </Link>
      </Tooltip>
      {plays && tapped && (
        <Tooltip label={live.unplay({ title })} withinPortal={false}>
          <button
            type="button"
            className={classes.corner}
            aria-label={live.unplay({ title })}
            onClick={() => tap(false)}
          >
            <IconPhoto size={18} aria-hidden />
          </button>
        </Tooltip>
      )}
    </div>
  )
}

/** The live state of a tile that does not play, from the camera's own state. */
function withoutPlaying({ state, detail, reason }: Camera): LiveState {
  if (state === 'offline') return { kind: 'offline', detail, reason }
  return { kind: state === 'connecting' ? 'connecting' : 'pictures' }
}
