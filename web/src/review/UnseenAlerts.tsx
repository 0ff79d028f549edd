import { useLocale, useTexts } from '../i18n/texts.ts'
import classes from './UnseenAlerts.module.css'
import { useUnseenAlerts } from './useUnseenAlerts.ts'

/** More are not counted out where there is little room. */
const max = 99

/** In the menu: how many alerts one has not seen. */
export function UnseenAlerts() {
  const { review } = useTexts()
  const number = new Intl.NumberFormat(useLocale())
  const count = useUnseenAlerts()
  if (count === 0) return null
  return (
    <span className={classes.count} data-testid="unseen-alerts">
      <span aria-hidden>{count > max ? `${number.format(max)}+` : number.format(count)}</span>
      <span className="visually-hidden">{`, ${review.menuUnseen(count)}`}</span>
    </span>
  )
}
