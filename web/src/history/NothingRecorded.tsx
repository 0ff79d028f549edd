import { Button, Group } from '@mantine/core'
import { IconCalendarOff } from '@tabler/icons-react'
import type { Camera } from '../../../server/src/api-types.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { shortDate } from './clock-text.ts'
import { startOf } from '../lib/day.ts'
import classes from './HistoryPage.module.css'
import type { RecordedDay } from './recorded/useRecordedDay.ts'

interface NothingRecordedProps {
  readonly recorded: Pick<RecordedDay, 'day' | 'isToday' | 'before' | 'after' | 'hasUnavailable'>
  readonly cameras: readonly Camera[]
  readonly onDay: (name: string) => void
}

/** A day without recordings: possible reasons, and the nearest days that have some. */
export function NothingRecorded({ recorded, cameras, onDay }: NothingRecordedProps) {
  const { day, isToday, before, after, hasUnavailable } = recorded
  const { history } = useTexts('history')
  const locale = useLocale()
  const off = cameras.every(({ recording }) => !recording)
  const none = before === undefined && after === undefined
  const words = (name: string) => shortDate(startOf(name) ?? day.from, locale)

  return (
    <div className={classes.nothing}>
      <IconCalendarOff size={30} stroke={1.5} aria-hidden />
      <h2>{hasUnavailable ? history.unavailableDay : isToday ? history.nothingToday : history.nothingThatDay}</h2>
      {hasUnavailable && <p>{history.unavailable}</p>}
      {off && (isToday || none) && <p>{history.recordingOff}</p>}
      {!none && (
        <Group gap={8} justify="center">
          {before !== undefined && (
            <Button variant="default" h={44} onClick={() => onDay(before)}>
              {history.earlier({ date: words(before) })}
            </Button>
          )}
          {after !== undefined && (
            <Button variant="default" h={44} onClick={() => onDay(after)}>
              {history.later({ date: words(after) })}
            </Button>
          )}
        </Group>
      )}
    </div>
  )
}
