import { Loader } from '@mantine/core'
import { IconPlugConnectedX, IconPower, IconVideoOff } from '@tabler/icons-react'
import type { RefObject } from 'react'
import type { Camera } from '../../../server/src/api-types.ts'
import { translateMessage, noVideoReason } from '../api/translate-message.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { ago } from '../lib/format-time.ts'
import { useNow } from '../lib/useNow.ts'
import { codecName } from '../lib/codec-name.ts'
import classes from './LiveVideo.module.css'
import type { LiveState } from '../player/live/player-types.ts'
import { useSnapshot } from '../cameras/useSnapshot.ts'

/** Milliseconds between two snapshots where snapshots replace video. */
export const snapshotInterval = 10_000

interface LiveVideoProps {
  /** Lets other elements refer to the notice shown in place of the video. */
  readonly id?: string
  readonly camera: Camera
  readonly video: RefObject<HTMLVideoElement | null>
  readonly state: LiveState
  /** Height of the snapshot shown in place of video, pixels. */
  readonly height: number
  /** Whether the user can see the element. */
  readonly seen: boolean
}

/** The video of one camera, with an overlay that says why it is not live. */
export function LiveVideo({ id, camera, video, state, height, seen }: LiveVideoProps) {
  const playing = state.kind === 'playing'
  const snapshot = useSnapshot({
    camera: camera.name,
    height,
    every: snapshotIntervalOf(state),
    seen: seen && hasSnapshot(camera),
  })

  return (
    <div
      id={id}
      className={classes.stage}
      data-live={playing || undefined}
      data-dim={isDimmed(state, camera) || undefined}
    >
      {snapshot && !playing && <img className={classes.snapshot} src={snapshot.url} alt="" draggable={false} />}
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
      <Notice camera={camera} state={state} withSnapshot={snapshot !== undefined} takenAt={snapshot?.at} />
    </div>
  )
}

/** The service returns no snapshots of a disabled camera. */
const hasSnapshot = ({ state }: Camera) => state !== 'disabled'

/** Milliseconds between two snapshots; undefined where one is enough. */
function snapshotIntervalOf({ kind }: LiveState): number | undefined {
  if (kind === 'unsupported') return 1000
  if (kind === 'snapshots') return snapshotInterval
  return kind === 'playing' ? undefined : 15_000
}

const dimmed: ReadonlySet<LiveState['kind']> = new Set(['offline', 'ended', 'lost', 'refused'])

const isDimmed = (state: LiveState, camera: Camera) => camera.state === 'disabled' || dimmed.has(state.kind)

interface NoticeProps {
  readonly camera: Camera
  readonly state: LiveState
  /** A snapshot is shown behind the notice. */
  readonly withSnapshot: boolean
  readonly takenAt: number | undefined
}

function Notice({ camera, state, withSnapshot, takenAt }: NoticeProps) {
  const texts = useTexts('live', 'reasons')
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
          {state.codec === undefined ? live.stills : live.stillsOf({ codec: codecName(state.codec) })}
        </div>
      )
    case 'snapshots':
      return withSnapshot ? <StaleNotice at={takenAt} /> : <Connecting takenAt={undefined} />
    case 'connecting':
      return <Connecting takenAt={takenAt} />
    case 'lost':
    case 'refused':
      return (
        <div className={classes.notice}>
          <IconPlugConnectedX size={26} stroke={1.5} aria-hidden />
          <strong>{live[state.kind]}</strong>
          {state.kind === 'refused' && (
            <span className={classes.detail}>{translateMessage('refusals', state.reason, texts) ?? state.detail}</span>
          )}
          <LastSnapshot at={takenAt} />
        </div>
      )
    case 'offline':
      return (
        <div className={classes.notice}>
          <IconVideoOff size={26} stroke={1.5} aria-hidden />
          <strong>{live.offline}</strong>
          <span className={classes.detail}>{noVideoReason(state, texts) ?? noVideoReason(camera, texts)}</span>
          <LastSnapshot at={takenAt} />
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
  const { live } = useTexts('live')
  return (
    <div className={classes.waiting}>
      <Loader color="white" size="sm" type="oval" aria-hidden />
      <span>{live.connecting}</span>
      <LastSnapshot at={takenAt} from={snapshotInterval} />
    </div>
  )
}

/** The age of the snapshot, shown once snapshots stop arriving. */
function StaleNotice({ at }: { at: number | undefined }) {
  const now = useNow(5000)
  if (at === undefined || now - at < 3 * snapshotInterval) return null
  return (
    <div className={classes.footnote}>
      <LastSnapshot at={at} />
    </div>
  )
}

/** @param from milliseconds; the age of a younger snapshot is not shown. */
function LastSnapshot({ at, from = 0 }: { at: number | undefined; from?: number }) {
  const { live } = useTexts('live')
  const locale = useLocale()
  const now = useNow(5000)
  if (at === undefined || now - at < from) return null
  return <span className={classes.age}>{live.lastFrame({ when: ago(at, now, locale) })}</span>
}
