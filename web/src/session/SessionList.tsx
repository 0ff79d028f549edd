import { Badge, Button, Group, Text } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { notifyFailure, notifySuccess } from '../ui/feedback/notify.ts'
import { fetchJson, send } from '../api/api.ts'
import type { SessionResponse } from '../../../server/src/api-types.ts'
import { deleteUnlessGone, isUnlisted } from '../api/delete-unless-gone.ts'
import { messageOf } from '../api/failure.ts'
import { loadOf } from '../api/load.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { ago, moment } from '../lib/format-time.ts'
import { useNow } from '../lib/useNow.ts'
import { ConfirmDialog } from '../ui/dialogs/ConfirmDialog.tsx'
import { deviceOf } from './device.ts'
import classes from '../ui/lists/RowList.module.css'
import { FailedPart } from '../ui/feedback/FailedPart.tsx'
import { useRowFocus } from '../ui/lists/useRowFocus.ts'
import { ListSkeleton } from '../ui/feedback/ListSkeleton.tsx'

const sessionsQuery = queryOptions({
  queryKey: queryKeys.sessions.mine,
  queryFn: ({ signal }) => fetchJson<SessionResponse[]>('api/sessions', { signal }),
})

/** The user's own sessions: the current one first, then by last use. */
export function SessionList() {
  const texts = useTexts('account')
  const queries = useQueryClient()
  const sessions = loadOf(useQuery(sessionsQuery))
  const [asking, setAsking] = useState(false)

  const { list: rowList, leaving, left } = useRowFocus()
  const refetch = () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  const end = useMutation({
    mutationFn: (id: string) => endSession(id, () => isUnlisted(queries, sessionsQuery.queryKey, id)),
    onSuccess: () => notifySuccess(texts.sessions.ended),
    onError: (error) => notifyFailure(messageOf(error, texts)),
    onSettled: () => refetch().then(left),
  })
  const endOthers = async () => {
    try {
      await send('api/sessions?others=true', { method: 'DELETE' })
      notifySuccess(texts.sessions.othersEnded)
    } finally {
      await refetch()
    }
  }

  switch (sessions.state) {
    case 'loading':
      return <ListSkeleton rows={2} />
    case 'failed':
      return <FailedPart error={sessions.error} again={sessions.again} />
    case 'ready': {
      const sorted = sessionsInOrder(sessions.value)
      return (
        <>
          <ul ref={rowList} className={classes.list}>
            {sorted.map((session, index) => (
              <SessionItem
                key={session.id}
                session={session}
                isEnding={end.isPending && end.variables === session.id}
                onEnd={() => {
                  leaving(index)
                  end.mutate(session.id)
                }}
              />
            ))}
          </ul>
          {sorted.some(({ current }) => !current) && (
            <Button variant="default" onClick={() => setAsking(true)} style={{ alignSelf: 'flex-start' }}>
              {texts.sessions.endOthers}
            </Button>
          )}
          <ConfirmDialog
            opened={asking}
            onClose={() => setAsking(false)}
            title={texts.sessions.endOthersTitle}
            confirm={texts.sessions.endOthers}
            act={endOthers}
          >
            <Text>{texts.sessions.endOthersBody}</Text>
          </ConfirmDialog>
        </>
      )
    }
  }
}

/** The current session first, then by last use. */
export const sessionsInOrder = (sessions: readonly SessionResponse[]): readonly SessionResponse[] =>
  sessions.toSorted(
    (one, other) => Number(other.current) - Number(one.current) || other.last_seen_at.localeCompare(one.last_seen_at),
  )

/** Revokes a session. @param isGone whether it has already ended, if the service doesn't tell this user */
export const endSession = (id: string, isGone?: () => Promise<boolean>): Promise<boolean> =>
  deleteUnlessGone(`api/sessions/${encodeURIComponent(id)}`, isGone)

interface SessionItemProps {
  readonly session: SessionResponse
  readonly isEnding: boolean
  readonly onEnd: () => void
}

export function SessionItem({ session, isEnding, onEnd }: SessionItemProps) {
  const texts = useTexts('account')
  const locale = useLocale()
  const now = useNow(30_000)
  const device = deviceOf(session.user_agent, texts)
  const seen = ago(Date.parse(session.last_seen_at), now, locale)

  return (
    <li className={classes.item}>
      <div className={classes.text}>
        <Group gap="xs">
          <Text fw={550}>{device}</Text>
          {session.current && (
            <Badge variant="light" tt="none">
              {texts.sessions.current}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {session.address} · {texts.sessions.seen({ when: seen })} ·{' '}
          {texts.sessions.since({ when: moment(Date.parse(session.created_at), locale) })}
        </Text>
      </div>
      {!session.current && (
        <Button
          variant="subtle"
          color="red"
          loading={isEnding}
          onClick={onEnd}
          aria-label={texts.sessions.endOf({ device, when: seen })}
        >
          {texts.sessions.end}
        </Button>
      )}
    </li>
  )
}
