import { useLocale } from '../../i18n/texts.ts'
import type { Hours } from '../../users/role-keys.ts'
import { dayName } from '../../users/role-words.ts'
import { weekOf } from '../../users/week.ts'
import classes from './RoleFields.module.css'

const marks = [0, 6, 12, 18, 24]
const share = (minutes: number): string => `${(minutes / 1440) * 100}%`

/** A week as a chart, a row per day. Hidden from screen readers, which read the same in words. */
export function WeekChart({ hours }: { hours: readonly Hours[] }) {
  const locale = useLocale()
  const number = new Intl.NumberFormat(locale)
  return (
    <div className={classes.week} aria-hidden data-testid="week">
      {[...weekOf(hours)].map(([day, parts]) => (
        <div key={day} className={classes.weekday}>
          <span className={classes.dayName}>{dayName(day, locale, 'short')}</span>
          <span className={classes.bar}>
            {parts.map(({ from, to }) => (
              <span
                key={from}
                className={classes.part}
                style={{ insetInlineStart: share(from), inlineSize: share(to - from) }}
              />
            ))}
          </span>
        </div>
      ))}
      <div className={classes.weekday}>
        <span className={classes.dayName} />
        <span className={classes.marks}>
          {marks.map((hour) => (
            <span key={hour}>{number.format(hour)}</span>
          ))}
        </span>
      </div>
    </div>
  )
}
