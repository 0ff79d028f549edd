import { UnstyledButton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { lazy, type CSSProperties } from 'react'
import type { Export } from '../../../server/src/api-types.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { percent } from '../lib/format-number.ts'
import { LoadingRing } from '../ui/feedback/LoadingRing.tsx'
import { usePanel } from '../ui/popovers/usePanel.ts'
import classes from './ExportTray.module.css'
import { useExportNews } from './useExportNews.tsx'

const load = () => import('./RunningExports.tsx')
const RunningExports = lazy(async () => ({ default: (await load()).RunningExports }))

/** Shown in the app shell while any of the user's exports is running. */
export function ExportTray() {
  const running = useExportNews()
  return running.length === 0 ? null : <Tray running={running} />
}

function Tray({ running }: { running: readonly Export[] }) {
  const { exportTray } = useTexts()
  const locale = useLocale()
  const { button, panel, loading } = usePanel(load)
  const whole = running.reduce((sum, { progress }) => sum + progress, 0) / running.length
  const label = exportTray.open({ count: running.length, percent: percent(Math.round(whole), locale) })

  return (
    <>
      <UnstyledButton
        {...button}
        className={classes.target}
        aria-label={label}
        title={label}
        data-exports-running={running.length}
      >
        {loading && <LoadingRing />}
        <span className={classes.ring} style={{ '--done': `${whole}%` } as CSSProperties}>
          <IconDownload size={18} aria-hidden />
        </span>
      </UnstyledButton>
      {panel && <RunningExports running={running} panel={panel} />}
    </>
  )
}
