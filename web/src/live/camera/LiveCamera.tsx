import { useLocalStorage } from '@mantine/hooks'
import { IconAlertTriangle, IconArrowLeft, IconHistory, IconSettings, IconShare } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useId, useRef, useState } from 'react'
import type { Camera } from '../../../../server/src/api-types.ts'
import { notRecordingReason } from '../../api/translate-message.ts'
import { camerasQuery, titleOf } from '../../cameras/queries.ts'
import { useCanChangeStorage } from '../../cameras/useCanChangeStorage.ts'
import { useTexts } from '../../i18n/texts.ts'
import { useCanShare } from '../../links/can-share.ts'
import { LazyShareDialog } from '../../links/LazyShareDialog.tsx'
import { useCan } from '../../session/session.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Shortcuts } from '../../ui/shortcuts/Shortcuts.tsx'
import { ToolLink } from '../../ui/ToolLink.tsx'
import { useKeys } from '../../ui/shortcuts/useKeys.ts'
import { AccessEnded } from './AccessEnded.tsx'
import classes from './CameraPage.module.css'
import { LiveControls } from './LiveControls.tsx'
import { LiveVideo } from '../LiveVideo.tsx'
import type { LiveState } from '../../player/live/player-types.ts'
import { stateText } from '../state-text.ts'
import { StreamDetails } from './StreamDetails.tsx'
import { useFullscreenVideo } from '../../player/useFullscreenVideo.ts'
import { useInView } from '../../player/useInView.ts'
import { useLive } from '../useLive.ts'
import { useAudio, useAudioOf } from '../../player/useAudio.ts'

/** A camera's live video with its controls, and its keyboard shortcuts. */
export function LiveCamera({ camera }: { camera: Camera }) {
  const { shortcuts } = useTexts('live', 'shortcuts')
  const navigate = useNavigate()
  const audio = useAudio()
  const [isDetailed, setDetailed] = useLocalStorage({ key: 'gatehouse-stream-details', defaultValue: false })
  const details = useId()
  const page = useRef<HTMLDivElement>(null)
  const seen = useInView(page)
  const isEnabled = camera.state !== 'disabled'
  const [video, state] = useLive({ camera: camera.name, enabled: isEnabled, seen, muted: audio.muted })
  useAudioOf(video, audio)
  const { stage, fullscreen, toggleFullscreen } = useFullscreenVideo(video)
  const neighbors = useNeighbors(camera.name)
  const go = (to: Camera | undefined) =>
    to && void navigate({ to: '/cameras/$camera', params: { camera: to.name }, replace: true })
  const toggleDetails = () => setDetailed(!isDetailed)

  useKeys({
    ArrowLeft: () => go(neighbors.previous),
    ArrowRight: () => go(neighbors.next),
    f: toggleFullscreen,
    m: () => state.kind === 'playing' && state.audio && audio.toggle(),
    i: toggleDetails,
    Escape: () => void navigate({ to: '/' }),
  })

  if (state.kind === 'ended' && state.reason === 'permission') return <AccessEnded />
  return (
    <div ref={page} className={classes.page} data-camera={camera.name} data-state={isEnabled ? state.kind : 'disabled'}>
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
      <ToHistory camera={camera} />
      <TitleBar camera={camera} state={state} />
      <div className={classes.stage} ref={stage}>
        <LiveVideo camera={camera} video={video} state={state} height={1080} seen={seen} />
        {isDetailed && <StreamDetails id={details} camera={camera} video={video} state={state} />}
        <LiveControls
          camera={camera.name}
          video={video}
          state={state}
          muted={audio.muted}
          fullscreen={fullscreen}
          details={isDetailed ? details : undefined}
          act={{
            previous: neighbors.previous && (() => go(neighbors.previous)),
            next: neighbors.next && (() => go(neighbors.next)),
            toggleAudio: audio.toggle,
            toggleDetails,
            toggleFullscreen,
          }}
        />
      </div>
    </div>
  )
}

/** The link to the camera's recordings, if the user's role has them. */
function ToHistory({ camera }: { camera: Camera }) {
  const { menu, label } = useTexts()
  const hasHistory = useCan('history')
  return (
    hasHistory && (
      <ToolLink
        icon={IconHistory}
        label={label({ what: menu.history }) + titleOf(camera)}
        link={{ to: '/history', search: { camera: camera.name } }}
      >
        {menu.history}
      </ToolLink>
    )
  )
}

function TitleBar({ camera, state }: { camera: Camera; state: LiveState }) {
  const texts = useTexts('live', 'reasons')
  const { live } = texts
  const reason = notRecordingReason(camera, texts)
  const manages = useCan('cameras.manage')
  return (
    <div className={classes.bar}>
      <IconButton
        icon={IconArrowLeft}
        label={live.allCameras}
        mirrored
        renderRoot={(props) => <Link {...props} to="/" />}
      />
      <div className={classes.name}>
        <h1 className={classes.title}>{titleOf(camera)}</h1>
        <span className={classes.state} role="status">
          {stateText(camera, state, live.states)}
        </span>
      </div>
      {reason !== undefined && <NotRecording reason={reason} />}
      <div className={classes.acts}>
        {manages && (
          <IconButton
            icon={IconSettings}
            label={live.settings}
            renderRoot={(props) => <Link {...props} to="/settings/cameras" search={{ edit: camera.name }} />}
          />
        )}
        <ShareButton camera={camera} />
      </div>
    </div>
  )
}

/** Why the camera isn't recorded; a link to the storage for those who can change its limits. */
function NotRecording({ reason }: { reason: string }) {
  const { live } = useTexts('live')
  const canChange = useCanChangeStorage()
  const words = (
    <>
      <IconAlertTriangle size={16} aria-hidden />
      <span>{live.notRecording({ reason })}</span>
    </>
  )
  return (
    <span className={classes.recording} role="status">
      {canChange ? (
        <Link className={classes.trouble} to="/settings/storage">
          {words}
        </Link>
      ) : (
        <span className={classes.trouble}>{words}</span>
      )}
    </span>
  )
}

/** Creates a link to the live video, if the user's role can share. */
function ShareButton({ camera }: { camera: Camera }) {
  const { live } = useTexts('live')
  const canShare = useCanShare()
  const [isSharing, setSharing] = useState(false)
  if (!canShare) return null
  return (
    <>
      <IconButton icon={IconShare} label={live.share} onClick={() => setSharing(true)} />
      {isSharing && (
        <LazyShareDialog
          target={{ kind: 'live', camera: camera.name }}
          title={titleOf(camera)}
          onClose={() => setSharing(false)}
        />
      )}
    </>
  )
}

/** The previous and the next camera in grid order, wrapping around; undefined if there is only one. */
function useNeighbors(name: string): Record<'previous' | 'next', Camera | undefined> {
  const cameras = useQuery(camerasQuery).data ?? []
  const at = cameras.findIndex((camera) => camera.name === name)
  return at < 0 || cameras.length < 2
    ? { previous: undefined, next: undefined }
    : { previous: cameras.at(at - 1), next: cameras[(at + 1) % cameras.length] }
}
