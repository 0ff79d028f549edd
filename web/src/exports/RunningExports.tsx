import { Progress, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Export } from '../../../server/src/api-types.ts'
import { percent } from '../lib/format-number.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { Panel } from '../ui/popovers/Panel.tsx'
import type { PanelState } from '../ui/popovers/usePanel.ts'
import classes from './RunningExports.module.css'
import { useExportName } from './useExportName.ts'

interface RunningExportsProps {
  readonly running: readonly Export[]
  readonly panel: PanelState
}

/** Progress of the user's own exports. */
export function RunningExports({ running, panel }: RunningExportsProps) {
  const { exportTray } = useTexts()
  const locale = useLocale()
  const nameOf = useExportName()

  return (
    <Panel {...panel} label={exportTray.title} width={300} className={classes.dropdown}>
      <Text size="sm" c="dimmed">
        {exportTray.title}
      </Text>
      <ul className={classes.list}>
        {running.map((one) => (
          <li key={one.id}>
            <div className={classes.line}>
              <Text size="sm" truncate>
                {nameOf(one)}
              </Text>
              <Text size="sm" c="dimmed">
                {one.state === 'queued' ? exportTray.queued : percent(one.progress, locale)}
              </Text>
            </div>
            <Progress value={one.progress} size="sm" mt={4} aria-label={exportTray.progress({ name: nameOf(one) })} />
          </li>
        ))}
      </ul>
      <Link to="/exports" className={classes.all} onClick={() => panel.onChange(false)} data-autofocus>
        {exportTray.all}
      </Link>
    </Panel>
  )
}
