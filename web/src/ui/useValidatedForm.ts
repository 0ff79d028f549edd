import { useEffect, useRef, useState, type SubmitEvent } from 'react'

/** What is wrong with which field; `whole`: with none of them. */
export type Problems<Field extends string> = { readonly [Name in Field | 'whole']?: string | undefined }

interface Judged<Field extends string> {
  readonly problems: Problems<Field>
  /** Another one each time, for the focus to come back. */
  readonly first: { readonly field: Field } | undefined
}

interface JudgedForm<Field extends string> {
  /** The names of the fields, in order. */
  readonly fields: readonly Field[]
  /** What can be told without asking. */
  readonly check: (sent: FormData) => Problems<Field>
  /** Sends it. What was found out on the way may be answered. */
  readonly act: (sent: FormData) => Promise<Problems<Field> | void>
  readonly problemsIn: (error: unknown) => Problems<Field>
}

/** A form that the service judges. The first field that something is wrong with gets the focus. */
export function useValidatedForm<Field extends string>({ fields, check, act, problemsIn }: JudgedForm<Field>) {
  const form = useRef<HTMLFormElement>(null)
  const [busy, setBusy] = useState(false)
  const [{ problems, first }, setJudged] = useState<Judged<Field>>({ problems: {}, first: undefined })
  const setProblems = (problems: Problems<Field>) => {
    const first = fields.find((field) => problems[field] !== undefined)
    setJudged({ problems, first: first && { field: first } })
    return first === undefined
  }

  useEffect(() => {
    // Not before: a field may have come with what is wrong with it.
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first.field}"]`)?.focus()
  }, [first])

  const judge = async (sent: FormData) => {
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
        void judge(new FormData(event.currentTarget))
      },
    },
  } as const
}
