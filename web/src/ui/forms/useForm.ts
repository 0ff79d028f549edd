import { useForm as useMantineForm } from '@mantine/form'
import type { ChangeEvent } from 'react'
import { useSubmission, type SubmissionOptions } from './useSubmission.ts'

interface FormOptions<Values, Result> extends SubmissionOptions<Values, Result> {
  /** Its keys are the names of the fields, in order. */
  readonly initialValues: Values
}

type Changed<Value> = Value | ChangeEvent<HTMLInputElement> | ChangeEvent<HTMLSelectElement | HTMLTextAreaElement>

/** The props of the input of one field. */
export interface FieldProps<Value> {
  readonly name: string
  readonly value: Value
  readonly onChange: (next: Changed<Value>) => void
  readonly error: string | undefined
}

/** The props of a checkbox or switch. */
type ToggleProps = Omit<FieldProps<boolean>, 'value'> & { readonly checked: boolean }

/**
 * The values of a form, and their submission. A form that password managers fill uses `useSubmission` and reads its
 * fields itself.
 */
export function useForm<Values extends object, Result>({ initialValues, ...options }: FormOptions<Values, Result>) {
  type Field = keyof Values & string
  const { values, getValues, setFieldValue, getInputProps, reset } = useMantineForm<Values>({ initialValues })
  const submission = useSubmission<Values, Result>({
    ...options,
    fields: Object.keys(initialValues) as Field[],
    read: getValues,
  })

  const own = (name: Field) => ({ name, error: submission.problems[name] })
  const field = <Name extends Field>(name: Name): FieldProps<Values[Name]> => ({
    ...getInputProps(name, { withError: false, withFocus: false }),
    ...own(name),
    value: values[name],
  })
  const toggle = (name: Field): ToggleProps => ({
    ...getInputProps(name, { type: 'checkbox', withError: false, withFocus: false }),
    ...own(name),
    checked: values[name] === true,
  })
  return { ...submission, values, getValues, setFieldValue, reset, field, toggle }
}
