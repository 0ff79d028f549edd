import { Alert, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ScreenResponse, WaitingDisplay } from '../../../../server/src/api-types.ts'
import { jsonOf, sendJson } from '../../api/api.ts'
import { messageOf } from '../../api/failure.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { ago } from '../../lib/format-time.ts'
import { deviceOf } from '../../session/device.ts'
import { DialogForm } from '../../ui/forms/DialogForm.tsx'
import { FormDialog } from '../../ui/dialogs/FormDialog.tsx'
import { notifySuccess } from '../../ui/feedback/notify.ts'
import { useForm } from '../../ui/forms/useForm.ts'
import { newScreen, problemsOf, screenOf } from './screen-form.ts'
import { ScreenFields } from './ScreenFields.tsx'
import { pairUrl } from './pair-url.ts'
import classes from './ScreensPage.module.css'

/** A display that waits with a code, and when that was asked, Unix milliseconds. */
interface Found {
  readonly code: string
  readonly display: WaitingDisplay
  readonly at: number
}

const focus = (element: HTMLElement | null) => element?.focus()

/** Adds a screen: first the code of its display, then what it shows. */
export function AddScreen({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { screens } = useTexts('screens')
  const [found, setFound] = useState<Found>()
  return (
    <FormDialog opened={opened} onClose={onClose} onGone={() => setFound(undefined)} title={screens.list.add}>
      {found ? <ConfirmForm found={found} onDone={onClose} /> : <CodeForm onFound={setFound} onCancel={onClose} />}
    </FormDialog>
  )
}

function CodeForm({ onFound, onCancel }: { onFound: (found: Found) => void; onCancel: () => void }) {
  const texts = useTexts('screens')
  const { form: words } = texts.screens
  const { form, field, isPending, problems } = useForm({
    initialValues: { code: '' },
    check: ({ code }) => ({ code: code.trim() === '' ? words.codeMissing : undefined }),
    send: ({ code }) => jsonOf<WaitingDisplay>(sendJson('POST /api/pairings/find', {}, { code })),
    onSuccess: (display, { code }) => onFound({ code, display, at: Date.now() }),
    problemsIn: (error) => ({ code: messageOf(error, texts) }),
  })
  return (
    <DialogForm
      form={{ ...form, action: 'settings/screens' }}
      isPending={isPending}
      submit={words.find}
      onCancel={onCancel}
    >
      <TextInput
        {...field('code')}
        className={classes.code}
        label={words.code}
        description={words.codeHint({ url: pairUrl() })}
        error={problems.code}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={32}
        required
        withAsterisk={false}
        data-autofocus
      />
    </DialogForm>
  )
}

function ConfirmForm({ found, onDone }: { found: Found; onDone: () => void }) {
  const { screens } = useTexts('screens')
  const queries = useQueryClient()
  const form = useForm({
    initialValues: newScreen,
    check: (values) => problemsOf(values, screens),
    send: (values) =>
      jsonOf<ScreenResponse>(sendJson('POST /api/pairings/confirm', {}, { code: found.code, ...screenOf(values) })),
    onSuccess: ({ name }) => {
      notifySuccess(screens.form.added({ name }))
      onDone()
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: queryKeys.screens.list }),
  })
  return (
    <DialogForm
      form={{ ...form.form, action: 'settings/screens' }}
      isPending={form.isPending}
      submit={screens.list.add}
      onCancel={onDone}
    >
      <WhichDisplay found={found} />
      <ScreenFields of={form} />
    </DialogForm>
  )
}

/**
 * Without it, an admin could confirm the code of someone else’s display. It gets the focus, because the field that had
 * it is gone.
 */
function WhichDisplay({ found: { display, at } }: { found: Found }) {
  const texts = useTexts('account', 'screens')
  const locale = useLocale()
  const { isYours, isYoursBody } = texts.screens.form
  return (
    <Alert ref={focus} tabIndex={-1} color="yellow" title={isYours}>
      {isYoursBody({
        device: deviceOf(display.user_agent, texts),
        address: display.address,
        when: ago(Date.parse(display.requested_at), at, locale),
      })}
    </Alert>
  )
}
