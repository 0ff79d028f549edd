import { Popover, Progress, Text, UnstyledButton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState, type CSSProperties } from 'react'
import type { Export } from '../../../server/src/api-types.ts'
import { percent } from '../lib/format-number.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import classes from './RunningExports.module.css'
import { useExportName } from './useExportName.ts'

/** Progress of the user's own exports, in the app shell. */
export function RunningExports({ running }: { running: readonly Export[] }) {
  const { exportTray } = useTexts()
  const locale = useLocale()
  const nameOf = useExportName()
  const [open, setOpen] = useState(false)
  const whole = running.reduce((sum, { progress }) => sum + progress, 0) / running.length
  const label = exportTray.open({ count: running.length, percent: percent(Math.round(whole), locale) })

  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={300} shadow="lg" radius="lg" trapFocus>
      <Popover.Target>
        <UnstyledButton
          className={classes.target}
          aria-label={label}
          title={label}
          data-exports-running={running.length}
          onClick={() => setOpen(!open)}
        >
          <span className={classes.ring} style={{ '--done': `${whole}%` } as CSSProperties}>
            <IconDownload size={18} aria-hidden />
          </span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown} aria-label={exportTray.title}>
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
        <Link to="/exports" className={classes.all} onClick={() => setOpen(false)} data-autofocus>
          {exportTray.all}
        </Link>
      </Popover.Dropdown>
    </Popover>
  )
}
