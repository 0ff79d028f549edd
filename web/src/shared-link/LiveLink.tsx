import { useMergedRef } from '@mantine/hooks'
import { IconPlugConnectedX, IconVideoOff } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import type { OpenedLink } from '../../../server/src/api-types.ts'
import { ApiError, send } from '../api/api.ts'
import { useTexts } from '../i18n/texts.ts'
import { socketUrlOf, urlOf } from '../lib/base.ts'
import type { LiveSource, LiveState, Refusal } from '../player/live/player-types.ts'
import { useFullscreenVideo } from '../player/useFullscreenVideo.ts'
import { useInView } from '../player/useInView.ts'
import { useLivePlayer } from '../player/live/useLivePlayer.ts'
import { useAudio, useAudioOf } from '../player/useAudio.ts'
import { linkPath } from './open-link.ts'
import classes from './SharedLinkPage.module.css'
import { StageControls } from './StageControls.tsx'
import { StageLoader, StageNotice } from './StageNotice.tsx'

interface LiveLinkProps {
  readonly id: string
  readonly link: OpenedLink
  /** The service ended the video: the link has perhaps ended. */
  readonly onDoubt: () => void
}

/** The live video of a camera. */
export function LiveLink({ id, link, onDoubt }: LiveLinkProps) {
  const { stage, fullscreen, toggleFullscreen, ...live } = useLiveLink(id, onDoubt)
  const { video, state, audio } = live
  const [hasSnapshot, setHasSnapshot] = useState(true)
  const hasAudio = link.audio && state.kind === 'playing' && state.audio
  return (
    <div className={classes.stage} ref={stage} data-state={state.kind}>
      {state.kind !== 'playing' && hasSnapshot && (
        <img
          className={classes.poster}
          src={snapshotOf(id)}
          alt=""
          draggable={false}
          onError={() => setHasSnapshot(false)}
        />
      )}
      <video
        ref={video}
        className={classes.video}
        muted
        playsInline
        autoPlay
        tabIndex={-1}
        aria-label={link.title}
        data-playing={state.kind === 'playing' || undefined}
      />
      <LiveNotice state={state} />
      {state.kind === 'playing' && (
        <StageControls
          video={video}
          audio={hasAudio ? audio : undefined}
          fullscreen={fullscreen}
          onFullscreen={toggleFullscreen}
        />
      )}
    </div>
  )
}

function useLiveLink(id: string, onDoubt: () => void) {
  const source = useMemo(() => sourceOf(id), [id])
  const audio = useAudio()
  const view = useRef<HTMLDivElement>(null)
  const seen = useInView(view)
  const [video, state] = useLivePlayer({ source, enabled: true, seen, muted: audio.muted, onEnd: onDoubt })
  useAudioOf(video, audio)
  const { stage, ...fullscreen } = useFullscreenVideo(video)
  return { video, state, audio, stage: useMergedRef(view, stage), ...fullscreen }
}

const snapshotOf = (id: string): string => urlOf(`${linkPath(id)}/latest.jpg`).href

const sourceOf = (id: string): LiveSource => ({
  url: socketUrlOf(`${linkPath(id)}/live`),
  hls: urlOf(`${linkPath(id)}/live/index.m3u8`),
  refusalReason: () => refusalReason(id),
  camera: () => Promise.resolve(undefined),
})

async function refusalReason(id: string): Promise<Refusal> {
  try {
    // A plain request opens no stream, but is refused as the socket was.
    await send(`${linkPath(id)}/live`, { signingIn: true })
    return 'unknown'
  } catch (error) {
    if (!(error instanceof ApiError)) return 'unknown'
    return [401, 403, 404, 410].includes(error.failure.status) ? 'permission' : 'unknown'
  }
}

function LiveNotice({ state }: { state: LiveState }) {
  const { sharedLink } = useTexts('shared-link')
  switch (state.kind) {
    case 'playing':
    case 'paused':
    case 'ended':
    case 'snapshots':
      return null
    case 'connecting':
      return <StageLoader label={sharedLink.connecting} />
    case 'lost':
    case 'refused':
      return <StageNotice icon={IconPlugConnectedX} title={sharedLink.lost} />
    case 'offline':
      return <StageNotice icon={IconVideoOff} title={sharedLink.offline} />
    case 'unsupported':
      return <StageNotice icon={IconVideoOff} title={sharedLink.unsupported} />
  }
}
