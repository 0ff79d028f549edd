import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { UserResponse } from '../../../../server/src/api-types.ts'
import { messageOf } from '../../api/failure.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { timeZone } from '../../lib/day.ts'
import { fieldMoment, fieldText } from '../../lib/field-time.ts'
import { moment } from '../../lib/format-time.ts'
import { FormProblem } from '../../ui/FormProblem.tsx'
import { notifySuccess } from '../../ui/notify.ts'
import { useForm } from '../../ui/useForm.ts'
import { statusProblem, useStatusChange } from './useStatusChange.ts'

interface ExpiryOfUserProps {
  readonly user: UserResponse
  readonly lastAdmin: boolean
}

/**
 * Sets or removes the time at which a user expires. An empty or incomplete field removes nothing: a browser reports both
 * as empty.
 */
export function ExpiryOfUser({ user: { username: name, key, expires_at: end }, lastAdmin }: ExpiryOfUserProps) {
  const texts = useTexts('users')
  const words = texts.users.status
  const locale = useLocale()
  const change = useStatusChange(key)
  const ends = end === null ? undefined : Date.parse(end) / 1000
  const began = ends === undefined ? '' : fieldText(ends)
  const { form, field, values, isPending, problems } = useForm({
    initialValues: { expires_at: began },
    check: ({ expires_at: text }) => ({ expires_at: expiryProblem(text, ends, words) }),
    send: ({ expires_at: text }) => change({ expires_at: momentOf(text, ends).toISOString() }),
    onSuccess: (_response, { expires_at: text }) =>
      notifySuccess(words.wasLimited({ name, when: moment(momentOf(text, ends).getTime(), locale) })),
    problemsIn: (error) => {
      const problem = statusProblem(error, texts)
      return problem === undefined ? undefined : { whole: problem }
    },
  })
  const removal = useMutation({
    mutationFn: () => change({ expires_at: null }),
    onSuccess: () => notifySuccess(words.wasUnlimited({ name })),
  })

  return (
    <form {...form} action="settings/users">
      <Stack align="flex-start">
        <FormProblem of={problems.whole ?? (removal.error ? messageOf(removal.error, texts) : undefined)} />
        <TextInput
          {...field('expires_at')}
          type="datetime-local"
          label={words.expires}
          description={words.expiresHint({ zone: timeZone() })}
          disabled={lastAdmin && end === null}
        />
        <Group>
          <Button
            type="submit"
            variant="default"
            loading={isPending}
            disabled={values.expires_at === began || (lastAdmin && end === null)}
          >
            {words.saveExpiry}
          </Button>
          {end !== null && (
            <Button variant="subtle" loading={removal.isPending} onClick={() => removal.mutate()}>
              {words.removeExpiry}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}

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
