import { useDebouncedValue } from '@mantine/hooks'
import { useMemo } from 'react'
import { RecordingVideo } from '../../playback/RecordingVideo.tsx'
import classes from '../HistoryPage.module.css'

/** Milliseconds the pointer rests before a frame is fetched. */
const rest = 140

/** A small frame of a camera's recording at a given time. */
export function HoverPreview({ camera, at }: { camera: string; at: number }) {
  const [settled] = useDebouncedValue(at, rest)
  const place = useMemo(() => ({ at: settled }), [settled])
  return (
    <div className={classes.preview} data-preview={camera}>
      <RecordingVideo
        preview
        camera={camera}
        label=""
        from={0}
        to={Number.POSITIVE_INFINITY}
        place={place}
        playing={false}
      />
    </div>
  )
}
