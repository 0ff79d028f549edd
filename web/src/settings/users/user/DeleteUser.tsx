import { Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { notifySuccess } from '../../../ui/feedback/notify.ts'
import type { UserResponse } from '../../../../../server/src/api-types.ts'
import { ApiError, send } from '../../../api/api.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { Card } from '../../../ui/Card.tsx'
import { providerHostOf } from '../../../users/provider-host.ts'
import { userPath } from '../../../users/users.ts'
import { useIsMe } from '../UserFacts.tsx'

const isLastAdmin = (error: unknown): boolean => error instanceof ApiError && error.failure.status === 409

/** Deletes a user, after a confirmation that names the consequences. */
export function DeleteUser({ user, lastAdmin }: { user: UserResponse; lastAdmin: boolean }) {
  const { username, key } = user
  const { users } = useTexts('users')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const mine = useIsMe(user)
  const host = providerHostOf(user)
  const [asking, setAsking] = useState(false)

  const refetch = () => {
    for (const { all } of [queryKeys.users, queryKeys.roles]) void queries.invalidateQueries({ queryKey: all })
  }
  const remove = async () => {
    let message = users.deleted({ name: username })
    try {
      await send(userPath(key), { method: 'DELETE' })
    } catch (error) {
      if (isLastAdmin(error)) refetch()
      if (!(error instanceof ApiError && error.failure.status === 404)) throw error
      message = users.alreadyGone({ name: username })
    }
    notifySuccess(message)
    await navigate({ to: '/settings/users', replace: true })
    refetch()
  }

  return (
    <Card title={users.deleteTitle} lead={users.deleteLead}>
      <Button variant="light" color="red" disabled={lastAdmin} onClick={() => setAsking(true)}>
        {users.delete}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={users.deleteAsk({ name: username })}
        confirm={users.delete}
        act={remove}
        problemIn={(error) => (isLastAdmin(error) ? users.lastAdminRefused : undefined)}
      >
        <Text>{users.deleteBody({ name: username })}</Text>
        {host !== undefined && <Text>{users.provider.returns({ name: username, host })}</Text>}
        {mine && host === undefined && <Text fw={600}>{users.deleteSelf}</Text>}
      </ConfirmDialog>
    </Card>
  )
}
