import { Button, Group, Text } from '@mantine/core'
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { FactorsResponse } from '../../../../server/src/api-types.ts'
import { fetchJson, send } from '../../api/api.ts'
import { messageOf } from '../../api/failure.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { ago, day } from '../../lib/format-time.ts'
import { useNow } from '../../lib/useNow.ts'
import { canUsePasskeys } from '../../session/factors/passkey.ts'
import list from '../../ui/lists/RowList.module.css'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { notifyFailure, notifySuccess } from '../../ui/feedback/notify.ts'
import { Section } from '../Section.tsx'
import { AddPasskey, RenamePasskey, type Passkey } from './passkey-dialogs.tsx'
import { useFactorsChanged } from './useFactorsChanged.ts'
import type { Codes } from '../../session/new-codes.ts'

interface PasskeysSectionProps {
  readonly passkeys: FactorsResponse['passkeys']
  readonly onCodes: (codes: Codes) => void
}

/** The user's passkeys. */
export function PasskeysSection({ passkeys, onCodes }: PasskeysSectionProps) {
  const texts = useTexts('security')
  const words = texts.security.passkeys
  const changed = useFactorsChanged()
  const [adding, setAdding] = useState<PublicKeyCredentialCreationOptionsJSON>()
  const [renamed, setRenamed] = useState<Passkey>()
  const [removed, setRemoved] = useState<Passkey>()
  // Before the dialog, so that users confirm who they are first, and the browser asks right after a click.
  const start = useMutation({
    mutationFn: () =>
      fetchJson<PublicKeyCredentialCreationOptionsJSON>('api/account/passkeys/options', { method: 'POST' }),
    onSuccess: setAdding,
    onError: (error) => notifyFailure(messageOf(error, texts)),
  })
  const remove = async ({ id }: Passkey) => {
    await send(`api/account/factors/${encodeURIComponent(id)}`, { method: 'DELETE' })
    notifySuccess(words.removed)
    await changed()
  }
  return (
    <Section title={words.title} lead={words.lead}>
      {passkeys.length === 0 ? (
        <Text>{words.none}</Text>
      ) : (
        <ul className={list.list}>
          {passkeys.map((passkey) => (
            <PasskeyItem
              key={passkey.id}
              passkey={passkey}
              onRename={() => setRenamed(passkey)}
              onRemove={() => setRemoved(passkey)}
            />
          ))}
        </ul>
      )}
      {canUsePasskeys() ? (
        <Group>
          <Button variant="default" loading={start.isPending} onClick={() => start.mutate()}>
            {words.add}
          </Button>
        </Group>
      ) : (
        <Text size="sm" c="dimmed">
          {words.unsupported}
        </Text>
      )}
      {adding && <AddPasskey options={adding} onCodes={onCodes} onClose={() => setAdding(undefined)} />}
      {renamed && <RenamePasskey passkey={renamed} onClose={() => setRenamed(undefined)} />}
      {removed && (
        <ConfirmDialog
          opened
          onClose={() => setRemoved(undefined)}
          title={words.removeTitle({ name: removed.name })}
          confirm={words.remove}
          act={() => remove(removed)}
        >
          <Text>{words.removeBody}</Text>
        </ConfirmDialog>
      )}
    </Section>
  )
}

interface PasskeyItemProps {
  readonly passkey: Passkey
  readonly onRename: () => void
  readonly onRemove: () => void
}

function PasskeyItem({ passkey, onRename, onRemove }: PasskeyItemProps) {
  const { name, created_at: created, last_used_at: used } = passkey
  const words = useTexts('security').security.passkeys
  const locale = useLocale()
  const now = useNow(30_000)
  return (
    <li className={list.item}>
      <div className={list.text}>
        <Text fw={550}>{name}</Text>
        <Text size="sm" c="dimmed">
          {words.since({ when: day(Date.parse(created), locale) })} ·{' '}
          {used === null ? words.unused : words.used({ when: ago(Date.parse(used), now, locale) })}
        </Text>
      </div>
      <IconButton icon={IconPencil} label={words.renameOf({ name })} onClick={onRename} />
      <IconButton icon={IconTrash} label={words.removeOf({ name })} onClick={onRemove} />
    </li>
  )
}
