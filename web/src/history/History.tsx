import { Alert } from '@mantine/core'
import { useFullscreenElement, useIdle } from '@mantine/hooks'
import { IconBroadcast } from '@tabler/icons-react'
import { useState } from 'react'
import type { Camera } from '../../../server/src/api-types.ts'
import { titleOf } from '../cameras/queries.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { formatAge } from '../lib/format-time.ts'
import { oldestFor, useCan, useMe } from '../session/session.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Shortcuts } from '../ui/shortcuts/Shortcuts.tsx'
import { ToolLink } from '../ui/ToolLink.tsx'
import { dateText } from './clock-text.ts'
import { HistoryBar } from './HistoryBar.tsx'
import { HistoryControls } from './HistoryControls.tsx'
import { HistoryGrid } from './HistoryGrid.tsx'
import classes from './HistoryPage.module.css'
import { NothingRecorded } from './NothingRecorded.tsx'
import { historyKeys, useHistoryKeys } from './useHistoryKeys.ts'
import { useCanClip } from './player/useClip.ts'
import { useHistoryPlayer, type HistoryPlayer } from './player/useHistoryPlayer.ts'

interface HistoryProps {
  /** The cameras the user can see. */
  readonly all: readonly Camera[]
  /** The chosen cameras; at least one. */
  readonly cameras: readonly Camera[]
  /** How many times the user lost a camera and got it back. */
  readonly returnsOf: (name: string) => number
  readonly single: boolean
  /** Unix seconds; undefined starts a minute ago. */
  readonly start: number | undefined
  readonly onChoose: (names: readonly string[], at: string) => void
  /** The user went to this time and stayed. */
  readonly onAt: (at: string) => void
  /** The permission for a camera has ended. */
  readonly onEnded: (camera: string) => void
}

/** Milliseconds without input after which the controls over a full-screen video hide. */
const idleTimeout = 3000

/** The recordings of the chosen cameras, played at the same time. */
export function History({ all, cameras, returnsOf, single, start, onChoose, onAt, onEnded }: HistoryProps) {
  const [isCutShort, setCutShort] = useCutShort(start)
  const player = useHistoryPlayer({
    cameras,
    start,
    onAt: (time) => {
      setCutShort(false)
      onAt(time)
    },
  })
  const { at, recorded, play } = player
  const [muted, setMuted] = useState(true)
  const { ref: whole, toggle, fullscreen } = useFullscreenElement<HTMLDivElement>()
  const idle = useIdle(idleTimeout, { initialState: false })
  const toggleMuted = () => setMuted(!muted)
  const toggleFullscreen = () => void toggle()
  useHistoryKeys(player, { toggleMuted, toggleFullscreen })

  return (
    <div className={classes.page} data-history data-playing={play.playing || undefined}>
      <HistoryHead player={player} />
      {isCutShort && <BeforeLimit />}
      <HistoryBar player={player} all={all} single={single} onChoose={onChoose} />
      <div className={classes.whole} ref={whole} data-alone={(fullscreen && idle && play.playing) || undefined}>
        <div className={classes.stage}>
          {recorded.isEmpty && !play.scrubbing ? (
            <NothingRecorded recorded={recorded} cameras={cameras} onDay={player.goToDay} />
          ) : (
            <HistoryGrid
              cameras={cameras}
              returnsOf={returnsOf}
              at={at}
              recorded={recorded.recorded}
              tiles={play.tiles}
              muted={muted}
              play={play}
              onEnded={onEnded}
            />
          )}
        </div>
        <HistoryControls
          player={player}
          muted={muted}
          onMuted={setMuted}
          fullscreen={fullscreen}
          onToggleFullscreen={toggleFullscreen}
        />
      </div>
    </div>
  )
}

/** Seconds by which a time in the URL can get too old while the page is open. */
const leeway = 60

/** Whether the linked time is older than the user's role shows, until the user goes to another. @param start Unix seconds */
function useCutShort(start: number | undefined) {
  const me = useMe()
  return useState(() => start !== undefined && start < (oldestFor(me, Date.now() / 1000) ?? 0) - leeway)
}

/** Says why playback doesn't start at the linked time. */
function BeforeLimit() {
  const { history } = useTexts('history')
  const locale = useLocale()
  const { history_days: days } = useMe()
  return (
    days !== null && (
      <Alert className={classes.notice} color="yellow" role="alert">
        {history.beforeLimit({ age: formatAge(days, locale) })}
      </Alert>
    )
  )
}

/** The page's title, its link to live video and its list of shortcuts. */
function HistoryHead({ player: { cameras, at } }: { player: HistoryPlayer }) {
  const texts = useTexts('history', 'shortcuts')
  const locale = useLocale()
  const hasLive = useCan('live')
  const mayClip = useCanClip()
  const [first] = cameras
  const isOne = cameras.length === 1 && first !== undefined
  const title = isOne ? titleOf(first) : texts.history.cameras({ count: cameras.length })
  return (
    <>
      <PageTitle of={`${texts.menu.history} · ${title}`} />
      <h1 className="visually-hidden">
        {texts.label({ what: texts.menu.history }) + [title, dateText(at, locale)].join(texts.partsSeparator)}
      </h1>
      {isOne && hasLive && (
        <ToolLink
          icon={IconBroadcast}
          label={texts.label({ what: texts.menu.live }) + title}
          link={{ to: '/cameras/$camera', params: { camera: first.name } }}
        >
          {texts.menu.live}
        </ToolLink>
      )}
      <Shortcuts of={historyKeys(texts.shortcuts, mayClip)} />
    </>
  )
}
