import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { FactorsResponse, NewTotp, RecoveryCodes } from '../../../../server/src/api-types.ts'
import { fetchJson, jsonOf, send, sendJson } from '../../api/api.ts'
import { messageOf } from '../../api/failure.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { day } from '../../lib/format-time.ts'
import { CodeText } from '../../ui/CodeText.tsx'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { CopyText } from '../../ui/CopyText.tsx'
import { DialogForm } from '../../ui/forms/DialogForm.tsx'
import { FormDialog } from '../../ui/dialogs/FormDialog.tsx'
import { notifyFailure, notifySuccess } from '../../ui/feedback/notify.ts'
import { useForm } from '../../ui/forms/useForm.ts'
import { Section } from '../Section.tsx'
import { QrCode } from './QrCode.tsx'
import { useFactorsChanged } from './useFactorsChanged.ts'
import type { Codes } from '../../session/new-codes.ts'

interface AppSectionProps {
  readonly app: FactorsResponse['totp']
  readonly onCodes: (codes: Codes) => void
}

/** The authenticator app. */
export function AppSection({ app, onCodes }: AppSectionProps) {
  const texts = useTexts('security')
  const words = texts.security.app
  const locale = useLocale()
  const changed = useFactorsChanged()
  const [fresh, setFresh] = useState<NewTotp>()
  const [removing, setRemoving] = useState(false)
  const start = useMutation({
    mutationFn: () => fetchJson<NewTotp>('api/account/totp', { method: 'POST' }),
    onSuccess: setFresh,
    onError: (error) => notifyFailure(messageOf(error, texts)),
  })
  const remove = async () => {
    await send('api/account/factors/totp', { method: 'DELETE' })
    notifySuccess(words.removed)
    await changed()
  }
  return (
    <Section title={words.title} lead={words.lead}>
      <Text>{app ? words.since({ when: day(Date.parse(app.created_at), locale) }) : words.none}</Text>
      <Group>
        <Button variant={app ? 'default' : 'filled'} loading={start.isPending} onClick={() => start.mutate()}>
          {app ? words.replace : words.setUp}
        </Button>
        {app && (
          <Button variant="subtle" color="red" onClick={() => setRemoving(true)}>
            {words.remove}
          </Button>
        )}
      </Group>
      {fresh && <SetUp fresh={fresh} onCodes={onCodes} onClose={() => setFresh(undefined)} />}
      <ConfirmDialog
        opened={removing}
        onClose={() => setRemoving(false)}
        title={words.removeTitle}
        confirm={words.remove}
        act={remove}
      >
        <Text>{words.removeBody}</Text>
      </ConfirmDialog>
    </Section>
  )
}

interface SetUpProps {
  readonly fresh: NewTotp
  readonly onCodes: (codes: Codes) => void
  readonly onClose: () => void
}

function SetUp({ fresh: { secret, uri }, onCodes, onClose }: SetUpProps) {
  const texts = useTexts('security')
  const words = texts.security.app
  const changed = useFactorsChanged()
  const { form, field, isPending, problems } = useForm({
    initialValues: { code: '' },
    check: ({ code }) => ({ code: code.trim() === '' ? words.codeMissing : undefined }),
    send: ({ code }) => jsonOf<RecoveryCodes>(sendJson('POST /api/account/totp/confirm', {}, { code: code.trim() })),
    onSuccess: ({ recovery_codes: codes }) => {
      onCodes(codes)
      onClose()
      void changed()
    },
    problemsIn: (error) => ({ code: messageOf(error, texts) }),
  })
  return (
    <FormDialog opened onClose={onClose} title={words.setUp}>
      <DialogForm
        form={{ ...form, action: 'account/security' }}
        isPending={isPending}
        submit={words.confirm}
        onCancel={onClose}
      >
        <Text>{words.scan}</Text>
        <QrCode text={uri} label={words.qr} />
        <Stack gap={4}>
          <Text size="sm" c="dimmed">
            {words.secret}
          </Text>
          <CodeText display="block">{secret}</CodeText>
        </Stack>
        <Group>
          <CopyText value={secret} variant="default">
            {words.copySecret}
          </CopyText>
        </Group>
        <TextInput
          {...field('code')}
          label={words.code}
          error={problems.code}
          autoComplete="one-time-code"
          inputMode="numeric"
          spellCheck={false}
          maxLength={16}
          required
          withAsterisk={false}
          data-autofocus
        />
        <Text size="sm" c="dimmed">
          {words.ends}
        </Text>
      </DialogForm>
    </FormDialog>
  )
}
