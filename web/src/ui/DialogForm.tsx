import { Button, Group, Stack, TextInput } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { useTexts } from '../i18n/texts.ts'
import type { FieldProps } from './useForm.ts'

interface DialogFormProps {
  /** The props returned by `useForm`. */
  readonly form: ComponentProps<'form'>
  readonly isPending: boolean
  readonly submit: string
  readonly onCancel: () => void
  readonly children: ReactNode
}

/** The content of a dialog with a form: its fields, with the buttons below. */
export function DialogForm({ form, isPending, submit, onCancel, children }: DialogFormProps) {
  const { cancel } = useTexts()
  return (
    <form {...form}>
      <Stack>
        {children}
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onCancel}>
            {cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface NameFieldProps extends FieldProps<string> {
  readonly label: string
  readonly description: string
  /** Default: true. */
  readonly required?: boolean
}

/** The name of what the form creates. */
export function NameField(props: NameFieldProps) {
  return (
    <TextInput
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={64}
      required
      withAsterisk={false}
      data-autofocus
      {...props}
    />
  )
}
