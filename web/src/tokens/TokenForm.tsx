import { Alert, Button, Group, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { NewApiTokenResponse } from '../../../server/src/api-types.ts'
import { jsonOf, sendJson } from '../api/api.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { timeZone } from '../lib/day.ts'
import { useMe } from '../session/session.ts'
import { useProviderName } from '../session/useProvider.ts'
import { Card } from '../ui/Card.tsx'
import { LeaveGuard } from '../ui/dialogs/LeaveGuard.tsx'
import { NameField } from '../ui/forms/DialogForm.tsx'
import { FormProblem } from '../ui/forms/FormProblem.tsx'
import type { FieldProps } from '../ui/forms/useForm.ts'
import { useForm } from '../ui/forms/useForm.ts'
import type { NewTokenSearch } from './new-token-search.ts'
import { expiries, problemsOf, tokenOf, valuesFrom, type Unavailable } from './token-form.ts'
import { ActionsField, CamerasField } from './TokenFields.tsx'
import classes from './TokenForm.module.css'

interface TokenFormProps {
  readonly search: NewTokenSearch
  readonly onCreated: (token: NewApiTokenResponse) => void
}

const seconds = (): number => Date.now() / 1000

/** What the new token is for, what it can do, and until when. */
export function TokenForm({ search, onCreated }: TokenFormProps) {
  const texts = useTexts('tokens')
  const { form: words } = texts.tokens
  const { allowed_cameras: cameras, actions, auth } = useMe()
  const queries = useQueryClient()
  const [[initialValues, unavailable]] = useState(() =>
    valuesFrom(search, { cameras, actions, hasPassword: auth === 'password' }, seconds()),
  )
  const { form, field, toggle, values, problems, error, isPending, setFieldValue } = useForm({
    initialValues,
    check: (given) => problemsOf(given, seconds(), texts),
    send: (given) => jsonOf<NewApiTokenResponse>(sendJson('POST /api/tokens', {}, tokenOf(given, seconds()))),
    onSuccess: onCreated,
    onSettled: () => void queries.invalidateQueries({ queryKey: queryKeys.tokens.all }),
  })
  const isChanged = JSON.stringify(values) !== JSON.stringify(initialValues)
  return (
    <form {...form} action="account/tokens/new" className={classes.form}>
      <LeaveGuard unsaved={isChanged && !isPending} of={undefined} />
      <Stack gap="lg">
        <NotAvailable of={unavailable} />
        <FormProblem of={problems.whole} error={error} />
        <Card title={words.nameTitle}>
          <NameField {...field('name')} label={words.name} description={words.nameHint} />
        </Card>
        <Card title={words.cameras} lead={words.camerasLead}>
          <CamerasField
            all={values.all}
            value={values.cameras}
            onAll={(all) => setFieldValue('all', all)}
            onChange={(chosen) => setFieldValue('cameras', chosen)}
            error={problems.cameras}
          />
        </Card>
        <Card title={words.actions} lead={words.actionsLead}>
          <ActionsField
            value={values.actions}
            onChange={(chosen) => setFieldValue('actions', chosen)}
            error={problems.actions}
          />
        </Card>
        <Card title={words.end}>
          <Stack>
            <ExpiryFields preset={field('expires')} at={field('expires_at')} />
            {auth === 'oidc' ? (
              <EndsWithProvider />
            ) : (
              <Switch
                {...toggle('ends_with_password')}
                label={words.endsWithPassword}
                description={words.endsWithPasswordHint}
              />
            )}
          </Stack>
        </Card>
        <Group justify="flex-end" className={classes.buttons} data-pinned>
          <Button variant="default" renderRoot={(props) => <Link to="/account/tokens" {...props} />}>
            {texts.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {words.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface ExpiryFieldsProps {
  readonly preset: FieldProps<(typeof expiries)[number]>
  readonly at: FieldProps<string>
}

function ExpiryFields({ preset, at }: ExpiryFieldsProps) {
  const { form: words } = useTexts('tokens').tokens
  return (
    <Group align="flex-start">
      <NativeSelect
        {...preset}
        label={words.expires}
        data={expiries.map((value) => ({
          value,
          label: value === 'at' || value === 'never' ? words[value] : words.days({ days: Number(value) }),
        }))}
      />
      {preset.value === 'at' && (
        <TextInput
          {...at}
          type="datetime-local"
          label={words.expiresAt}
          description={words.zone({ zone: timeZone() })}
        />
      )}
    </Group>
  )
}

/** What the link asks for and this user doesn't have. */
function NotAvailable({ of: { cameras, actions, expires } }: { of: Unavailable }) {
  const { form: words } = useTexts('tokens').tokens
  const locale = useLocale()
  const join = (names: readonly string[]) => new Intl.ListFormat(locale).format(names)
  if (cameras.length === 0 && actions.length === 0 && !expires) return null
  return (
    <Alert color="yellow" title={words.unavailable}>
      {cameras.length > 0 && <div>{words.unavailableCameras({ names: join(cameras) })}</div>}
      {actions.length > 0 && <div>{words.unavailableActions({ names: join(actions) })}</div>}
      {expires && <div>{words.unavailableExpiry}</div>}
    </Alert>
  )
}

/** What the token of an identity provider's user depends on (OIDC-3). */
function EndsWithProvider() {
  const { form } = useTexts('tokens').tokens
  return <Text size="sm">{form.endsWithProvider({ name: useProviderName() })}</Text>
}
