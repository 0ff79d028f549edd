import { Alert, Button, Group, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { send } from '../api/api.ts'
import { messageOf } from '../api/failure.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { moment } from '../lib/format-time.ts'
import { notifyFailure } from '../ui/feedback/notify.ts'
import classes from './FactorReset.module.css'

/** Says on every page that an admin removed the user's factors, until the user has seen it (MFA-5). */
export function FactorReset({ by, at }: { by: string; at: string }) {
  const texts = useTexts('security')
  const { security } = texts
  const locale = useLocale()
  const queries = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => send('api/account/factor-reset', { method: 'DELETE' }),
    onError: (error) => notifyFailure(messageOf(error, texts)),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.profile }),
  })
  return (
    <div className={classes.place}>
      <Alert color="yellow" title={security.resetTitle}>
        <Stack gap="sm">
          {security.reset({ by, when: moment(Date.parse(at), locale) })}
          <Group gap="xs">
            <Button variant="default" loading={isPending} onClick={() => mutate()}>
              {security.understood}
            </Button>
            <Button renderRoot={(props) => <Link {...props} to="/account/security" />} variant="subtle">
              {texts.suspended.enroll}
            </Button>
          </Group>
        </Stack>
      </Alert>
    </div>
  )
}
