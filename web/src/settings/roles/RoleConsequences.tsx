import { Loader, Stack, Text } from '@mantine/core'
import { queryOptions } from '@tanstack/react-query'
import { titleOf } from '../../cameras/queries.ts'
import { useMe } from '../../session/session.ts'
import { fetchJson } from '../../api/api.ts'
import type { Camera, RoleResponse } from '../../../../server/src/api-types.ts'
import { messageOf } from '../../api/failure.ts'
import type { Load } from '../../api/load.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { formatList } from '../../lib/format-list.ts'
import { usersFound, type UsersFound } from '../../users/users.ts'
import classes from './RoleConsequences.module.css'
import { gainedAsViewer } from '../../users/role-cameras.ts'
import { changeOf, keysOf, viewerKeys, type CameraAction, type RoleKeys } from '../../users/role-keys.ts'
import { useRoleWords } from './useRoleWords.ts'

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
export const consequencesOf = (name: string) =>
  queryOptions({
    queryKey: queryKeys.roles.deletion(name),
    queryFn: async ({ signal }): Promise<Consequences> => {
      const [users, roles, cameras] = await Promise.all([
        usersFound({ role: name, max }, signal),
        fetchJson<RoleResponse[]>('api/roles', { signal }),
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

/** Who becomes `viewer` when a role is deleted, and what they gain and lose. */
export function ConsequenceList({ consequences }: { consequences: Load<Consequences> }) {
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
        {of.slice(0, max).map((name, index) => (
          // Two users of an identity provider can have the same name.
          <li key={index}>{name}</li>
        ))}
        {total > max && <li>{roles.more({ count: total - max })}</li>}
      </ul>
    </div>
  )
}
