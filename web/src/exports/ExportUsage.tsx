import { Alert, Anchor } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { bytes } from '../lib/format-number.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { useCan } from '../session/session.ts'
import { exportUsage } from './queries.ts'
import classes from './ExportUsage.module.css'

interface ExportUsageProps {
  /** The exports aren't on this page, so that the warning links to them. */
  readonly elsewhere?: boolean
}

/** Space used by exports and space left, with a warning near a limit. Renders nothing until the usage is known. */
export function ExportUsage({ elsewhere = false }: ExportUsageProps) {
  const { exports } = useTexts('exports')
  const { usage } = exports
  const locale = useLocale()
  const manages = useCan('exports.manage')
  const { data } = useQuery(exportUsage)
  if (!data) return null
  const { own, all, state } = data
  const message = (
    share: typeof own,
    text: (values: { used: string }) => string,
    textOf: (values: { used: string; limit: string }) => string,
  ) =>
    share.limit === null
      ? text({ used: bytes(share.used, locale) })
      : textOf({ used: bytes(share.used, locale), limit: bytes(share.limit, locale) })
  const facts = [
    message(own, usage.own, usage.ownOf),
    all && message(all, usage.all, usage.allOf),
    all && usage.room({ room: bytes(all.free, locale) }),
  ].filter((fact) => fact !== undefined)
  return (
    <>
      <p className={classes.usage}>{facts.join(' · ')}</p>
      {state !== 'free' && (
        <Alert
          role="status"
          color={state === 'full' ? 'red' : 'yellow'}
          icon={<IconAlertTriangle aria-hidden />}
          className={classes.warning}
        >
          {usage[state]({ manages })}
          {elsewhere && manages && (
            <>
              {' '}
              <Anchor inherit component={Link} to="/exports">
                {usage.open}
              </Anchor>
            </>
          )}
        </Alert>
      )}
    </>
  )
}
