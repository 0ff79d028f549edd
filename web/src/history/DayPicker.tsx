import '@mantine/dates/styles.css'
import { Button } from '@mantine/core'
import { DatePicker, DatesProvider } from '@mantine/dates'
import { IconCalendar, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { dateText, shortDate } from './clock-text.ts'
import { dayOf } from '../lib/day.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Popover } from '../ui/popovers/Popover.tsx'
import { calendarLanguage, firstDayOfWeek } from './calendar-language.ts'
import classes from './HistoryPage.module.css'

interface DayPickerProps {
  readonly at: number
  readonly now: number
  /** The first time that can be shown, Unix seconds; undefined: any. */
  readonly oldest: number | undefined
  /** The known days with recordings. */
  readonly recorded: ReadonlySet<string>
  readonly onStep: (days: 1 | -1) => void
  readonly onDay: (name: string) => void
  /** A month came into view. @param at Unix seconds */
  readonly onMonth: (at: number) => void
}

/** The current day, with navigation to other days. Days with recordings are marked. */
export function DayPicker({ at, now, oldest, recorded, onStep, onDay, onMonth }: DayPickerProps) {
  const { history } = useTexts('history')
  const locale = useLocale()
  const [open, setOpen] = useState(false)
  const today = dayOf(now)
  const day = dayOf(at)
  const first = oldest === undefined ? undefined : dayOf(oldest)
  const shown = day === today ? history.today : shortDate(at, locale)

  return (
    <div className={classes.day} role="group" aria-label={history.day}>
      <IconButton
        icon={IconChevronLeft}
        label={history.previousDay}
        mirrored
        withinPortal={false}
        onClick={first === undefined || day > first ? () => onStep(-1) : undefined}
      />
      <Popover
        opened={open}
        onChange={setOpen}
        position="bottom"
        label={history.day}
        className={classes.calendar}
        button={
          <Button
            variant="subtle"
            color="gray"
            h={44}
            px={8}
            c="var(--mantine-color-text)"
            leftSection={<IconCalendar size={18} aria-hidden />}
            onClick={() => setOpen(!open)}
            aria-label={history.chooseDay({ shown })}
          >
            {shown}
          </Button>
        }
      >
        <Calendar
          day={day}
          today={today}
          first={first}
          recorded={recorded}
          onDay={(name) => {
            setOpen(false)
            onDay(name)
          }}
          onMonth={onMonth}
        />
      </Popover>
      <IconButton
        icon={IconChevronRight}
        label={history.nextDay}
        mirrored
        withinPortal={false}
        onClick={day < today ? () => onStep(1) : undefined}
      />
    </div>
  )
}

interface CalendarProps extends Pick<DayPickerProps, 'recorded' | 'onDay' | 'onMonth'> {
  readonly day: string
  readonly today: string
  readonly first: string | undefined
}

/** A month; its days with recordings are marked. */
function Calendar({ day, today, first, recorded, onDay, onMonth }: CalendarProps) {
  const { history } = useTexts('history')
  const locale = useLocale()
  const language = useCalendarLanguage(locale)
  return (
    <DatesProvider settings={{ locale: language, firstDayOfWeek: firstDayOfWeek(locale), weekendDays: [] }}>
      <DatePicker
        value={day}
        defaultDate={day}
        maxDate={today}
        {...(first !== undefined && { minDate: first })}
        size="md"
        maxLevel="year"
        onChange={(name) => name && onDay(name)}
        onDateChange={(name) => onMonth(new Date(`${name}T12:00:00`).getTime() / 1000)}
        ariaLabels={{
          nextMonth: history.nextMonth,
          previousMonth: history.previousMonth,
          nextYear: history.nextYear,
          previousYear: history.previousYear,
        }}
        getDayAriaLabel={(name) => {
          const words = dateText(new Date(`${name}T12:00:00`).getTime() / 1000, locale)
          return recorded.has(name) ? history.dayRecorded({ date: words }) : words
        }}
        renderDay={(name) => (
          <span className={classes.date} data-recorded={recorded.has(name) || undefined}>
            {Number(name.slice(-2))}
          </span>
        )}
      />
    </DatesProvider>
  )
}

/** The language of the calendar's own texts; English until it's loaded. */
function useCalendarLanguage(locale: string): string {
  const [language, setLanguage] = useState('en')
  useEffect(() => {
    let left = false
    void calendarLanguage(locale).then((name) => !left && setLanguage(name))
    return () => {
      left = true
    }
  }, [locale])
  return language
}
