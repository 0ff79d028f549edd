import type { ConfigHistory } from '../../../../server/src/api-types.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { moment } from '../../lib/format-time.ts'
import classes from './ConfigPage.module.css'

/** Versions that are listed. */
const shown = 10

/** Who saved the newest versions of the configuration that several instances share, and when. */
export function ConfigVersions({ versions }: Pick<ConfigHistory, 'versions'>) {
  const { config } = useTexts('config')
  const locale = useLocale()
  return (
    <details className={classes.versions}>
      <summary>{config.versions}</summary>
      <ol>
        {versions.slice(0, shown).map(({ number, author, at }) => (
          <li key={number}>
            <span className={classes.version}>{config.version({ number })}</span>
            <span className={classes.message}>{author}</span>
            <time dateTime={at}>{moment(Date.parse(at), locale)}</time>
          </li>
        ))}
      </ol>
    </details>
  )
}
