import { useMemo, type ReactNode } from 'react'
import { signedOut } from '../api/api.ts'
import { cameraPath } from '../cameras/queries.ts'
import { urlOf } from '../lib/base.ts'
import type { RecordingSource } from '../player/recording/recording-player.ts'
import { RecordingStage } from '../player/recording/RecordingStage.tsx'
import type { RecordingState } from '../player/recording/recording-state.ts'
import { useRecordingPlayer, type RecordingPlayback } from '../player/recording/useRecordingPlayer.ts'
import { accessLoss, useAccessLoss } from './access-loss.ts'

interface RecordingVideoProps extends Omit<RecordingPlayback, 'source'> {
  readonly camera: string
  /** Accessible name of the video. */
  readonly label: string
  /** Alternative shown if the browser cannot play the video, for example a link to the file. */
  readonly unplayable?: ReactNode
}

/** A camera's recordings, with an overlay that says why they cannot be shown. */
export function RecordingVideo({ camera, label, unplayable, ...playback }: RecordingVideoProps) {
  const { preview = false, onState } = playback
  const source = useMemo(() => recordingsOf(camera), [camera])
  const notifyState = (state: RecordingState) => {
    onState?.(state)
    if (state.kind === 'ended' && state.reason === 'session') signedOut()
  }
  const { end, ...shown } = useRecordingPlayer({ ...playback, source, onState: notifyState })
  useAccessLoss(camera, end)
  return (
    <RecordingStage
      {...shown}
      name={preview ? undefined : camera}
      label={label}
      preview={preview}
      unplayable={unplayable}
    />
  )
}

const recordingsOf = (camera: string): RecordingSource => ({
  playlistOf: (from, to) => urlOf(`${cameraPath(camera)}/playback/${from}/${to}/index.m3u8`),
  accessLoss: () => accessLoss(camera),
})
