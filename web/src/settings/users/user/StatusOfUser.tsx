import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { UserResponse } from '../../../../../server/src/api-types.ts'
import { messageOf } from '../../../api/failure.ts'
import { useLocale, useTexts } from '../../../i18n/texts.ts'
import { moment } from '../../../lib/format-time.ts'
import { useNow } from '../../../lib/useNow.ts'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { notifySuccess } from '../../../ui/feedback/notify.ts'
import { ExpiryOfUser } from './ExpiryOfUser.tsx'
import { useIsMe } from '../UserFacts.tsx'
import { statusProblem, useStatusChange } from './useStatusChange.ts'
import { statusOf } from '../../../users/user-status.ts'

interface StatusOfUserProps {
  readonly user: UserResponse
  readonly lastAdmin: boolean
}

/** A user's status: disables or enables them, and sets their expiry. */
export function StatusOfUser({ user, lastAdmin }: StatusOfUserProps) {
  const { users } = useTexts('users')
  return (
    <Card title={users.status.title} lead={users.status.lead}>
      <StatusInWords user={user} />
      {user.disabled ? <Enable user={user} /> : <Disable user={user} lastAdmin={lastAdmin} />}
      <ExpiryOfUser user={user} lastAdmin={lastAdmin} />
    </Card>
  )
}

function StatusInWords({ user }: { user: UserResponse }) {
  const { now: words } = useTexts('users').users.status
  const locale = useLocale()
  const status = statusOf(user, useNow(10_000))
  const { username: name, expires_at: end, blocked } = user
  const when = end === null ? '' : moment(Date.parse(end), locale)
  const word = blocked !== null && (status === 'enabled' || status === 'expiring') ? blocked : status
  return <Text data-testid="user-status">{words[word]({ name, when })}</Text>
}

function Disable({ user, lastAdmin }: StatusOfUserProps) {
  const { username: name, key } = user
  const texts = useTexts('users')
  const words = texts.users.status
  const mine = useIsMe(user)
  const change = useStatusChange(key)
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Group>
        <Button variant="light" color="red" disabled={lastAdmin} onClick={() => setAsking(true)}>
          {words.disable}
        </Button>
      </Group>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={words.disableAsk({ name })}
        confirm={words.disable}
        act={async () => {
          await change({ disabled: true })
          notifySuccess(words.wasDisabled({ name }))
        }}
        problemIn={(error) => statusProblem(error, texts)}
      >
        <Text>{words.disableBody({ name })}</Text>
        {mine && <Text fw={600}>{words.disableSelf}</Text>}
      </ConfirmDialog>
    </>
  )
}

function Enable({ user: { username: name, key } }: { user: UserResponse }) {
  const texts = useTexts('users')
  const words = texts.users.status
  const change = useStatusChange(key)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => change({ disabled: false }),
    onSuccess: () => notifySuccess(words.wasEnabled({ name })),
  })
  return (
    <>
      {error && (
        <Alert role="alert" color="red">
          {messageOf(error, texts)}
        </Alert>
      )}
      <Group>
        <Button variant="default" loading={isPending} onClick={() => mutate()}>
          {words.enable}
        </Button>
      </Group>
    </>
  )
}
