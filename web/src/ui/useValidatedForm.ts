import { useEffect, useRef, useState, type SubmitEvent } from 'react'

/** Error messages by field; `whole` for errors that concern no single field. */
export type Problems<Field extends string> = { readonly [Name in Field | 'whole']?: string | undefined }

interface Validation<Field extends string> {
  readonly problems: Problems<Field>
  /** A new object each time, so that the focus moves again. */
  readonly first: { readonly field: Field } | undefined
}

interface ValidatedFormOptions<Field extends string> {
  /** The names of the fields, in order. */
  readonly fields: readonly Field[]
  /** Problems that can be found without the service. */
  readonly check: (sent: FormData) => Problems<Field>
  /** Sends the form. Problems found on the way can be returned. */
  readonly act: (sent: FormData) => Promise<Problems<Field> | void>
  readonly problemsIn: (error: unknown) => Problems<Field>
}

/** A form that is validated here and by the service. The first field with a problem gets the focus. */
export function useValidatedForm<Field extends string>({
  fields,
  check,
  act,
  problemsIn,
}: ValidatedFormOptions<Field>) {
  const form = useRef<HTMLFormElement>(null)
  const [busy, setBusy] = useState(false)
  const [{ problems, first }, setValidation] = useState<Validation<Field>>({ problems: {}, first: undefined })
  const setProblems = (problems: Problems<Field>) => {
    const first = fields.find((field) => problems[field] !== undefined)
    setValidation({ problems, first: first && { field: first } })
    return first === undefined
  }

  useEffect(() => {
    // In an effect, because the field may only appear together with its problem.
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first.field}"]`)?.focus()
  }, [first])

  const submit = async (sent: FormData) => {
    if (!setProblems(check(sent))) return
    setBusy(true)
    try {
      setProblems((await act(sent)) ?? {})
    } catch (error) {
      setProblems(problemsIn(error))
    } finally {
      setBusy(false)
    }
  }

  return {
    busy,
    problems,
    form: {
      ref: form,
      method: 'post',
      noValidate: true,
      onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        void submit(new FormData(event.currentTarget))
      },
    },
  } as const
}
