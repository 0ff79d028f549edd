import { Button, Loader, Stack, Text } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { notifySuccess } from '../../ui/feedback/notify.ts'
import { titleOf } from '../../cameras/queries.ts'
import { useMe } from '../../session/session.ts'
import { ApiError, fetchJson } from '../../api/api.ts'
import type { Camera, RoleDeleted, RoleView } from '../../../../server/src/api-types.ts'
import { messageOf } from '../../api/failure.ts'
import { loadOf, type Load } from '../../api/load.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx'
import { Card } from '../../ui/Card.tsx'
import { formatList } from '../../lib/format-list.ts'
import { usersFound, type UsersFound } from '../../users/users.ts'
import classes from './DeleteRole.module.css'
import { gainedAsViewer } from '../../users/role-cameras.ts'
import { changeOf, keysOf, viewerKeys, type CameraAction, type RoleKeys } from '../../users/role-keys.ts'
import { useRoleWords } from './useRoleWords.ts'
import { rolePath } from '../../users/roles.ts'

/** Names shown at most; longer lists would hide the rest of the dialog. */
const max = 100

interface Consequences {
  /** The users who become `viewer`. */
  readonly users: UsersFound
  /** The cameras that they gain. */
  readonly gained: readonly Camera[]
  /** What the role gives; undefined if another admin deleted it. */
  readonly keys: RoleKeys | undefined
}

/** Refetched each time the dialog opens: another admin can have assigned the role since the page was opened. */
const consequencesOf = (name: string) =>
  queryOptions({
    queryKey: queryKeys.roles.deletion(name),
    queryFn: async ({ signal }): Promise<Consequences> => {
      const [users, roles, cameras] = await Promise.all([
        usersFound({ role: name, max }, signal),
        fetchJson<RoleView[]>('api/roles', { signal }),
        fetchJson<Camera[]>('api/cameras', { signal }),
      ])
      const deleted = roles.find((role) => role.name === name)
      const gained = new Set(
        gainedAsViewer(
          deleted?.allowed_cameras ?? [],
          cameras.map((camera) => camera.name),
        ),
      )
      return {
        users,
        gained: cameras.filter((camera) => gained.has(camera.name)),
        keys: deleted && keysOf(deleted),
      }
    },
    gcTime: 0,
    refetchInterval: 5000,
  })

/** Deletes a role after showing who becomes `viewer` and which cameras they gain (ROLE-7). */
export function DeleteRole({ role: { name } }: { role: RoleView }) {
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

function ConsequenceList({ consequences }: { consequences: Load<Consequences> }) {
  const texts = useTexts('roles')
  const { roles } = texts
  const { sign_in_methods: methods } = useMe()

  switch (consequences.state) {
    case 'loading':
      return (
        <div role="status">
          <Loader size="sm" aria-hidden /> {roles.loadingUsers}
        </div>
      )
    case 'failed':
      return (
        <Text role="alert" c="var(--mantine-color-error)">
          {messageOf(consequences.error, texts)}
        </Text>
      )
    case 'ready': {
      const { users, gained, keys } = consequences.value
      return (
        <Stack gap="sm" data-testid="consequences">
          {users.total === 0 ? (
            <Text>{roles.noneAffected}</Text>
          ) : (
            <>
              <Names
                title={roles.becomes({ count: users.total })}
                of={users.users.map(({ username }) => username)}
                total={users.total}
              />
              {gained.length === 0 ? (
                <Text>{roles.gainNothing}</Text>
              ) : (
                <>
                  <Names
                    title={roles.gainTitle({ count: gained.length })}
                    of={gained.map(titleOf)}
                    total={gained.length}
                  />
                  <Text>{roles.instead}</Text>
                </>
              )}
              {keys && <OtherChanges from={keys} />}
            </>
          )}
          {methods.includes('proxy') && <Text>{roles.proxyToo}</Text>}
        </Stack>
      )
    }
  }
}

/** The actions that users of a role gain and lose as `viewer`, and the limits that end. */
function OtherChanges({ from }: { from: RoleKeys }) {
  const { roles, grants } = useTexts('roles', 'grants')
  const locale = useLocale()
  const words = useRoleWords()
  // Cameras are listed on their own.
  const { actions, times } = changeOf(from, viewerKeys, () => [])
  const deedsIn = (list: readonly CameraAction[]) =>
    formatList(
      list.map((action) => grants.deeds[action]),
      locale,
      grants.more,
      list.length,
    )
  return (
    <>
      {actions.added.length > 0 && <Text>{roles.gainActions({ deeds: deedsIn(actions.added) })}</Text>}
      {actions.removed.length > 0 && <Text>{roles.loseActions({ deeds: deedsIn(actions.removed) })}</Text>}
      {times && <Text>{roles.loseLimits({ limits: words.limits(from) })}</Text>}
    </>
  )
}

/** @param of all names, or the first of them */
function Names({ title, of, total }: { title: string; of: readonly string[]; total: number }) {
  const { roles } = useTexts('roles')
  return (
    <div>
      <Text>{title}</Text>
      <ul className={classes.names} aria-label={title}>
        {of.slice(0, max).map((name) => (
          <li key={name}>{name}</li>
        ))}
        {total > max && <li>{roles.more({ count: total - max })}</li>}
      </ul>
    </div>
  )
}
