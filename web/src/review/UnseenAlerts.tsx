import { useLocale, useTexts } from '../i18n/texts.ts'
import classes from './UnseenAlerts.module.css'
import { useUnseenAlerts } from './useUnseenAlerts.ts'

/** Larger counts are abbreviated, since space is limited. */
const max = 99

/** The number of unseen alerts, for the menu. */
export function UnseenAlerts() {
  const { menu } = useTexts()
  const number = new Intl.NumberFormat(useLocale())
  const count = useUnseenAlerts()
  if (count === 0) return null
  return (
    <span className={classes.count} data-testid="unseen-alerts">
      <span aria-hidden>{count > max ? `${number.format(max)}+` : number.format(count)}</span>
      <span className="visually-hidden">{`, ${menu.unseenAlerts({ count })}`}</span>
    </span>
  )
}
