import { ActionIcon, Alert, Button, Skeleton, Tooltip } from '@mantine/core'
import { useElementSize, useEventListener, useFullscreenElement } from '@mantine/hooks'
import { IconMaximize, IconMinimize, IconPhoto } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type CSSProperties } from 'react'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Shortcuts } from '../ui/Shortcuts.tsx'
import { Tools } from '../ui/Tools.tsx'
import type { Camera } from '../../../server/src/api-types.ts'
import { loadOf } from '../api/load.ts'
import { notRecordingReason } from '../api/translate-message.ts'
import { useTexts } from '../i18n/texts.ts'
import { camerasQuery, titleOf } from '../cameras/queries.ts'
import { CameraTile } from './CameraTile.tsx'
import { layoutFor, stepIn } from './grid.ts'
import { NoCameras } from '../cameras/NoCameras.tsx'
import { pictureEvery } from './LiveVideo.tsx'
import classes from './LivePage.module.css'
import { useDataSaver, type DataSaver } from '../playback/data-saver.ts'
import { useCameraEnded } from '../cameras/useCameraEnded.ts'
import { whoPlays } from './who-plays.ts'
import { PageTitle } from '../ui/PageTitle.tsx'

/** Maximum number of tiles that play concurrently. */
const max = 16

/** All cameras the user can see, live. */
export function LivePage() {
  const cameras = loadOf(useQuery(camerasQuery))

  switch (cameras.state) {
    case 'loading':
      return <GridSkeleton />
    case 'failed':
      return <ErrorState error={cameras.error} again={cameras.again} />
    case 'ready':
      return cameras.value.length > 0 ? <CameraGrid cameras={cameras.value} stale={cameras.stale} /> : <NoCameras />
  }
}

function GridSkeleton() {
  const { loading, live } = useTexts('live')
  const { ref, style } = useGrid(3)
  return (
    <div className={classes.page} role="status" aria-label={loading}>
      <h1 className="visually-hidden">{live.title}</h1>
      <div className={classes.space} ref={ref}>
        <div className={classes.grid} style={style}>
          {[0, 1, 2].map((at) => (
            <Skeleton key={at} className={classes.skeleton} radius={12} />
          ))}
        </div>
      </div>
    </div>
  )
}

