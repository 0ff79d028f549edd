import { ActionIcon, Button, Skeleton, Tooltip } from '@mantine/core'
import { useFullscreenElement, useLocalStorage } from '@mantine/hooks'
import {
  IconAlertTriangle,
  IconArrowLeft,
  IconCamera,
  IconChevronLeft,
  IconChevronRight,
  IconHistory,
  IconDeviceCctvOff,
  IconInfoCircle,
  IconLock,
  IconMaximize,
  IconMinimize,
  IconPictureInPicture,
  IconVolume,
  IconVolumeOff,
  type TablerIcon,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState } from 'react'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Shortcuts } from '../ui/Shortcuts.tsx'
import { ToolLink } from '../ui/ToolLink.tsx'
import { ApiError } from '../api/api.ts'
import type { Camera } from '../../../server/src/api-types.ts'
import { loadOf } from '../api/load.ts'
import { notRecordingReason } from '../api/translate-message.ts'
import { useTexts } from '../i18n/texts.ts'
import { useKeys } from '../ui/useKeys.ts'
import classes from './CameraPage.module.css'
import { cameraQuery, camerasQuery, titleOf } from '../cameras/queries.ts'
import { LiveVideo } from './LiveVideo.tsx'
import { saveSnapshot } from './save-snapshot.ts'
import { beginsWithSound, rememberSound } from './sound-choice.ts'
import { stateText } from './state-text.ts'
import { StreamDetails } from './StreamDetails.tsx'
import { useLive } from './useLive.ts'
import { useInView } from './useInView.ts'
import { PageTitle } from '../ui/PageTitle.tsx'

/** One camera's live view, as large as the screen allows. */
export function CameraPage() {
  const { live } = useTexts('live')
  const { camera: name } = useParams({ from: '/framed/cameras/$camera' })
  const query = useQuery(cameraQuery(name))
  const camera = loadOf(query)
  // Once the service refuses the camera, the last response no longer counts.
  const status = query.error instanceof ApiError ? query.error.failure.status : undefined
  // A role change clears the cached responses; that this page showed the camera must outlast it.
  const [seen, setSeen] = useState<string>()
  if (query.data && seen !== name) setSeen(name)
  const home = (
    <Button component={Link} to="/" variant="default">
      {live.allCameras}
    </Button>
  )

  if (status === 403) {
    const ended = seen === name
    return (
      <Notice icon={IconLock} title={ended ? live.ended : live.deniedTitle} action={home} alert>
        {ended ? live.endedBody : live.deniedBody}
      </Notice>
    )
  }
  if (status === 404) {
    return (
      <Notice icon={IconDeviceCctvOff} title={live.noSuchTitle} action={home} alert>
        {live.noSuchBody}
      </Notice>
    )
  }
  switch (camera.state) {
    case 'loading':
      return <Skeleton className={classes.skeleton} radius={0} />
    case 'failed':
      return <ErrorState error={camera.error} again={camera.again} />
    case 'ready':
      return <OneCamera key={name} camera={camera.value} />
  }
}

