import { useElementSize, useIdle } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Camera, OwnScreen } from '../../../server/src/api-types.ts'
import { queryKeys } from '../api/query-keys.ts'
import { camerasQuery } from '../cameras/queries.ts'
import { useCameraEvents } from '../cameras/useCameraEvents.ts'
import { useEvents } from '../events/Events.tsx'
import { useTexts } from '../i18n/texts.ts'
import { useNow } from '../lib/useNow.ts'
import { ScreenControls } from './ScreenControls.tsx'
import classes from './ScreenGrid.module.css'
import { columnsFor, isDimmed, pagesOf } from './screen-layout.ts'
import { ScreenTile } from './ScreenTile.tsx'
import { useAutoFullscreen } from './useAutoFullscreen.ts'
import { useRotation } from './useRotation.ts'
import { useWakeLock } from './useWakeLock.ts'

/** Milliseconds without input after which the controls and the pointer are hidden. */
const idleAfter = 4000
/** Milliseconds for which input wakes a dark screen. */
const awakeFor = 60_000

interface ScreenGridProps {
  readonly screen: OwnScreen
  /** The service did not respond to the last question about the screen. */
  readonly unreachable: boolean
}

/** The cameras of a screen, in pages that fill it. */
export function ScreenGrid({ screen, unreachable }: ScreenGridProps) {
  const { screens } = useTexts('screens')
  const { layout, name } = screen
  useScreenEvents()
  useWakeLock()
  const fullscreen = useAutoFullscreen()
  const idle = useIdle(idleAfter)
  const known = useCamerasOf(screen)
  const cameras = known ?? []
  const pages = pagesOf(cameras, layout.cameras_per_page)
  const rotation = useRotation(pages.length, layout.rotate_seconds)
  const shown = pages[rotation.page] ?? []
  const { ref, width, height } = useElementSize<HTMLUListElement>()
  const columns = layout.columns ?? columnsFor(shown.length, width, height)

  return (
    <main className={classes.screen} data-idle={idle || undefined}>
      <h1 className="visually-hidden">{name}</h1>
      <ul
        ref={ref}
        className={classes.grid}
        style={{ gridTemplateColumns: `repeat(${Math.min(columns, Math.max(1, shown.length))}, minmax(0, 1fr))` }}
        aria-label={screens.page.cameras({ name })}
      >
        {shown.map((camera) => (
          <ScreenTile key={camera.name} camera={camera} muted={!screen.audio || shown.length > 1} />
        ))}
      </ul>
      {known === undefined && (
        <p className={classes.empty} role="status">
          {screens.page.loading}
        </p>
      )}
      {known?.length === 0 && <p className={classes.empty}>{screens.page.noCameras}</p>}
      {unreachable && (
        <p className={classes.lost} role="status">
          {screens.page.lost}
        </p>
      )}
      <ScreenControls name={name} pages={pages.length} rotation={rotation} fullscreen={fullscreen} idle={idle} />
      <Dimmer dim={layout.dim} />
    </main>
  )
}

/** The screen's cameras in its own order, as far as it can see them now; undefined until that's known. */
function useCamerasOf({ cameras: names }: OwnScreen): readonly Camera[] | undefined {
  const { data } = useQuery(camerasQuery)
  return data && names.flatMap((name) => data.find((camera) => camera.name === name) ?? [])
}

/** Asks again when an admin may have changed the screen. */
function useScreenEvents(): void {
  useCameraEvents()
  const queries = useQueryClient()
  useEvents(({ type }) => {
    if (type !== 'access' && type !== 'again' && type !== 'recheck') return
    void queries.invalidateQueries({ queryKey: queryKeys.screens.own })
    void queries.invalidateQueries({ queryKey: queryKeys.cameras.list })
  })
}

/** Makes the screen dark in its hours. Input wakes it for a minute. */
function Dimmer({ dim }: Pick<OwnScreen['layout'], 'dim'>) {
  const now = useNow(10_000)
  const asleep = useIdle(awakeFor, { initialState: true })
  return isDimmed(dim, new Date(now)) && asleep ? <div className={classes.dark} data-dark /> : null
}
