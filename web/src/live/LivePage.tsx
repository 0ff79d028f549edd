import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { loadOf } from '../api/load.ts'
import { NoCameras } from '../cameras/NoCameras.tsx'
import { camerasQuery } from '../cameras/queries.ts'
import { useTexts } from '../i18n/texts.ts'
import { ErrorState } from '../ui/feedback/ErrorState.tsx'
import { CameraGrid } from './grid/CameraGrid.tsx'
import classes from './LivePage.module.css'
import { useGridLayout } from './grid/useGridLayout.ts'

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
  const { ref, style } = useGridLayout(3)
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
