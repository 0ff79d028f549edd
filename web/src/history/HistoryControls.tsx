import { useTexts, useLocale } from '../i18n/texts.ts'
import { formatDuration } from '../lib/format-time.ts'
import { ClipPanel } from './ClipPanel.tsx'
import { useCanClip } from './player/useClip.ts'
import classes from './HistoryPage.module.css'
import { Timeline } from './timeline/Timeline.tsx'
import { TimelineProblem } from './timeline/TimelineProblem.tsx'
import { Transport } from './Transport.tsx'
import type { HistoryPlayer } from './player/useHistoryPlayer.ts'

interface HistoryControlsProps {
  readonly player: HistoryPlayer
  readonly muted: boolean
  readonly onMuted: (muted: boolean) => void
  readonly fullscreen: boolean
  readonly onToggleFullscreen: () => void
}

/** Everything below the videos: buttons, timeline and the selected clip. */
export function HistoryControls(props: HistoryControlsProps) {
  const { player, muted, onMuted, fullscreen, onToggleFullscreen } = props
  const { cameras, at, now, recorded, play, timeline, clip } = player
  const mayClip = useCanClip()
  return (
    <div className={classes.below}>
      <PlaybackNews player={player} />
      <Transport
        at={at}
        playing={play.playing && !recorded.isEmpty}
        rate={play.rate}
        muted={play.audio ? muted : undefined}
        marking={clip.range !== undefined}
        fullscreen={fullscreen}
        act={{
          toggle: player.toggle,
          step: (seconds) => player.go(at + seconds),
          motion: player.goToMotion,
          rate: play.setRate,
          mute: () => onMuted(!muted),
          zoomIn: timeline.canZoomIn ? () => timeline.zoom(0.5) : undefined,
          zoomOut: timeline.canZoomOut ? () => timeline.zoom(2) : undefined,
          mark: mayClip ? clip.toggle : undefined,
          fullScreen: document.fullscreenEnabled ? onToggleFullscreen : undefined,
        }}
      />
      <TimelineProblem recorded={recorded} />
      <Timeline player={player} />
      {clip.range && mayClip && (
        <ClipPanel
          cameras={cameras}
          clip={clip.range}
          now={now}
          setClip={clip.set}
          onClose={() => clip.set(undefined)}
        />
      )}
    </div>
  )
}

/** What playback skipped, and that it has reached the end. */
function PlaybackNews({ player: { recorded, play } }: { player: HistoryPlayer }) {
  const { history } = useTexts('history')
  const locale = useLocale()
  return (
    <div className={classes.news} role="status">
      {play.skipped !== undefined && (
        <span>{history.skipped({ lasting: formatDuration(Math.round(play.skipped), locale) })}</span>
      )}
      {recorded.hasUnavailable && <span>{history.unavailable}</span>}
      {play.caughtUp && !recorded.isEmpty && <span>{recorded.isToday ? history.caughtUp : history.noMore}</span>}
    </div>
  )
}
