import { Button, Input, SegmentedControl, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import type { Hours, Weekday } from '../../users/role-keys.ts'
import { dayName } from '../../users/role-words.ts'
import { crossesMidnight, weekdays, workingHours } from '../../users/week.ts'
import classes from './RoleFields.module.css'
import { hoursProblem } from './role-form.ts'
import { WeekChart } from './WeekChart.tsx'

interface HoursFieldProps {
  readonly value: readonly Hours[]
  readonly onChange: (hours: readonly Hours[]) => void
  /** Shown at the hours that have a problem. */
  readonly error: string | undefined
}

/** When a role gives anything: always, or hours of the week, each with its days and times. */
export function HoursField({ value, onChange, error }: HoursFieldProps) {
  const { form } = useTexts('grants').grants
  // Before always was chosen.
  const [last, setLast] = useState<readonly Hours[]>([workingHours])
  const choose = (chosen: string) => {
    if (chosen === 'always') setLast(value)
    onChange(chosen === 'always' ? [] : last)
  }
  return (
    <>
      <SegmentedControl
        className={classes.choice}
        aria-label={form.hoursTitle}
        value={value.length === 0 ? 'always' : 'limited'}
        onChange={choose}
        data={[
          { value: 'always', label: form.always },
          { value: 'limited', label: form.limited },
        ]}
      />
      {value.length > 0 && (
        <>
          <WeekChart hours={value} />
          {value.map((hours, index) => (
            <SpanField
              // Hours have no identity but their place.
              key={index}
              number={index + 1}
              hours={hours}
              onChange={(changed) => onChange(value.with(index, changed))}
              onRemove={() => onChange(value.toSpliced(index, 1))}
              error={error === undefined ? undefined : hoursProblem(hours, form)}
            />
          ))}
          <Button
            variant="default"
            leftSection={<IconPlus size={18} aria-hidden />}
            onClick={() => onChange([...value, { days: ['sat', 'sun'], from: '10:00', to: '14:00' }])}
          >
            {form.addHours}
          </Button>
        </>
      )}
    </>
  )
}

interface SpanFieldProps {
  readonly number: number
  readonly hours: Hours
  readonly onChange: (hours: Hours) => void
  readonly onRemove: () => void
  readonly error: string | undefined
}

/** Midnight at the end of a day, which a `time` field can't show. */
const endOfDay = '24:00'
const midnight = '00:00'

function SpanField({ number, hours, onChange, onRemove, error }: SpanFieldProps) {
  const { form } = useTexts('grants').grants
  const { from, to } = hours
  return (
    <div role="group" aria-label={form.span({ number })} className={classes.span}>
      <Days value={hours.days} onChange={(days) => onChange({ ...hours, days: [...days] })} />
      <div className={classes.times}>
        <TextInput
          type="time"
          name="hours"
          label={form.from}
          value={from}
          onChange={(event) => onChange({ ...hours, from: event.currentTarget.value })}
        />
        <TextInput
          type="time"
          label={form.to}
          value={to === endOfDay ? midnight : to}
          onChange={({ currentTarget: { value } }) => onChange({ ...hours, to: value === midnight ? endOfDay : value })}
        />
        <IconButton icon={IconTrash} label={form.removeHours({ number })} onClick={onRemove} size={36} />
      </div>
      {crossesMidnight(hours) && (
        <Text size="sm" c="dimmed">
          {form.overnight}
        </Text>
      )}
      {error && <Input.Error role="alert">{error}</Input.Error>}
    </div>
  )
}

function Days({ value, onChange }: { value: readonly Weekday[]; onChange: (days: readonly Weekday[]) => void }) {
  const { form } = useTexts('grants').grants
  const locale = useLocale()
  return (
    <div role="group" aria-label={form.weekdays} className={classes.days}>
      {weekdays.map((day) => {
        const isOn = value.includes(day)
        return (
          <Button
            key={day}
            size="sm"
            variant={isOn ? 'filled' : 'default'}
            className={classes.day}
            aria-pressed={isOn}
            onClick={() => onChange(weekdays.filter((each) => (each === day ? !isOn : value.includes(each))))}
          >
            <span aria-hidden>{dayName(day, locale, 'short')}</span>
            <span className="visually-hidden">{dayName(day, locale)}</span>
          </Button>
        )
      })}
    </div>
  )
}
