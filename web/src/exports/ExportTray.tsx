import { lazy, Suspense } from 'react'
import { useExportNews } from './useExportNews.tsx'

const RunningExports = lazy(async () => ({ default: (await import('./RunningExports.tsx')).RunningExports }))

/** Stands in the frame for as long as something of one's own is being exported. */
export function ExportTray() {
  const running = useExportNews()
  if (running.length === 0) return null
  return (
    <Suspense>
      <RunningExports running={running} />
    </Suspense>
  )
}
