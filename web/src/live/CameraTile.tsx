import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import type { Camera } from '../shared/api-types.ts'
import { useTexts } from '../shared/texts/texts.ts'
import { titleOf } from './cameras.ts'
import classes from './CameraTile.module.css'
import { LiveVideo } from './LiveVideo.tsx'
import { stateText } from './state-text.ts'
import { useLive } from './useLive.ts'

interface CameraTileParts {
  readonly camera: Camera
  /** The permission for it has ended. */
  readonly onEnded: (camera: Camera) => void
}

/** One camera in the grid; leads to it alone. */
export function CameraTile({ camera, onEnded }: CameraTileParts) {
  const { live } = useTexts()
  const [video, state] = useLive(camera.name, camera.state !== 'disabled', true)
  const lost = state.kind === 'ended' && state.why === 'permission'
  const tell = useEffectEvent(() => onEnded(camera))
  useEffect(() => {
    if (lost) tell()
  }, [lost])

  return (
    <Link
      to="/cameras/$camera"
      params={{ camera: camera.name }}
      className={classes.tile}
      // Without a picture, what stands in its place says why, and is part of the name.
      aria-label={
        state.kind === 'playing' ? live.tile(titleOf(camera), stateText(camera, state, live.states)) : undefined
      }
      data-camera={camera.name}
      data-state={camera.state === 'disabled' ? 'disabled' : state.kind}
    >
      <LiveVideo camera={camera} video={video} state={state} height={480} />
      <span className={classes.label}>
        <span className={classes.dot} aria-hidden />
        <span className={classes.title}>{titleOf(camera)}</span>
      </span>
    </Link>
  )
}
