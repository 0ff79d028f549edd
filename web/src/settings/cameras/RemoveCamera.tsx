import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { send } from '../../api/api.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { notifySuccess } from '../../ui/feedback/notify.ts'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { formatList } from '../../lib/format-list.ts'
import {
  changeSettings,
  isOvertaken,
  rolesListing,
  sameJson,
  settingsOf,
  type KnownSettings,
} from '../../cameras/camera-settings.ts'

interface RemoveCameraProps {
  readonly name: string
  readonly title: string
  readonly known: KnownSettings
  readonly onClose: () => void
  readonly onRemoved: () => Promise<void>
}

/** Asks for confirmation and names the roles that lose the camera. */
export function RemoveCamera({ name, title, known: newest, onClose, onRemoved }: RemoveCameraProps) {
  const { cameras, roles } = useTexts('cameras', 'roles')
  const locale = useLocale()
  // The settings that the dialog describes, whatever changes while it is open.
  const [known] = useState(newest)
  const listing = rolesListing(known, name)
  const rolesWhere = (only: boolean): string[] =>
    listing.filter(({ cameras }) => cameras.every((each) => each === name) === only).map((role) => role.name)
  const [among, alone] = [rolesWhere(false), rolesWhere(true)]

  const remove = async () => {
    try {
      const same = (now: KnownSettings) =>
        settingsOf(now, name) !== undefined && sameJson(rolesListing(now, name), listing)
      await changeSettings(known, same, (ifMatch) =>
        send(`api/cameras/${encodeURIComponent(name)}`, { method: 'DELETE', ifMatch }),
      )
    } finally {
      await onRemoved()
    }
    notifySuccess(cameras.removed({ title }))
  }

  return (
    <ConfirmDialog
      opened
      title={cameras.removeTitle({ title })}
      confirm={cameras.remove}
      onClose={onClose}
      act={remove}
      problemIn={(error) => (isOvertaken(error) ? cameras.removeChanged : undefined)}
    >
      <Stack gap="sm">
        <Text>{cameras.removeBody}</Text>
        <Text>{cameras.removeRecordings}</Text>
        {among.length > 0 && <Text>{cameras.removeRoles({ roles: formatList(among, locale, roles.more) })}</Text>}
        {alone.length > 0 && <Text>{cameras.removeOnly({ roles: formatList(alone, locale, roles.more) })}</Text>}
      </Stack>
    </ConfirmDialog>
  )
}
