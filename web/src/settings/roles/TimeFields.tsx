import { NumberInput, SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../i18n/texts.ts'
import type { FieldProps } from '../../ui/forms/useForm.ts'
import classes from './RoleFields.module.css'

/** Days of history that a role gets at first when it is limited. */
const someDays = 7

/** How far back a role goes: any age, or a number of days. */
export function HistoryField({ value, onChange, ...field }: FieldProps<number | string | null>) {
  const { form } = useTexts('grants').grants
  // Before any age was chosen.
  const [last, setLast] = useState<number | string>(someDays)
  const choose = (chosen: string) => {
    if (chosen === 'all') setLast(value ?? someDays)
    onChange(chosen === 'all' ? null : last)
  }
  return (
    <>
      <SegmentedControl
        className={classes.choice}
        aria-label={form.historyTitle}
        value={value === null ? 'all' : 'some'}
        onChange={choose}
        data={[
          { value: 'all', label: form.anyAge },
          { value: 'some', label: form.lastDays },
        ]}
      />
      {value !== null && (
        <NumberInput
          {...field}
          className={classes.number}
          label={form.days}
          value={value}
          onChange={onChange}
          min={0}
          max={36_500}
          hideControls
        />
      )}
    </>
  )
}

interface ValidityFieldsProps {
  readonly from: FieldProps<string>
  readonly until: FieldProps<string>
}

/** When a role becomes valid and when it expires, in the browser's time zone. */
export function ValidityFields({ from, until }: ValidityFieldsProps) {
  const { form } = useTexts('grants').grants
  return (
    <div className={classes.moments}>
      <TextInput {...from} type="datetime-local" label={form.validFrom} description={form.noLimit} />
      <TextInput {...until} type="datetime-local" label={form.validUntil} description={form.noLimit} />
    </div>
  )
}
