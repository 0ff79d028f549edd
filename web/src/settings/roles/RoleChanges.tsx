import { Text, Title } from '@mantine/core'
import { IconClock, IconMinus, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import type { Camera, CameraGroup, RoleResponse } from '../../../../server/src/api-types.ts'
import { loadOf } from '../../api/load.ts'
import { titleOf } from '../../cameras/queries.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { useMe } from '../../session/session.ts'
import { formatList } from '../../lib/format-list.ts'
import { changeOf, coverageOf, type CameraAction, type RoleKeys } from '../../users/role-keys.ts'
import { usersQuery } from '../../users/users.ts'
import { FailedPart } from '../../ui/feedback/FailedPart.tsx'
import classes from './RoleFields.module.css'
import { useRoleWords } from './useRoleWords.ts'

/** Users named at most. */
const max = 20

export interface RoleChangesProps {
  readonly role: RoleResponse
  readonly before: RoleKeys
  readonly after: RoleKeys
  readonly cameras: readonly Camera[]
  readonly groups: readonly CameraGroup[]
}

interface Line {
  readonly kind: 'gain' | 'loss' | 'times'
  readonly text: string
  /** The limits before and after the change. */
  readonly limits?: readonly (readonly [label: string, limits: string])[]
}

const icons = { gain: IconPlus, loss: IconMinus, times: IconClock } as const

/** What a change of a role gives and takes, and from whom. */
export function RoleChanges({ role, ...change }: RoleChangesProps) {
  const { roles } = useTexts('roles')
  const byProxy = useMe().sign_in_methods.includes('proxy')
  const lines = useLines({ role, ...change })
  return (
    <div role="status" data-testid="changes">
      {lines.length > 0 && (
        <div className={classes.changes}>
          <Title order={2} size="h5">
            {roles.changes.title}
          </Title>
          {role.users > 0 ? <Affected role={role} /> : !byProxy && <Text size="sm">{roles.noneAffected}</Text>}
          {byProxy && <Text size="sm">{roles.changes.proxy}</Text>}
          {(role.users > 0 || byProxy) && (
            <ul className={classes.lines}>
              {lines.map(({ kind, text, limits }) => (
                <li key={text}>
                  <Sign kind={kind} />
                  <div>
                    {text}
                    {limits && (
                      <dl className={classes.limits}>
                        {limits.map(([label, words]) => (
                          <Fragment key={label}>
                            <dt>{label}</dt>
                            <dd>{words}</dd>
                          </Fragment>
                        ))}
                      </dl>
                    )}
                  </div>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </div>
  )
}

function Sign({ kind }: Pick<Line, 'kind'>) {
  const Icon = icons[kind]
  return <Icon size={16} aria-hidden className={classes.sign} data-kind={kind} />
}

/** The users of a role by name, the first of many. */
function Affected({ role: { name: role } }: { role: RoleResponse }) {
  const { roles } = useTexts('roles')
  const locale = useLocale()
  const found = loadOf(useQuery(usersQuery({ role, max })))
  if (found.state === 'loading') return null
  if (found.state === 'failed') return <FailedPart error={found.error} again={found.again} />
  const { users, total } = found.value
  const names = formatList(
    users.map(({ username }) => username),
    locale,
    roles.more,
    max - 1,
    total,
  )
  return (
    <Text size="sm" className={classes.affected}>
      {roles.changes.affected({ count: total, names })}
    </Text>
  )
}

function useLines({ role: { users: count }, before, after, cameras, groups }: RoleChangesProps): readonly Line[] {
  const { roles, grants } = useTexts('roles', 'grants')
  const locale = useLocale()
  const words = useRoleWords()
  const titles = new Map(cameras.map((camera) => [camera.name, titleOf(camera)]))
  const names = cameras.map(({ name }) => name)
  const { cameras: seen, actions, times } = changeOf(before, after, (entries) => coverageOf(entries, names, groups))
  const camerasIn = (list: readonly string[]) =>
    formatList(
      list.map((name) => titles.get(name) ?? name),
      locale,
      roles.more,
    )
  const deedsIn = (list: readonly CameraAction[]) =>
    formatList(
      list.map((action) => grants.deeds[action]),
      locale,
      grants.more,
      list.length,
    )
  const lines: readonly (Line | false)[] = [
    seen.added.length > 0 && { kind: 'gain', text: roles.gains({ count, cameras: camerasIn(seen.added) }) },
    actions.added.length > 0 && { kind: 'gain', text: grants.form.gains({ count, deeds: deedsIn(actions.added) }) },
    seen.removed.length > 0 && { kind: 'loss', text: roles.loses({ count, cameras: camerasIn(seen.removed) }) },
    actions.removed.length > 0 && { kind: 'loss', text: grants.form.loses({ count, deeds: deedsIn(actions.removed) }) },
    times && {
      kind: 'times',
      text: grants.form.times({ count }),
      limits: [
        [grants.form.before, words.limits(before)],
        [grants.form.after, words.limits(after)],
      ],
    },
  ]
  return lines.filter((line) => line !== false)
}
