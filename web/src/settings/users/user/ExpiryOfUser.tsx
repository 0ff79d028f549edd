import { Alert, Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { UserResponse } from '../../../../../server/src/api-types.ts'
import { messageOf } from '../../../api/failure.ts'
import { useLocale, useTexts } from '../../../i18n/texts.ts'
import { timeZone } from '../../../lib/day.ts'
import { fieldMoment, fieldText } from '../../../lib/field-time.ts'
import { moment } from '../../../lib/format-time.ts'
import { FormProblem } from '../../../ui/forms/FormProblem.tsx'
import { notifySuccess } from '../../../ui/feedback/notify.ts'
import { useForm } from '../../../ui/forms/useForm.ts'
import { statusProblem, useStatusChange } from './useStatusChange.ts'

interface ExpiryOfUserProps {
  readonly user: UserResponse
  readonly lastAdmin: boolean
}

/**
 * Sets or removes the time at which a user expires. An empty or incomplete field removes nothing: a browser reports both
 * as empty.
 */
export function ExpiryOfUser({ user, lastAdmin }: ExpiryOfUserProps) {
  const { status: words } = useTexts('users').users
  const { form, field, isChanged, isOvertaken, isPending, removal, problem, error } = useExpiryForm(user)
  const isLocked = lastAdmin && user.expires_at === null
  return (
    <form {...form} action="settings/users">
      <Stack align="flex-start">
        <FormProblem of={problem} error={error} />
        {isOvertaken && <Overtaken user={user} />}
        <TextInput
          {...field('expires_at')}
          type="datetime-local"
          label={words.expires}
          description={words.expiresHint({ zone: timeZone() })}
          disabled={isLocked}
        />
        <Group>
          <Button
            type="submit"
            variant="default"
            loading={isPending}
            disabled={!isChanged || isLocked || removal.isPending}
          >
            {words.saveExpiry}
          </Button>
          {user.expires_at !== null && (
            <Button variant="subtle" loading={removal.isPending} disabled={isPending} onClick={() => removal.mutate()}>
              {words.removeExpiry}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

function Overtaken({ user: { username: name, expires_at: end } }: { user: UserResponse }) {
  const { users } = useTexts('users')
  const locale = useLocale()
  return (
    <Alert role="alert" color="yellow" title={users.roleChangedByOtherTitle}>
      {end === null
        ? users.status.removedByOther({ name })
        : users.status.limitedByOther({ name, when: moment(Date.parse(end), locale) })}
    </Alert>
  )
}

/** Continues with what is in the field, as a change of what was saved last. Without a change, the field follows the user. */
function useExpiryForm({ username: name, key, expires_at: end }: UserResponse) {
  const texts = useTexts('users')
  const words = texts.users.status
  const locale = useLocale()
  const change = useStatusChange(key)
  const now = textOf(end)
  const ends = end === null ? undefined : Date.parse(end) / 1000
  // What the edit is based on.
  const [began, setBegan] = useState(now)
  const form = useForm({
    initialValues: { expires_at: began },
    check: ({ expires_at: text }) => ({ expires_at: expiryProblem(text, ends, words) }),
    send: ({ expires_at: text }) => {
      removal.reset()
      return change({ expires_at: momentOf(text, ends).toISOString() })
    },
    onSuccess: (_response, { expires_at: text }) => {
      const saved = momentOf(text, ends)
      resume(text, textOf(saved.toISOString()))
      notifySuccess(words.wasLimited({ name, when: moment(saved.getTime(), locale) }))
    },
    problemsIn: (error) => {
      const problem = statusProblem(error, texts)
      return problem === undefined ? undefined : { whole: problem }
    },
  })
  const removal = useMutation({
    mutationFn: () => change({ expires_at: null }),
    onMutate: form.forget,
    onSuccess: () => {
      resume(began, '')
      notifySuccess(words.wasUnlimited({ name }))
    },
  })
  /** @param shown what the field shows, unless something else was typed since */
  const resume = (shown: string, saved: string) => {
    if (isSame(form.getValues().expires_at, shown)) form.setFieldValue('expires_at', saved)
    setBegan(saved)
  }

  const { expires_at: typed } = form.values
  const isChanged = !isSame(typed, began)
  const isOvertakenNow = now !== began && !form.isPending && !removal.isPending
  const follows = isOvertakenNow && (!isChanged || isSame(typed, now))
  const follow = useEffectEvent(() => resume(typed, now))
  useEffect(() => {
    if (follows) follow()
  }, [follows])

  return {
    form: form.form,
    field: form.field,
    isPending: form.isPending,
    isChanged,
    isOvertaken: isOvertakenNow && !follows,
    removal,
    error: form.error ?? removal.error,
    problem: form.problems.whole ?? (removal.error ? messageOf(removal.error, texts) : undefined),
  }
}

const textOf = (end: string | null): string => (end === null ? '' : fieldText(Date.parse(end) / 1000))

/** Whether two texts are the same time: a browser leaves out seconds that are zero. */
const isSame = (one: string, other: string): boolean => fieldMoment(one) === fieldMoment(other)

/** @param near the time that was set, Unix seconds */
const momentOf = (text: string, near: number | undefined): Date =>
  new Date((fieldMoment(text, near) ?? Number.NaN) * 1000)

function expiryProblem(
  text: string,
  near: number | undefined,
  words: { readonly expiryMissing: string; readonly expiryPast: string },
): string | undefined {
  const at = fieldMoment(text, near)
  if (at === undefined) return words.expiryMissing
  return at * 1000 <= Date.now() ? words.expiryPast : undefined
}