function CameraGrid({ cameras, stale }: { cameras: readonly Camera[]; stale: boolean }) {
  const texts = useTexts('live', 'shortcuts')
  const { live, shortcuts } = texts
  const { ref: wall, toggle, fullscreen } = useFullscreenElement<HTMLDivElement>()
  const { ref, style, columns, tile } = useGrid(cameras.length)
  const grid = useEventListener<'keydown', HTMLUListElement>('keydown', function move(this: HTMLElement, event) {
    moveFocus(event, this, columns)
  })
  const [low, setLow] = useDataSaver()
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const [tapped, setTapped] = useState<readonly string[]>([])
  const names = cameras.map(({ name }) => name)
  const playing = whoPlays({ names, seen, tapped, low: low.on, max })
  const [ended, forgetEnded] = useEnded(cameras)
  const cameraEnded = useCameraEnded()
  const onSeen = ({ name }: Camera, now: boolean) =>
    setSeen((before) => (now ? new Set([...before, name]) : new Set([...before].filter((one) => one !== name))))
  const onTap = ({ name }: Camera, play: boolean) =>
    setTapped((before) => [...before.filter((one) => one !== name), ...(play ? [name] : [])])
  const chooseLow = (on: boolean) => {
    setTapped([])
    setLow(on)
  }

  return (
    <div className={classes.page} ref={wall}>
      <PageTitle of={texts.menu.live} />
      <h1 className="visually-hidden">{live.title}</h1>
      {fullscreen && (
        <ActionIcon className={classes.leave} size={44} onClick={() => void toggle()} aria-label={live.leaveFullScreen}>
          <IconMinimize size={20} aria-hidden />
        </ActionIcon>
      )}
      <Shortcuts
        of={[
          [['←', '↑', '→', '↓'], shortcuts.grid],
          [['Enter'], shortcuts.open],
          [['?'], shortcuts.help],
        ]}
      />
      <Tools>
        <Tooltip label={live.lowDataTip} multiline maw={280}>
          <Button
            variant={low.on ? 'light' : 'subtle'}
            {...(!low.on && { color: 'gray' })}
            className={classes.low}
            role="switch"
            aria-checked={low.on}
            aria-label={live.lowData}
            onClick={() => chooseLow(!low.on)}
          >
            <IconPhoto size={20} aria-hidden />
            <span className={classes.lowName}>{live.lowData}</span>
          </Button>
        </Tooltip>
        {document.fullscreenEnabled && (
          <Tooltip label={live.wall}>
            <ActionIcon variant="subtle" color="gray" size={44} onClick={() => void toggle()} aria-label={live.wall}>
              {fullscreen ? <IconMinimize size={20} aria-hidden /> : <IconMaximize size={20} aria-hidden />}
            </ActionIcon>
          </Tooltip>
        )}
      </Tools>
      {stale && (
        <Alert className={classes.notice} role="status" color="yellow">
          {texts.failure.stale}
        </Alert>
      )}
      {ended.map((camera) => (
        <Alert
          key={camera.name}
          className={classes.notice}
          role="alert"
          color="red"
          title={live.endedOne({ title: titleOf(camera) })}
          withCloseButton
          closeButtonLabel={texts.close}
          onClose={() => forgetEnded(camera)}
        >
          {live.endedBody}
        </Alert>
      ))}
      <StateAnnouncer cameras={cameras} />
      <SnapshotNotice low={low} crowded={names.length > max} />
      <div className={classes.space} ref={ref}>
        <ul ref={grid} className={classes.grid} style={style} aria-label={live.grid}>
          {cameras.map((camera) => (
            <li key={camera.name}>
              <CameraTile
                camera={camera}
                plays={playing.has(camera.name)}
                tapped={tapped.includes(camera.name)}
                height={snapshotHeight(tile, low.on)}
                onTap={onTap}
                onSeen={onSeen}
                onEnded={cameraEnded}
              />
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** Explains why tiles show snapshots instead of video. */
function SnapshotNotice({ low, crowded }: { low: DataSaver; crowded: boolean }) {
  const { live } = useTexts('live')
  const seconds = pictureEvery / 1000
  return (
    <div role="status" className={classes.note}>
      {low.on && low.reason !== 'chosen' && `${live.lowDataReason[low.reason]} `}
      {low.on && live.lowDataOn({ seconds })}
      {!low.on && crowded && live.crowded({ max, seconds })}
    </div>
  )
}

/**
 * The cameras that were listed while the page was open and no longer are.
 *
 * @returns the cameras, and a function that dismisses one of them
 */
function useEnded(cameras: readonly Camera[]): [readonly Camera[], (camera: Camera) => void] {
  const [{ listed, ended }, setKnown] = useState<Record<'listed' | 'ended', readonly Camera[]>>({
    listed: cameras,
    ended: [],
  })
  if (listed !== cameras) {
    const names = new Set(cameras.map(({ name }) => name))
    setKnown({ listed: cameras, ended: [...ended, ...listed].filter(({ name }) => !names.has(name)) })
  }
  const forget = ({ name }: Camera) =>
    setKnown((before) => ({ ...before, ended: before.ended.filter((one) => one.name !== name) }))
  return [ended, forget]
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

/** Announces to screen readers which cameras went offline or came back, and which stopped or resumed recording. */
function StateAnnouncer({ cameras }: { cameras: readonly Camera[] }) {
  const texts = useTexts('live', 'reasons')
  const { live } = texts
  const before = useRef(new Map<string, Camera>())
  const [news, setNews] = useState('')
  useEffect(() => {
    const changed = cameras.flatMap((camera) => {
      const was = before.current.get(camera.name)
      if (!was) return []
      const title = titleOf(camera)
      const [notBefore, notNow] = [notRecordingReason(was, texts), notRecordingReason(camera, texts)]
      return [
        ...(was.state === 'online' && camera.state === 'offline' ? [live.wentOffline({ title })] : []),
        ...(was.state === 'offline' && camera.state === 'online' ? [live.cameBack({ title })] : []),
        ...(notBefore === undefined && notNow !== undefined ? [live.stoppedRecording({ title, why: notNow })] : []),
        ...(notBefore !== undefined && camera.recording ? [live.recordsAgain({ title })] : []),
      ]
    })
    before.current = new Map(cameras.map((camera) => [camera.name, camera]))
    if (changed.length > 0) setNews(changed.join(' '))
  }, [cameras, live, texts])
  return (
    <div role="status" className="visually-hidden">
      {news}
    </div>
  )
}

/** Measures the available space and computes the grid layout. */
function useGrid(count: number) {
  const { ref, width, height } = useElementSize<HTMLDivElement>()
  const { columns, tile } = layoutFor(count, width, height)
  const style = {
    '--columns': columns,
    '--tile': `${Math.max(0, tile)}px`,
    visibility: width > 0 ? undefined : 'hidden',
  }
  return { ref, style: style as CSSProperties, columns, tile }
}
