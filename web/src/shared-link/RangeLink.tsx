import { IconPlayerPauseFilled, IconPlayerPlayFilled, IconReload } from '@tabler/icons-react'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useMemo, useReducer } from 'react'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { urlOf } from '../lib/base.ts'
import { timeOfDay } from '../lib/format-time.ts'
import type { RecordingSource } from '../player/recording/recording-player.ts'
import { RecordingStage } from '../player/recording/RecordingStage.tsx'
import { useFullscreenVideo } from '../player/useFullscreenVideo.ts'
import { useRecordingPlayer } from '../player/recording/useRecordingPlayer.ts'
import { useAudio, useAudioOf } from '../player/useAudio.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { useKeys } from '../ui/shortcuts/useKeys.ts'
import { playlistPath } from './open-link.ts'
import { afterRangeEvent, runOf, type RangeEvent, type RangeRun } from './range-run.ts'
import classes from './SharedLinkPage.module.css'
import { StageControls } from './StageControls.tsx'
import { useEndOfLink } from './useEndOfLink.ts'
import { isStillOpen } from './useSharedLink.ts'

interface SharedRange {
  /** Unix seconds. */
  readonly start: number
  readonly end: number
}

interface RangeLinkProps {
  readonly id: string
  readonly title: string
  readonly range: SharedRange
  readonly audio: boolean
  /** The link has perhaps ended. */
  readonly onDoubt: () => void
}

/** The recordings of a range: playback stays within it. */
export function RangeLink({ id, title, range, audio, onDoubt }: RangeLinkProps) {
  const [run, dispatch] = useReducer(
    (run: RangeRun, event: RangeEvent) => afterRangeEvent(run, event, range),
    range,
    runOf,
  )
  const choice = useAudio()
  const queries = useQueryClient()
  const source = useMemo(() => sourceOf(id, queries), [id, queries])
  const { video, still, state } = useRecordingPlayer({
    source,
    from: range.start,
    to: range.end,
    place: run.place,
    playing: run.playing,
    muted: choice.muted,
    onTime: (at) => dispatch({ type: 'time', at }),
    onEnd: () => dispatch({ type: 'end' }),
  })
  useAudioOf(video, choice)
  useEndOfLink(id, onDoubt)
  const { stage, fullscreen, toggleFullscreen } = useFullscreenVideo(video)
  const hasAudio = audio && state.kind === 'shown' && state.audio
  useKeys({ k: () => dispatch({ type: 'toggle' }), f: toggleFullscreen, m: () => hasAudio && choice.toggle() })

  return (
    <div className={classes.stage} ref={stage}>
      <RecordingStage video={video} still={still} state={state} name={id} label={title} />
      <StageControls
        video={video}
        audio={hasAudio ? choice : undefined}
        fullscreen={fullscreen}
        onFullscreen={toggleFullscreen}
      >
        <RangeControls range={range} run={run} dispatch={dispatch} />
      </StageControls>
    </div>
  )
}

interface RangeControlsProps {
  readonly range: SharedRange
  readonly run: RangeRun
  readonly dispatch: (event: RangeEvent) => void
}

/** Play, pause, and the position in the range. */
function RangeControls({ range, run: { playing, over, at }, dispatch }: RangeControlsProps) {
  const { sharedLink } = useTexts('shared-link')
  const locale = useLocale()
  return (
    <>
      <IconButton
        icon={over ? IconReload : playing ? IconPlayerPauseFilled : IconPlayerPlayFilled}
        label={over ? sharedLink.again : playing ? sharedLink.pause : sharedLink.play}
        onClick={() => dispatch({ type: 'toggle' })}
        shortcut="K"
        variant="overlay"
        withinPortal={false}
      />
      <input
        type="range"
        className={classes.position}
        aria-label={sharedLink.position}
        aria-valuetext={timeOfDay(at, locale)}
        min={range.start}
        max={range.end}
        step={1}
        value={Math.round(at)}
        onChange={({ currentTarget: { value } }) => dispatch({ type: 'seek', at: Number(value) })}
      />
      <span className={classes.time} aria-hidden>
        {timeOfDay(at, locale)}
      </span>
    </>
  )
}

const sourceOf = (id: string, queries: QueryClient): RecordingSource => ({
  playlistOf: () => urlOf(playlistPath(id)),
  // If the link has ended, the page says why instead.
  accessLoss: async () => ((await isStillOpen(queries, id)) ? undefined : 'permission'),
})
