import { useQuery } from '@tanstack/react-query'
import { camerasQuery, titleOf } from '../../cameras/queries.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import type { RoleKeys } from '../../users/role-keys.ts'
import { roleInWords } from '../../users/role-words.ts'

/** A function that says what a role gives. It marks cameras that don't exist. */
export function useRoleWords(): (keys: RoleKeys) => string {
  const texts = useTexts('roles', 'grants')
  const locale = useLocale()
  const { data } = useQuery(camerasQuery)
  const titles = new Map(data?.map((camera) => [camera.name, titleOf(camera)]))
  const shown = (name: string) => titles.get(name) ?? (data ? texts.roles.missing({ name }) : name)
  return (keys) => roleInWords(keys, { texts, locale, titleOf: shown })
}
