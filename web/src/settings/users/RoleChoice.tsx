import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { RoleResponse } from '../../../../server/src/api-types.ts'
import { loadOf } from '../../api/load.ts'
import { useLocale, useTexts, type Texts } from '../../i18n/texts.ts'
import { FailedPart } from '../../ui/feedback/FailedPart.tsx'
import { formatList } from '../../lib/format-list.ts'
import { isLimited, type RoleKeys } from '../../users/role-keys.ts'
import { roleInWords } from '../../users/role-words.ts'
import { rolesQuery } from '../../users/roles.ts'
import { useTitles } from '../../cameras/useTitles.ts'

interface RoleChoiceProps {
  /** Empty until a role is chosen. */
  readonly value: string
  readonly onChange: (role: string) => void
  readonly error?: string | undefined
  readonly disabled?: boolean
}

/** Selects a role and describes what it can see. */
export function RoleChoice({ value, onChange, error, disabled = false }: RoleChoiceProps) {
  const texts = useTexts('users', 'grants')
  const locale = useLocale()
  const titleOf = useTitles()
  const found = loadOf(useQuery(rolesQuery))
  const roles = found.state === 'ready' ? found.value : undefined
  const names = roles?.map(({ name }) => name) ?? (value === '' ? [] : [value])

  return (
    <>
      <NativeSelect
        name="role"
        label={texts.users.role}
        description={label(value, roles, texts, {
          list: (cameras) => formatList(cameras.map(titleOf), locale, texts.users.sees.more),
          inWords: (keys) => roleInWords(keys, { texts, locale, titleOf }),
        })}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        // A current role that was deleted is shown, but cannot be chosen.
        data={[
          ...(names.includes(value) ? [] : [{ value, label: value || texts.users.noRoleYet, disabled: true }]),
          ...names,
        ]}
        required
        withAsterisk={false}
        error={error}
        disabled={disabled}
      />
      {found.state === 'failed' && <FailedPart error={found.error} again={found.again} />}
    </>
  )
}

function label(
  role: string,
  roles: readonly RoleResponse[] | undefined,
  { users }: Texts<'users'>,
  words: {
    readonly list: (cameras: readonly string[]) => string
    readonly inWords: (role: RoleKeys) => string
  },
): string {
  if (role === 'admin' || role === 'viewer') return users.sees[role]
  if (!roles || role === '') return ''
  const found = roles.find(({ name }) => name === role)
  if (!found) return users.noSuchRole({ role })
  const cameras = found.allowed_cameras
  if (cameras.length === 0) return users.sees.nothing
  return isLimited(found) ? words.inWords({ ...found, cameras }) : users.sees.cameras({ list: words.list(cameras) })
}
