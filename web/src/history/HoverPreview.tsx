import { useDebouncedValue } from '@mantine/hooks'
import { useMemo } from 'react'
import { RecordingVideo } from '../playback/RecordingVideo.tsx'
import classes from './HistoryPage.module.css'

/** Milliseconds for which the pointer rests before a picture is fetched. */
const rest = 140

/** What a camera saw at a moment, small. */
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
