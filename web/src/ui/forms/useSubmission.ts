import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState, type RefObject, type SubmitEvent } from 'react'
import { messageOf, problemOf } from '../../api/failure.ts'
import { useTexts, type Texts } from '../../i18n/texts.ts'
import { incompleteIn } from './incomplete.ts'

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

interface Rejected<Values, Field extends string> {
  readonly values: Values
  /** Fields with half a time, which the values have as empty. */
  readonly incomplete: readonly Field[]
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
  const [rejected, setRejected] = useState<Rejected<Values, Field>>()
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

  const checked = ({ values, incomplete }: Rejected<Values, Field>): Problems<Field> => ({
    ...check?.(values),
    ...(Object.fromEntries(incomplete.map((field) => [field, texts.incompleteTime])) as Problems<Field>),
  })
  const problems: Problems<Field> = rejected
    ? checked(rejected)
    : error && variables !== undefined
      ? (problemsIn?.(error, variables) ?? reportedIn(error, fields, texts))
      : {}

  useFocusFirst(
    form,
    fields.find((field) => problems[field] !== undefined),
    rejected ?? error,
  )

  const submit = (values: Values, incomplete: readonly Field[]) => {
    if (sending.current) return
    const entered = { values, incomplete }
    if (Object.values(checked(entered)).some((problem) => problem !== undefined)) {
      reset()
      setRejected(entered)
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
    /** Shows no failure any longer. */
    forget() {
      setRejected(undefined)
      reset()
    },
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
        submit(read(new FormData(event.currentTarget)), incompleteIn(event.currentTarget, fields))
      },
    },
  } as const
}

/** What the service says about the fields, or about the whole form. */
function reportedIn<Field extends string>(failure: Error, fields: readonly Field[], texts: Texts): Problems<Field> {
  const found = fields.map((field) => [field, problemOf(failure, field, texts)] as const)
  return found.some(([, problem]) => problem !== undefined)
    ? (Object.fromEntries(found) as Problems<Field>)
    : { whole: messageOf(failure, texts) }
}

/**
 * Focuses the first field with a problem.
 *
 * @param failure another one moves the focus again
 */
function useFocusFirst(
  form: RefObject<HTMLFormElement | null>,
  first: string | undefined,
  failure: object | undefined | null,
): void {
  // In an effect, because the field may only appear together with its problem.
  const focus = useEffectEvent(() => {
    if (first !== undefined) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  })
  useEffect(() => {
    if (failure) focus()
  }, [failure])
}
