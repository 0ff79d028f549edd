import { Alert, Button, Group, Text } from '@mantine/core'
import { useTexts } from '../../i18n/texts.ts'
import type { RoleKeys } from '../../users/role-keys.ts'
import { RoleChanges, type RoleChangesProps } from './RoleChanges.tsx'
import classes from './RoleFields.module.css'
import { useRoleWords } from './useRoleWords.ts'

interface SaveRoleProps extends RoleChangesProps {
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
  const words = useRoleWords()
  return (
    <div className={classes.save}>
      {theirs && isChanged && (
        <Alert role="alert" color="yellow" title={roles.changedTitle}>
          <Text mb="sm">{roles.changedBody({ role: words.role(theirs) })}</Text>
          <Button variant="default" onClick={begin}>
            {roles.loadCurrent}
          </Button>
        </Alert>
      )}
      <RoleChanges {...changes} />
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
