import { useQuery } from '@tanstack/react-query'
import { camerasQuery, titleOf } from '../../cameras/queries.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import type { RoleKeys } from '../../users/role-keys.ts'
import { camerasInWords, limitsInWords, roleInWords } from '../../users/role-words.ts'

interface RoleWords {
  /** Everything that a role gives. Cameras that don't exist are marked. */
  readonly role: (keys: RoleKeys) => string
  readonly cameras: (entries: readonly string[]) => string
  readonly limits: (keys: RoleKeys) => string
}

/** What roles give, in words. */
export function useRoleWords(): RoleWords {
  const texts = useTexts('roles', 'grants')
  const locale = useLocale()
  const { data } = useQuery(camerasQuery)
  const titles = new Map(data?.map((camera) => [camera.name, titleOf(camera)]))
  const shown = (name: string) => titles.get(name) ?? (data ? texts.roles.missing({ name }) : name)
  const words = { texts, locale, titleOf: shown }
  return {
    role: (keys) => roleInWords(keys, words),
    cameras: (entries) => camerasInWords(entries, words),
    limits: (keys) => limitsInWords(keys, words),
  }
}
