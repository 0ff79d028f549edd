import { Alert, Button, Group, Text } from '@mantine/core'
import type { Camera, CameraGroup } from '../../../../server/src/api-types.ts'
import { titleOf } from '../../cameras/queries.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { formatList } from '../../ui/format-list.ts'
import { changeOf, coverageOf, type CameraAction, type RoleKeys } from '../../users/role-keys.ts'
import classes from './RoleFields.module.css'
import { useRoleWords } from './useRoleWords.ts'

interface SaveRoleProps extends ChangesProps {
  readonly isPending: boolean
  /** Why saving failed. */
  readonly problem: string | undefined
  readonly isChanged: boolean
  /** What the role gives now, if someone else changed it. */
  readonly theirs: RoleKeys | undefined
  /** Starts again from what the role gives now. */
  readonly begin: () => void
}

/** The end of a role's form: who gains and loses what, and the buttons. */
export function SaveRole({ isPending, problem, isChanged, theirs, begin, ...changes }: SaveRoleProps) {
  const { roles } = useTexts('roles')
  const inWords = useRoleWords()
  return (
    <div className={classes.save}>
      {theirs && isChanged && (
        <Alert role="alert" color="yellow" title={roles.changedTitle}>
          <Text mb="sm">{roles.changedBody({ role: inWords(theirs) })}</Text>
          <Button variant="default" onClick={begin}>
            {roles.loadCurrent}
          </Button>
        </Alert>
      )}
      <Changes {...changes} />
      {problem && (
        <Alert role="alert" color="red">
          {problem}
        </Alert>
      )}
      <Group>
        <Button type="submit" loading={isPending} disabled={!isChanged || theirs !== undefined}>
          {roles.save}
        </Button>
        {isChanged && !theirs && (
          <Button variant="subtle" onClick={begin}>
            {roles.discard}
          </Button>
        )}
      </Group>
    </div>
  )
}

interface ChangesProps {
  /** Number of users with the role. */
  readonly users: number
  readonly before: RoleKeys
  readonly after: RoleKeys
  readonly cameras: readonly Camera[]
  readonly groups: readonly CameraGroup[]
}

/** What the users of a role gain and lose by the change. */
function Changes({ users: count, before, after, cameras, groups }: ChangesProps) {
  const { roles, grants } = useTexts('roles', 'grants')
  const locale = useLocale()
  const titles = new Map(cameras.map((camera) => [camera.name, titleOf(camera)]))
  const names = cameras.map(({ name }) => name)
  const change = changeOf(before, after, (entries) => coverageOf(entries, names, groups))
  const camerasIn = (list: readonly string[]) =>
    formatList(
      list.map((name) => titles.get(name) ?? name),
      locale,
      roles.more,
    )
  const deedsIn = (actions: readonly CameraAction[]) =>
    formatList(
      actions.map((action) => grants.deeds[action]),
      locale,
      grants.more,
      actions.length,
    )
  const lines = [
    change.cameras.added.length > 0 && roles.gains({ count, cameras: camerasIn(change.cameras.added) }),
    change.actions.added.length > 0 && grants.form.gains({ count, deeds: deedsIn(change.actions.added) }),
    change.cameras.removed.length > 0 && roles.loses({ count, cameras: camerasIn(change.cameras.removed) }),
    change.actions.removed.length > 0 && grants.form.loses({ count, deeds: deedsIn(change.actions.removed) }),
    change.times && grants.form.times({ count }),
  ].filter((line) => typeof line === 'string')

  return (
    <div role="status" data-testid="changes">
      {count > 0 &&
        lines.map((line) => (
          <Text size="sm" key={line}>
            {line}
          </Text>
        ))}
    </div>
  )
}
