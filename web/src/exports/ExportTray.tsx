import { lazy, Suspense } from 'react'
import { useExportNews } from './useExportNews.tsx'

const RunningExports = lazy(async () => ({ default: (await import('./RunningExports.tsx')).RunningExports }))

/** Shown in the app shell while any of the user's exports is running. */
export function ExportTray() {
  const running = useExportNews()
  if (running.length === 0) return null
  return (
    <Suspense>
      <RunningExports running={running} />
    </Suspense>
  )
}
