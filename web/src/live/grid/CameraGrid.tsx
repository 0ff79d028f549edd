import { Button } from '@mantine/core'
import { useEventListener, useFullscreenElement } from '@mantine/hooks'
import { IconMaximize, IconMinimize, IconPhoto } from '@tabler/icons-react'
import type { Camera } from '../../../../server/src/api-types.ts'
import { useCameraEnded } from '../../cameras/useCameraEnded.ts'
import { useTexts } from '../../i18n/texts.ts'
import type { DataSaver } from '../../playback/data-saver.ts'
import { DemoNotice } from '../demo/DemoNotice.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Shortcuts } from '../../ui/shortcuts/Shortcuts.tsx'
import { Tools } from '../../ui/Tools.tsx'
import { Tooltip } from '../../ui/popovers/Tooltip.tsx'
import { StaleAlert } from '../../ui/feedback/StaleAlert.tsx'
import { CameraGroups, useShownGroup } from './CameraGroups.tsx'
import { CameraTile } from './CameraTile.tsx'
import { EndedCameras } from './EndedCameras.tsx'
import { stepIn } from './grid.ts'
import classes from '../LivePage.module.css'
import { snapshotInterval } from '../LiveVideo.tsx'
import { StateAnnouncer } from './StateAnnouncer.tsx'
import { useGridLayout } from './useGridLayout.ts'
import { maxPlaying, usePlayingTiles } from './usePlayingTiles.ts'

/** The cameras as a grid of tiles that fills the page. */
export function CameraGrid({ cameras, stale }: { cameras: readonly Camera[]; stale: boolean }) {
  const texts = useTexts('live', 'shortcuts')
  const { live, shortcuts } = texts
  const { ref: wall, toggle, fullscreen } = useFullscreenElement<HTMLDivElement>()
  const toggleFullscreen = () => void toggle()
  const { groups, group, shown } = useShownGroup(cameras)
  const { ref, style, columns, tile } = useGridLayout(shown.length)
  const grid = useEventListener<'keydown', HTMLUListElement>('keydown', function move(this: HTMLElement, event) {
    moveFocus(event, this, columns)
  })
  const { low, setLow, playing, tapped, onSeen, onTap } = usePlayingTiles(shown)
  const onEnded = useCameraEnded()

  return (
    <div className={classes.page} ref={wall}>
      <PageTitle of={texts.menu.live} />
      <h1 className="visually-hidden">{live.title}</h1>
      {fullscreen && (
        <IconButton
          className={classes.leave}
          icon={IconMinimize}
          label={live.leaveFullScreen}
          variant="overlay"
          withinPortal={false}
          onClick={toggleFullscreen}
        />
      )}
      <Shortcuts
        of={[
          [['←', '↑', '→', '↓'], shortcuts.grid],
          [['Enter'], shortcuts.open],
          [['?'], shortcuts.help],
        ]}
      />
      <GridTools low={low} onLow={setLow} fullscreen={fullscreen} onToggleFullscreen={toggleFullscreen} />
      {stale && <StaleAlert className={classes.notice} />}
      {!fullscreen && <DemoNotice cameras={cameras} />}
      <EndedCameras cameras={cameras} />
      <StateAnnouncer cameras={cameras} />
      <SnapshotNotice low={low} crowded={shown.length > maxPlaying} />
      <CameraGroups groups={groups} group={group} />
      <div className={classes.space} ref={ref}>
        <ul ref={grid} className={classes.grid} style={style} aria-label={live.grid}>
          {shown.map((camera) => (
            <li key={camera.name}>
              <CameraTile
                camera={camera}
                plays={playing.has(camera.name)}
                tapped={tapped.includes(camera.name)}
                height={snapshotHeight(tile, low.on)}
                onTap={onTap}
                onSeen={onSeen}
                onEnded={onEnded}
              />
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

interface GridToolsProps {
  readonly low: DataSaver
  readonly onLow: (on: boolean) => void
  readonly fullscreen: boolean
  readonly onToggleFullscreen: () => void
}

/** The grid's buttons in the header. */
function GridTools({ low, onLow, fullscreen, onToggleFullscreen }: GridToolsProps) {
  const { live } = useTexts('live')
  return (
    <Tools>
      <Tooltip label={live.lowDataTip} maxWidth={280}>
        <Button
          variant={low.on ? 'light' : 'subtle'}
          {...(!low.on && { color: 'gray' })}
          className={classes.low}
          role="switch"
          aria-checked={low.on}
          aria-label={live.lowData}
          onClick={() => onLow(!low.on)}
        >
          <IconPhoto size={20} aria-hidden />
          <span className={classes.lowName}>{live.lowData}</span>
        </Button>
      </Tooltip>
      {document.fullscreenEnabled && (
        <IconButton icon={fullscreen ? IconMinimize : IconMaximize} label={live.wall} onClick={onToggleFullscreen} />
      )}
    </Tools>
  )
}

/** Explains why tiles show snapshots instead of video. */
function SnapshotNotice({ low, crowded }: { low: DataSaver; crowded: boolean }) {
  const { live } = useTexts('live')
  const seconds = snapshotInterval / 1000
  return (
    <div role="status" className={classes.note}>
      {low.on && low.reason !== 'chosen' && `${live.lowDataReason[low.reason]} `}
      {low.on && live.lowDataOn({ seconds })}
      {!low.on && crowded && live.crowded({ max: maxPlaying, seconds })}
    </div>
  )
}

/** Moves the focus from tile to tile with the arrow keys. */
function moveFocus(event: KeyboardEvent, grid: HTMLElement, columns: number) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
  const tiles = [...grid.querySelectorAll<HTMLElement>('[data-tile]')]
  const at = tiles.findIndex((tile) => tile === document.activeElement)
  const rightToLeft = getComputedStyle(grid).direction === 'rtl'
  const to = at < 0 ? undefined : tiles[stepIn(at, event.key, { columns, count: tiles.length, rightToLeft })]
  if (!to) return
  event.preventDefault()
  to.focus()
}

/** Snapshot height in pixels, one of four, so that users with different screens share the decoded snapshots. */
function snapshotHeight(tile: number, low: boolean): number {
  const pixels = (tile * 9) / 16
  return pixels <= 200 ? 240 : pixels <= 380 || low ? 360 : pixels <= 600 ? 480 : 720
}
