import { Button, Stack, TextInput } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { DialogButtons } from '../dialogs/Dialog.tsx'
import classes from './DialogForm.module.css'
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
  return (
    <form {...form} className={classes.form}>
      <Stack>
        {children}
        <div className={classes.buttons} data-pinned>
          <DialogButtons isPending={isPending} onCancel={onCancel} mt="xs">
            <Button type="submit" loading={isPending}>
              {submit}
            </Button>
          </DialogButtons>
        </div>
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
