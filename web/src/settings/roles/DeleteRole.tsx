import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { notifySuccess } from '../../ui/feedback/notify.ts'
import { ApiError, fetchJson } from '../../api/api.ts'
import type { RoleDeleted, RoleResponse } from '../../../../server/src/api-types.ts'
import { loadOf } from '../../api/load.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { Card } from '../../ui/Card.tsx'
import { formatList } from '../../lib/format-list.ts'
import { rolePath } from '../../users/roles.ts'
import { consequencesOf, ConsequenceList } from './RoleConsequences.tsx'

/** Deletes a role after showing who becomes `viewer` and which cameras they gain (ROLE-7). */
export function DeleteRole({ role: { name } }: { role: RoleResponse }) {
  const { roles } = useTexts('roles')
  const locale = useLocale()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const consequences = loadOf(useQuery({ ...consequencesOf(name), enabled: asking }))

  const remove = async () => {
    let message: string
    try {
      const { reassigned } = await fetchJson<RoleDeleted>(rolePath(name), { method: 'DELETE' })
      message =
        reassigned.length > 0
          ? roles.deletedAnd({ name, users: formatList(reassigned, locale, roles.more) })
          : roles.deleted({ name })
    } catch (error) {
      if (!(error instanceof ApiError && error.failure.status === 404)) throw error
      message = roles.alreadyGone({ name })
    }
    notifySuccess(message)
    await navigate({
      to: '/settings/roles',
      replace: true,
      // Unsaved camera switches of a deleted role don't matter.
      ignoreBlocker: true,
    })
    for (const { all } of [queryKeys.users, queryKeys.roles]) void queries.invalidateQueries({ queryKey: all })
  }

  return (
    <Card title={roles.deleteTitle} lead={roles.deleteLead}>
      <Button
        variant="light"
        color="red"
        onClick={() => {
          queries.removeQueries({ queryKey: consequencesOf(name).queryKey })
          setAsking(true)
        }}
      >
        {roles.delete}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={roles.deleteAsk({ name })}
        confirm={roles.delete}
        waiting={consequences.state !== 'ready'}
        act={remove}
      >
        <ConsequenceList consequences={consequences} />
      </ConfirmDialog>
    </Card>
  )
}
