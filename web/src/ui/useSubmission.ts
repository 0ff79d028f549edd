import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState, type SubmitEvent } from 'react'
import { messageOf, problemOf } from '../api/failure.ts'
import { useTexts } from '../i18n/texts.ts'

/** Error messages by field; `whole` for errors that concern no single field. */
export type Problems<Field extends string> = { readonly [Name in Field | 'whole']?: string | undefined }

type Callbacks<Values, Result> = Pick<UseMutationOptions<Result, Error, Values>, 'onSuccess' | 'onError' | 'onSettled'>

export interface SubmissionOptions<Values, Result, Field extends string = keyof Values & string> extends Callbacks<
  Values,
  Result
> {
  /** Problems that can be found without the service. */
  readonly check?: (values: Values) => Problems<Field>
  readonly send: (values: Values) => Promise<Result>
  /** What the page itself says about a failure; undefined for the service's own problems. */
  readonly problemsIn?: (error: Error, values: Values) => Problems<Field> | undefined
}

interface FormSource<Values, Field extends string> {
  /** The names of the fields, in order. */
  readonly fields: readonly Field[]
  readonly read: (sent: FormData) => Values
}

/**
 * Submits a form's values, once at a time. The first field with a problem gets the focus. What is kept of a failure are
 * the rejected values or the error; the messages follow from them, so they are always in the language of the page.
 */
export function useSubmission<Values, Result, Field extends string = keyof Values & string>({
  fields,
  read,
  check,
  send,
  problemsIn,
  ...callbacks
}: SubmissionOptions<Values, Result, Field> & FormSource<Values, Field>) {
  const texts = useTexts()
  const form = useRef<HTMLFormElement>(null)
  /** Two events can come before the button is disabled. */
  const sending = useRef(false)
  /** A new object for each attempt, so that the focus moves again. */
  const [rejected, setRejected] = useState<{ readonly values: Values }>()
  const { mutate, reset, isPending, error, variables, data } = useMutation({
    mutationFn: async (values) => {
      try {
        return await send(values)
      } finally {
        sending.current = false
      }
    },
    ...callbacks,
  })

  const reported = (failure: Error): Problems<Field> => {
    const found = fields.map((field) => [field, problemOf(failure, field, texts)] as const)
    return found.some(([, problem]) => problem !== undefined)
      ? (Object.fromEntries(found) as Problems<Field>)
      : { whole: messageOf(failure, texts) }
  }
  const checked = (values: Values): Problems<Field> => check?.(values) ?? {}
  const problems: Problems<Field> = rejected
    ? checked(rejected.values)
    : error && variables !== undefined
      ? (problemsIn?.(error, variables) ?? reported(error))
      : {}

  // In an effect, because the field may only appear together with its problem.
  const focusFirst = useEffectEvent(() => {
    const first = fields.find((field) => problems[field] !== undefined)
    if (first !== undefined) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  })
  useEffect(() => {
    if (rejected || error) focusFirst()
  }, [rejected, error])

  const submit = (values: Values) => {
    if (sending.current) return
    if (Object.values(checked(values)).some((problem) => problem !== undefined)) {
      reset()
      setRejected({ values })
      return
    }
    setRejected(undefined)
    sending.current = true
    mutate(values)
  }

  return {
    problems,
    isPending,
    /** Why the last submission failed. */
    error,
    /** The values of the last submission. */
    sent: variables,
    /** The result of the last submission, if it succeeded. */
    result: data,
    form: {
      ref: form,
      method: 'post',
      noValidate: true,
      onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        submit(read(new FormData(event.currentTarget)))
      },
    },
  } as const
}