function OneCamera({ camera }: { camera: Camera }) {
  const texts = useTexts('live', 'reasons', 'shortcuts')
  const { live, shortcuts } = texts
  const navigate = useNavigate()
  const { ref: stage, toggle, fullscreen } = useFullscreenElement<HTMLDivElement>()
  const [muted, setMuted] = useState(() => !beginsWithSound())
  const [detailed, setDetailed] = useLocalStorage({ key: 'gatehouse-stream-details', defaultValue: false })
  const details = useId()
  const page = useRef<HTMLDivElement>(null)
  const seen = useInView(page)
  const [video, state] = useLive({ camera: camera.name, enabled: camera.state !== 'disabled', seen, muted })
  const [before, after] = neighbors(useQuery(camerasQuery).data ?? [], camera.name)
  const go = (to: Camera | undefined) =>
    to && void navigate({ to: '/cameras/$camera', params: { camera: to.name }, replace: true })
  const playing = state.kind === 'playing'
  const reason = notRecordingReason(camera, texts)

  useEffect(() => {
    const element = video.current
    // A browser that does not allow audio yet mutes the video again.
    const follow = () => element && setMuted(element.muted)
    element?.addEventListener('volumechange', follow)
    return () => element?.removeEventListener('volumechange', follow)
  }, [video])

  const switchSound = () => {
    rememberSound(muted)
    setMuted(!muted)
  }
  const fullScreen = () => {
    const element: (HTMLVideoElement & { webkitEnterFullscreen?: () => void }) | null = video.current
    // iPhones have full screen only for the video element itself.
    if (!document.fullscreenEnabled && element?.webkitEnterFullscreen) element.webkitEnterFullscreen()
    else void toggle()
  }
  useKeys({
    ArrowLeft: () => go(before),
    ArrowRight: () => go(after),
    f: fullScreen,
    m: () => playing && state.sound && switchSound(),
    i: () => setDetailed(!detailed),
    Escape: () => void navigate({ to: '/' }),
  })

  if (state.kind === 'ended' && state.why === 'permission') {
    return (
      <Notice
        icon={IconLock}
        title={live.ended}
        alert
        action={
          <Button component={Link} to="/" variant="default">
            {live.allCameras}
          </Button>
        }
      >
        {live.endedBody}
      </Notice>
    )
  }

  return (
    <div
      ref={page}
      className={classes.page}
      data-camera={camera.name}
      data-state={camera.state === 'disabled' ? 'disabled' : state.kind}
    >
      <PageTitle of={titleOf(camera)} />
      <Shortcuts
        of={[
          [['←', '→'], shortcuts.cameras],
          [['F'], shortcuts.fullScreen],
          [['M'], shortcuts.sound],
          [['I'], shortcuts.details],
          [['Esc'], shortcuts.allCameras],
          [['?'], shortcuts.help],
        ]}
      />
      <ToolLink
        icon={IconHistory}
        label={texts.label({ what: texts.menu.history }) + titleOf(camera)}
        link={{ to: '/history', search: { camera: camera.name } }}
      >
        {texts.menu.history}
      </ToolLink>
      <div className={classes.bar}>
        <Tooltip label={live.allCameras}>
          <ActionIcon component={Link} to="/" variant="subtle" color="gray" size={44} aria-label={live.allCameras}>
            <IconArrowLeft size={22} aria-hidden className={classes.directed} />
          </ActionIcon>
        </Tooltip>
        <h1 className={classes.title}>{titleOf(camera)}</h1>
        <span className={classes.state} role="status">
          {stateText(camera, state, live.states)}
        </span>
        {reason !== undefined && (
          <span className={classes.trouble} role="status">
            <IconAlertTriangle size={16} aria-hidden />
            <span>{live.notRecording({ why: reason })}</span>
          </span>
        )}
      </div>
      <div className={classes.stage} ref={stage}>
        <LiveVideo camera={camera} video={video} state={state} height={1080} seen={seen} />
        {detailed && <StreamDetails id={details} camera={camera} video={video} state={state} />}
        <div className={classes.controls} role="group" aria-label={live.controls}>
          {before && <Control icon={IconChevronLeft} label={live.previous} act={() => go(before)} />}
          {after && <Control icon={IconChevronRight} label={live.next} act={() => go(after)} />}
          <span className={classes.spring} />
          {state.kind === 'playing' &&
            (state.sound ? (
              <Control
                icon={muted ? IconVolumeOff : IconVolume}
                label={muted ? live.soundOn : live.soundOff}
                act={switchSound}
                keys="m"
              />
            ) : (
              <Control icon={IconVolumeOff} label={live.noSound} />
            ))}
          {playing && (
            <Control icon={IconCamera} label={live.snapshot} act={() => saveSnapshot(video.current, camera.name)} />
          )}
          {playing && document.pictureInPictureEnabled && (
            <Control
              icon={IconPictureInPicture}
              label={live.pictureInPicture}
              act={() => void video.current?.requestPictureInPicture().catch(() => {})}
            />
          )}
          <Control
            icon={IconInfoCircle}
            label={detailed ? live.details.hide : live.details.show}
            act={() => setDetailed(!detailed)}
            keys="i"
            expands={detailed ? details : false}
          />
          <Control
            icon={fullscreen ? IconMinimize : IconMaximize}
            label={fullscreen ? live.leaveFullScreen : live.fullScreen}
            act={fullScreen}
            keys="f"
          />
        </div>
      </div>
    </div>
  )
}

interface ControlProps {
  readonly icon: TablerIcon
  readonly label: string
  readonly act?: () => void
  /** The keyboard shortcut for the same action. */
  readonly keys?: string
  /** The id of the element the control has opened; false while it is closed. */
  readonly expands?: string | false
}

/** Without an action the control stays visible, and its label gives the reason. */
function Control({ icon: Icon, label, act, keys, expands }: ControlProps) {
  return (
    <Tooltip label={keys ? `${label} (${keys.toUpperCase()})` : label} withinPortal={false}>
      <button
        type="button"
        className={classes.control}
        onClick={act}
        aria-disabled={!act}
        aria-label={label}
        aria-keyshortcuts={keys}
        aria-expanded={expands === undefined ? undefined : expands !== false}
        aria-controls={expands === false ? undefined : expands}
      >
        <Icon size={22} aria-hidden />
      </button>
    </Tooltip>
  )
}

/** The previous and the next camera in grid order, wrapping around. */
function neighbors(cameras: readonly Camera[], name: string): [Camera | undefined, Camera | undefined] {
  const at = cameras.findIndex((camera) => camera.name === name)
  if (at < 0 || cameras.length < 2) return [undefined, undefined]
  return [cameras.at(at - 1), cameras[(at + 1) % cameras.length]]
}
