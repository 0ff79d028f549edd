import { useRef } from 'react'
import type { Camera } from '../../../server/src/api-types.ts'
import { titleOf } from '../cameras/queries.ts'
import { useTexts } from '../i18n/texts.ts'
import { LiveVideo } from '../live/LiveVideo.tsx'
import { stateText } from '../live/state-text.ts'
import { useInView } from '../player/useInView.ts'
import { useLive } from '../live/useLive.ts'
import classes from './ScreenGrid.module.css'

/** One camera of a screen: its live video, or why there is none. */
export function ScreenTile({ camera, muted }: { camera: Camera; muted: boolean }) {
  const { live } = useTexts('live')
  const tile = useRef<HTMLLIElement>(null)
  const seen = useInView(tile)
  const isEnabled = camera.state !== 'disabled'
  const [video, state] = useLive({ camera: camera.name, enabled: isEnabled, seen, muted })
  const title = titleOf(camera)
  return (
    <li
      ref={tile}
      className={classes.tile}
      data-camera={camera.name}
      data-state={isEnabled ? state.kind : 'disabled'}
      aria-label={live.tile({ title, state: stateText(camera, state, live.states) })}
    >
      <LiveVideo camera={camera} video={video} state={state} height={720} seen={seen} />
      <span className={classes.label} aria-hidden>
        <span className={classes.dot} />
        <span className={classes.title}>{title}</span>
      </span>
    </li>
  )
}
