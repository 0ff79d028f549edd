import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ApiError, send } from '../../shared/api.ts'
import { useSettingsTexts } from '../../shared/texts/admin-texts.ts'
import { useLocale } from '../../shared/texts/texts.ts'
import { Ask } from '../Ask.tsx'
import { done } from '../done.ts'
import { listed } from '../listed.ts'
import { useFocusBack } from '../focus-back.ts'
import {
  changeSettings,
  isOvertaken,
  rolesListing,
  sameJson,
  settingsOf,
  type KnownSettings,
} from './camera-settings.ts'

interface RemoveCameraParts {
  readonly name: string
  readonly title: string
  readonly known: KnownSettings
  readonly onClose: () => void
  readonly onRemoved: () => Promise<void>
}

/** Asks, and says who loses what. */
export function RemoveCamera({ name, title, known: newest, onClose, onRemoved }: RemoveCameraParts) {
  useFocusBack()
  const { cameras, roles } = useSettingsTexts()
  const locale = useLocale()
  // As it is stated below, whatever changes while this is open.
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
    } catch (error) {
      if (!isOvertaken(error)) throw error
      throw new ApiError(cameras.removeChanged, { status: 412 })
    } finally {
      await onRemoved()
    }
    done(cameras.removed(title))
  }

  return (
    <Ask opened title={cameras.removeTitle(title)} confirm={cameras.remove} onClose={onClose} act={remove}>
      <Stack gap="sm">
        <Text>{cameras.removeBody}</Text>
        {among.length > 0 && <Text>{cameras.removeRoles(listed(among, locale, roles.more))}</Text>}
        {alone.length > 0 && <Text>{cameras.removeOnly(listed(alone, locale, roles.more))}</Text>}
      </Stack>
    </Ask>
  )
}
