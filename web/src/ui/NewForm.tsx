import { Button, Group, Stack, TextInput } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { FormProblem } from './FormProblem.tsx'
import { useTexts } from '../i18n/texts.ts'

interface NewFormProps {
  /** The props returned by `useValidatedForm`. */
  readonly form: ComponentProps<'form'>
  readonly busy: boolean
  /** An error that concerns the form as a whole. */
  readonly problem: string | undefined
  readonly submit: string
  readonly onCancel: () => void
  readonly children: ReactNode
}

/** The content of a dialog that creates something: its fields, with the buttons below. */
export function NewForm({ form, busy, problem, submit, onCancel, children }: NewFormProps) {
  const { cancel } = useTexts()
  return (
    <form {...form}>
      <Stack>
        <FormProblem of={problem} />
        {children}
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onCancel}>
            {cancel}
          </Button>
          <Button type="submit" loading={busy}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface NewNameProps {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly problem: string | undefined
}

/** The name field of the new thing. */
export function NewName({ name, label, hint, value, onChange, problem }: NewNameProps) {
  return (
    <TextInput
      name={name}
      label={label}
      description={hint}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={64}
      required
      withAsterisk={false}
      data-autofocus
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={problem}
    />
  )
}
