import { Loader } from '@mantine/core'
import { IconPlugConnectedX, IconPower, IconVideoOff } from '@tabler/icons-react'
import type { RefObject } from 'react'
import type { Camera } from '../shared/api-types.ts'
import { translateMessage, noVideoReason } from '../shared/say.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { ago, useNow } from '../shared/format-time.ts'
import { codecName } from './codec-name.ts'
import classes from './LiveVideo.module.css'
import type { LiveState } from './player-types.ts'
import { useSnapshot } from './useSnapshot.ts'

/** Milliseconds between two pictures, where there are pictures instead of video. */
export const pictureEvery = 10_000

interface LiveVideoProps {
  /** By which others point at what it says in place of a picture. */
  readonly id?: string
  readonly camera: Camera
  readonly video: RefObject<HTMLVideoElement | null>
  readonly state: LiveState
  /** Pixels, of the still picture that stands in. */
  readonly height: number
  /** Whether somebody could see it. */
  readonly seen: boolean
}

/** The picture of one camera, and over it what keeps it from being live. */
export function LiveVideo({ id, camera, video, state, height, seen }: LiveVideoProps) {
  const playing = state.kind === 'playing'
  const picture = useSnapshot({ camera: camera.name, height, every: everyIn(state), seen: seen && held(camera) })

  return (
    <div id={id} className={classes.stage} data-live={playing || undefined} data-dim={dims(state, camera) || undefined}>
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
      <Notice camera={camera} state={state} pictured={picture !== undefined} takenAt={picture?.at} />
    </div>
  )
}

/** Of a camera that is turned off the service gives no picture out. */
const held = ({ state }: Camera) => state !== 'disabled'

/** Milliseconds between two pictures; undefined where one is enough. */
function everyIn({ kind }: LiveState): number | undefined {
  if (kind === 'unsupported') return 1000
  if (kind === 'pictures') return pictureEvery
  return kind === 'playing' ? undefined : 15_000
}

const dims = (state: LiveState, camera: Camera) =>
  camera.state === 'disabled' || state.kind === 'offline' || state.kind === 'ended' || state.kind === 'lost'

interface NoticeProps {
  readonly camera: Camera
  readonly state: LiveState
  /** There is a picture behind it. */
  readonly pictured: boolean
  readonly takenAt: number | undefined
}

function Notice({ camera, state, pictured, takenAt }: NoticeProps) {
  const texts = useTexts()
  const { live } = texts
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
      return (
        <div className={classes.footnote}>
          {state.codec === undefined ? live.stills : live.stillsOf(codecName(state.codec))}
        </div>
      )
    case 'pictures':
      return pictured ? <Late at={takenAt} /> : <Connecting takenAt={undefined} />
    case 'connecting':
      return <Connecting takenAt={takenAt} />
    case 'lost':
      return (
        <div className={classes.notice}>
          <IconPlugConnectedX size={26} stroke={1.5} aria-hidden />
          <strong>{live.lost}</strong>
          <span className={classes.detail}>{translateMessage('refusals', state.reason, texts) ?? state.detail}</span>
          <LastPicture at={takenAt} />
        </div>
      )
    case 'offline':
      return (
        <div className={classes.notice}>
          <IconVideoOff size={26} stroke={1.5} aria-hidden />
          <strong>{live.offline}</strong>
          <span className={classes.detail}>{noVideoReason(state, texts) ?? noVideoReason(camera, texts)}</span>
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

function Connecting({ takenAt }: { takenAt: number | undefined }) {
  const { live } = useTexts()
  return (
    <div className={classes.waiting}>
      <Loader color="white" size="sm" type="oval" aria-hidden />
      <span>{live.connecting}</span>
      <LastPicture at={takenAt} from={pictureEvery} />
    </div>
  )
}

/** Beside pictures that ought to be new, once they are not. */
function Late({ at }: { at: number | undefined }) {
  const now = useNow(5000)
  if (at === undefined || now - at < 3 * pictureEvery) return null
  return (
    <div className={classes.footnote}>
      <LastPicture at={at} />
    </div>
  )
}

/** @param from milliseconds; one that is younger needs no word. */
function LastPicture({ at, from = 0 }: { at: number | undefined; from?: number }) {
  const { live } = useTexts()
  const locale = useLocale()
  const now = useNow(5000)
  if (at === undefined || now - at < from) return null
  return <span className={classes.age}>{live.lastPicture(ago(at, now, locale))}</span>
}
