import { ActionIcon, Button, Skeleton, Tooltip } from '@mantine/core'
import { useFullscreenElement, useHotkeys } from '@mantine/hooks'
import {
  IconArrowLeft,
  IconCamera,
  IconChevronLeft,
  IconChevronRight,
  IconDeviceCctvOff,
  IconLock,
  IconMaximize,
  IconMinimize,
  IconPictureInPicture,
  IconVolume,
  IconVolumeOff,
  type TablerIcon,
} from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { Failure } from '../frame/Failure.tsx'
import { Message } from '../frame/Message.tsx'
import { ApiError, ask } from '../shared/api.ts'
import type { Camera } from '../shared/api-types.ts'
import { loadOf } from '../shared/load.ts'
import { useTexts } from '../shared/texts/texts.ts'
import classes from './CameraPage.module.css'
import { cameraPath, camerasQuery, titleOf } from './cameras.ts'
import { LiveVideo } from './LiveVideo.tsx'
import { savePicture } from './save-picture.ts'
import { beginsWithSound, rememberSound } from './sound-choice.ts'
import { stateText } from './state-text.ts'
import { useLive } from './useLive.ts'
import { useSeen } from './useSeen.ts'
import { PageTitle } from '../frame/PageTitle.tsx'

const cameraQuery = (name: string) =>
  queryOptions({
    queryKey: ['cameras', name],
    queryFn: ({ signal }) => ask<Camera>(cameraPath(name), { signal }),
    refetchInterval: 5000,
  })

/** One camera, as large as the screen allows. */
export function CameraPage() {
  const { live } = useTexts()
  const { camera: name } = useParams({ from: '/framed/cameras/$camera' })
  const query = useQuery(cameraQuery(name))
  const camera = loadOf(query)
  // What was shown before is no answer once the service says no.
  const status = query.error instanceof ApiError ? query.error.failure.status : undefined
  const home = (
    <Button component={Link} to="/" variant="default">
      {live.allCameras}
    </Button>
  )

  if (status === 403) {
    return (
      <Message icon={IconLock} title={live.deniedTitle} action={home} alert>
        {query.data ? live.ended : live.deniedBody}
      </Message>
    )
  }
  if (status === 404) {
    return (
      <Message icon={IconDeviceCctvOff} title={live.noSuchTitle} action={home} alert>
        {live.noSuchBody}
      </Message>
    )
  }
  switch (camera.state) {
    case 'loading':
      return <Skeleton className={classes.skeleton} radius={0} />
    case 'failed':
      return <Failure error={camera.error} again={camera.again} />
    case 'ready':
      return <OneCamera key={name} camera={camera.value} />
  }
}

function OneCamera({ camera }: { camera: Camera }) {
  const texts = useTexts()
  const { live } = texts
  const navigate = useNavigate()
  const { ref: stage, toggle, fullscreen } = useFullscreenElement<HTMLDivElement>()
  const [muted, setMuted] = useState(() => !beginsWithSound())
  const page = useRef<HTMLDivElement>(null)
  const seen = useSeen(page)
  const [video, state] = useLive({ camera: camera.name, enabled: camera.state !== 'disabled', seen, muted })
  const [before, after] = neighbours(useQuery(camerasQuery).data ?? [], camera.name)
  const go = (to: Camera | undefined) =>
    to && void navigate({ to: '/cameras/$camera', params: { camera: to.name }, replace: true })
  const playing = state.kind === 'playing'

  useEffect(() => {
    const element = video.current
    // A browser that allows no sound yet turns it off again.
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
    // A phone that knows only the video's own full screen.
    if (!document.fullscreenEnabled && element?.webkitEnterFullscreen) element.webkitEnterFullscreen()
    else void toggle()
  }
  useHotkeys([
    ['ArrowLeft', () => go(before)],
    ['ArrowRight', () => go(after)],
    ['f', fullScreen],
    ['Escape', () => void navigate({ to: '/' })],
  ])

  if (state.kind === 'ended' && state.why === 'permission') {
    return (
      <Message
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
      </Message>
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
      </div>
      <div className={classes.stage} ref={stage}>
        <LiveVideo camera={camera} video={video} state={state} height={1080} seen={seen} />
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
              />
            ) : (
              <Control icon={IconVolumeOff} label={live.noSound} />
            ))}
          {playing && (
            <Control icon={IconCamera} label={live.snapshot} act={() => savePicture(video.current, camera.name)} />
          )}
          {playing && document.pictureInPictureEnabled && (
            <Control
              icon={IconPictureInPicture}
              label={live.pictureInPicture}
              act={() => void video.current?.requestPictureInPicture().catch(() => {})}
            />
          )}
          <Control
            icon={fullscreen ? IconMinimize : IconMaximize}
            label={fullscreen ? live.leaveFullScreen : live.fullScreen}
            act={fullScreen}
          />
        </div>
      </div>
    </div>
  )
}

/** Without something to do it stays in sight, and its label says why. */
function Control({ icon: Icon, label, act }: { icon: TablerIcon; label: string; act?: () => void }) {
  return (
    <Tooltip label={label} withinPortal={false}>
      <button type="button" className={classes.control} onClick={act} aria-disabled={!act} aria-label={label}>
        <Icon size={22} aria-hidden />
      </button>
    </Tooltip>
  )
}

/** The cameras beside one in the grid's order, around the end. */
function neighbours(cameras: readonly Camera[], name: string): [Camera | undefined, Camera | undefined] {
  const at = cameras.findIndex((camera) => camera.name === name)
  if (at < 0 || cameras.length < 2) return [undefined, undefined]
  return [cameras.at(at - 1), cameras[(at + 1) % cameras.length]]
}
