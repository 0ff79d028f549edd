import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../i18n/texts.ts'
import { isIncomplete } from './incomplete.ts'

interface TimeInputProps extends Omit<TextInputProps, 'type' | 'value' | 'onChange' | 'onBlur' | 'error'> {
  /** Of a `datetime-local` field; empty: none. */
  readonly value: string
  /** @param value undefined as long as the time is incomplete, which is not the same as none */
  readonly onChange: (value: string | undefined) => void
}

/** A date and time that applies as it is typed. In a form with a button, the form refuses an incomplete time. */
export function TimeInput({ value, onChange, ...props }: TimeInputProps) {
  const texts = useTexts()
  const [incomplete, setIncomplete] = useState(false)
  /** Said once the field is left, not at every key. */
  const [left, setLeft] = useState(false)
  const take = (field: HTMLInputElement) => {
    const isNow = isIncomplete(field)
    setIncomplete(isNow)
    onChange(isNow ? undefined : field.value)
  }
  return (
    <TextInput
      {...props}
      type="datetime-local"
      // An incomplete time is empty: with another value, what was typed would be lost.
      value={incomplete ? '' : value}
      error={incomplete && left ? texts.incompleteTime : undefined}
      onChange={({ currentTarget }) => {
        setLeft(false)
        take(currentTarget)
      }}
      onBlur={({ currentTarget }) => {
        setLeft(true)
        // A browser reports no change from none to an incomplete time, nor back.
        if (isIncomplete(currentTarget) !== incomplete) take(currentTarget)
      }}
    />
  )
}
