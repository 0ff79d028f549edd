import { Loader } from '@mantine/core'
import { IconPlugConnectedX, IconPower, IconVideoOff } from '@tabler/icons-react'
import type { RefObject } from 'react'
import type { Camera } from '../shared/api-types.ts'
import { useLocale, useTexts } from '../shared/texts/texts.ts'
import { ago, useNow } from '../shared/time.ts'
import classes from './LiveVideo.module.css'
import type { LiveState } from './player.ts'
import { usePicture } from './usePicture.ts'

interface LiveVideoParts {
  readonly camera: Camera
  readonly video: RefObject<HTMLVideoElement | null>
  readonly state: LiveState
  /** Pixels, of the still picture that stands in. */
  readonly height: number
}

/** The picture of one camera, and over it what keeps it from being live. */
export function LiveVideo({ camera, video, state, height }: LiveVideoParts) {
  const stills = state.kind === 'unsupported'
  const playing = state.kind === 'playing'
  const picture = usePicture(camera.name, height, stills ? 1000 : playing ? undefined : 15_000)

  return (
    <div className={classes.stage} data-live={playing || undefined} data-dim={dims(state, camera) || undefined}>
      {picture && !playing && <img className={classes.picture} src={picture.url} alt="" draggable={false} />}
      <video
        ref={video}
        className={classes.video}
        muted
        playsInline
        autoPlay
        data-playing={playing || undefined}
        tabIndex={-1}
        aria-hidden
      />
      <Notice camera={camera} state={state} takenAt={picture?.at} />
    </div>
  )
}

const dims = (state: LiveState, camera: Camera) =>
  camera.state === 'disabled' || state.kind === 'offline' || state.kind === 'ended' || state.kind === 'lost'

function Notice({ camera, state, takenAt }: { camera: Camera; state: LiveState; takenAt: number | undefined }) {
  const { live } = useTexts()
  if (camera.state === 'disabled') {
    return (
      <div className={classes.notice}>
        <IconPower size={26} stroke={1.5} aria-hidden />
        <strong>{live.disabled}</strong>
      </div>
    )
  }
  switch (state.kind) {
    case 'playing':
    case 'paused':
      return null
    case 'unsupported':
      return <div className={classes.footnote}>{live.stills}</div>
    case 'connecting':
      return (
        <div className={classes.waiting}>
          <Loader color="white" size="sm" type="oval" aria-hidden />
          <span>{live.connecting}</span>
        </div>
      )
    case 'lost':
      return (
        <div className={classes.notice}>
          <IconPlugConnectedX size={26} stroke={1.5} aria-hidden />
          <strong>{live.lost}</strong>
          <LastPicture at={takenAt} />
        </div>
      )
    case 'offline':
      return (
        <div className={classes.notice}>
          <IconVideoOff size={26} stroke={1.5} aria-hidden />
          <strong>{live.offline}</strong>
          <span className={classes.detail}>{state.detail || camera.detail}</span>
          <LastPicture at={takenAt} />
        </div>
      )
    case 'ended':
      return (
        <div className={classes.notice} role="alert">
          <IconVideoOff size={26} stroke={1.5} aria-hidden />
          <strong>{live.ended}</strong>
        </div>
      )
  }
}

function LastPicture({ at }: { at: number | undefined }) {
  const { live } = useTexts()
  const locale = useLocale()
  const now = useNow(5000)
  return at === undefined ? null : <span className={classes.age}>{live.lastPicture(ago(at, now, locale))}</span>
}
