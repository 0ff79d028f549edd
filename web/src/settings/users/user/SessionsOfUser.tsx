import { Button, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { notifyFailure, notifySuccess } from '../../../ui/feedback/notify.ts'
import type { SessionResponse, UserResponse } from '../../../../../server/src/api-types.ts'
import { endSession, SessionItem, sessionsInOrder } from '../../../session/SessionList.tsx'
import listClasses from '../../../ui/lists/RowList.module.css'
import { send } from '../../../api/api.ts'
import { messageOf } from '../../../api/failure.ts'
import { loadOf } from '../../../api/load.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { useRowFocus } from '../../../ui/lists/useRowFocus.ts'
import { FailedPart } from '../../../ui/feedback/FailedPart.tsx'
import { sessionsOfQuery } from '../../../users/users.ts'

const shownFirst = 10

/** A user's sessions, with buttons to revoke them. */
export function SessionsOfUser({ user }: { user: UserResponse }) {
  const texts = useTexts('users')
  const sessions = loadOf(useQuery(sessionsOfQuery(user.key)))
  return (
    <Card title={texts.users.sessionsTitle} lead={texts.users.sessionsLead}>
      {sessions.state === 'loading' && <ListSkeleton rows={2} />}
      {sessions.state === 'failed' && <FailedPart error={sessions.error} again={sessions.again} />}
      {sessions.state === 'ready' && <Sessions user={user} sessions={sessions.value} />}
    </Card>
  )
}

function Sessions({ user, sessions }: { user: UserResponse; sessions: readonly SessionResponse[] }) {
  const texts = useTexts('users', 'account')
  const queries = useQueryClient()
  const [max, setMax] = useState(shownFirst)
  const [asking, setAsking] = useState(false)
  const { queryKey } = sessionsOfQuery(user.key)
  const inOrder = sessionsInOrder(sessions)
  const others = sessions.filter(({ current }) => !current)
  const endAll = others.length < sessions.length ? texts.users.endAllOthers : texts.users.endAll

  const { list: rowList, leaving, left } = useRowFocus()
  const endOne = useMutation({
    mutationFn: (id: string) => endSession(id),
    onSuccess: () => notifySuccess(texts.sessions.ended),
    onError: (error) => notifyFailure(messageOf(error, texts)),
    onSettled: () => queries.invalidateQueries({ queryKey }).then(left),
  })

  const endThem = async () => {
    try {
      await send(`api/sessions?${new URLSearchParams({ user: user.key, others: 'true' }).toString()}`, {
        method: 'DELETE',
      })
      notifySuccess(texts.users.allEnded)
    } finally {
      await queries.invalidateQueries({ queryKey })
    }
  }

  if (sessions.length === 0) return <Text c="dimmed">{texts.users.noSessions}</Text>
  return (
    <>
      <ul ref={rowList} className={listClasses.list}>
        {inOrder.slice(0, max).map((session, index) => (
          <SessionItem
            key={session.id}
            session={session}
            isEnding={endOne.isPending && endOne.variables === session.id}
            onEnd={() => {
              leaving(index)
              endOne.mutate(session.id)
            }}
          />
        ))}
      </ul>
      {inOrder.length > max && (
        <Button variant="subtle" onClick={() => setMax(max + 50)}>
          {texts.users.moreSessions({ count: Math.min(50, inOrder.length - max) })}
        </Button>
      )}
      {others.length > 0 && (
        <Button variant="default" onClick={() => setAsking(true)}>
          {endAll}
        </Button>
      )}
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={texts.users.endAllTitle({ name: user.username })}
        confirm={endAll}
        act={endThem}
      >
        <Text>{texts.users.endAllBody({ count: others.length, name: user.username })}</Text>
      </ConfirmDialog>
    </>
  )
}
