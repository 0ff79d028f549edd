import { Stack, Text } from '@mantine/core'
import { ApiError } from '../../shared/api.ts'
import { useLocale, useTexts } from '../../shared/texts/texts.ts'
import { Ask } from '../Ask.tsx'
import { done } from '../done.ts'
import { listed } from '../listed.ts'
import { useFocusBack } from '../focus-back.ts'
import { NotChanged, removeCamera, type KnownCameras } from './cameras-file.ts'

interface RemoveCameraParts {
  readonly name: string
  readonly title: string
  readonly roles: KnownCameras['roles']
  readonly onClose: () => void
  readonly onRemoved: () => Promise<void>
}

/** Asks, and says who loses what. */
export function RemoveCamera({ name, title, roles, onClose, onRemoved }: RemoveCameraParts) {
  useFocusBack()
  const { cameras } = useTexts()
  const locale = useLocale()
  const listing = [...roles].filter(([, list]) => list.includes(name))
  const rolesWhere = (only: boolean): string[] =>
    listing.filter(([, list]) => list.every((each) => each === name) === only).map(([role]) => role)
  const [among, alone] = [rolesWhere(false), rolesWhere(true)]

  const remove = async () => {
    try {
      await removeCamera(name)
    } catch (error) {
      if (!(error instanceof NotChanged)) throw error
      throw new ApiError(error.why === 'gone' ? cameras.gone : cameras.byHand, { status: 409 })
    } finally {
      await onRemoved()
    }
    done(cameras.removed(title))
  }

  return (
    <Ask opened title={cameras.removeTitle(title)} confirm={cameras.remove} onClose={onClose} act={remove}>
      <Stack gap="sm">
        <Text>{cameras.removeBody}</Text>
        {among.length > 0 && <Text>{cameras.removeRoles(listed(among, locale, String))}</Text>}
        {alone.length > 0 && <Text>{cameras.removeOnly(listed(alone, locale, String))}</Text>}
      </Stack>
    </Ask>
  )
}
