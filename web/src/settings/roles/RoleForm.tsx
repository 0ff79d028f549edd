import { Input, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Camera, CameraGroup, RoleResponse } from '../../../../server/src/api-types.ts'
import { sendJson } from '../../api/api.ts'
import { isOvertaken } from '../../cameras/camera-settings.ts'
import { useTexts } from '../../i18n/texts.ts'
import { timeZone } from '../../lib/day.ts'
import { Card } from '../../ui/Card.tsx'
import { LeaveGuard } from '../../ui/dialogs/LeaveGuard.tsx'
import { notifySuccess } from '../../ui/feedback/notify.ts'
import { useForm } from '../../ui/forms/useForm.ts'
import { keysOf, sameKeys, type RoleKeys } from '../../users/role-keys.ts'
import { rolesQuery } from '../../users/roles.ts'
import { ActionsField } from './ActionsField.tsx'
import { CameraSwitches } from './CameraSwitches.tsx'
import { HoursField } from './HoursField.tsx'
import classes from './RoleFields.module.css'
import { keysIn, problemsIn, valuesOf, type RoleValues } from './role-form.ts'
import { SaveRole } from './SaveRole.tsx'
import { HistoryField, ValidityFields } from './TimeFields.tsx'
import { useRoleWords } from './useRoleWords.ts'

interface RoleFormProps {
  /** The role in its current state. */
  readonly role: RoleResponse
  /** What the role gave when the edit began. */
  readonly began: RoleKeys
  readonly cameras: readonly Camera[]
  readonly groups: readonly CameraGroup[]
  /** Starts again. */
  readonly begin: (keys: RoleKeys) => void
  /** Continues with what is in the fields, as changes of what the role gives now. */
  readonly rebase: (keys: RoleKeys) => void
}

/** Everything that a role gives, in one form. */
export function RoleForm({ role, began, cameras, groups, begin, rebase }: RoleFormProps) {
  const { roles, grants } = useTexts('roles', 'grants')
  const { form, field, values, setFieldValue, isPending, problems } = useRoleForm(role.name, { began, begin, rebase })
  const keys = keysIn(values, began)
  const isChanged = !sameKeys(keys, began)
  const isOvertakenNow = !sameKeys(began, keysOf(role)) && !isPending
  // Without unsaved changes, the form follows the role.
  const follows = isOvertakenNow && !isChanged
  useEffect(() => {
    if (follows) begin(keysOf(role))
  }, [follows, begin, role])
  const words = grants.form
  const inWords = useRoleWords().role

  return (
    <form {...form} className={classes.form}>
      <LeaveGuard unsaved={isChanged && !isPending} of={role.name} />
      <Card title={words.summary}>
        <Text data-testid="role-in-words">{inWords(keys)}</Text>
      </Card>
      <Card title={roles.camerasTitle} lead={roles.camerasLead}>
        <CameraSwitches
          cameras={cameras}
          groups={groups}
          chosen={new Set(values.cameras)}
          onChange={(chosen) => setFieldValue('cameras', [...chosen])}
        />
        {problems.cameras && <Input.Error role="alert">{problems.cameras}</Input.Error>}
      </Card>
      <Card title={words.actionsTitle} lead={words.actionsLead}>
        <ActionsField value={values.allow} onChange={(allow) => setFieldValue('allow', allow)} error={problems.allow} />
      </Card>
      <Card title={words.historyTitle} lead={words.historyLead}>
        <HistoryField {...field('history_days')} />
      </Card>
      <Card title={words.hoursTitle} lead={words.hoursLead}>
        <HoursField value={values.hours} onChange={(hours) => setFieldValue('hours', hours)} error={problems.hours} />
      </Card>
      <Card title={words.validTitle} lead={words.validLead({ zone: timeZone() })}>
        <ValidityFields from={field('valid_from')} until={field('valid_until')} />
      </Card>
      <SaveRole
        role={role}
        before={began}
        after={keys}
        cameras={cameras}
        groups={groups}
        isPending={isPending}
        problem={problems.whole}
        isChanged={isChanged}
        theirs={isOvertakenNow ? keysOf(role) : undefined}
        begin={() => begin(keysOf(role))}
      />
    </form>
  )
}

function useRoleForm(name: string, { began, begin, rebase }: Pick<RoleFormProps, 'began' | 'begin' | 'rebase'>) {
  const texts = useTexts('roles', 'grants')
  const queries = useQueryClient()
  const refetch = () => queries.invalidateQueries({ queryKey: rolesQuery.queryKey })
  const form = useForm<RoleValues, unknown>({
    initialValues: valuesOf(began),
    check: (values) => problemsIn(values, began, texts),
    send: (values) => sendJson('PUT /api/roles/:name', { name }, { ...keysIn(values, began), expected: began }),
    onSuccess: async (_response, values) => {
      await refetch()
      notifySuccess(texts.roles.saved({ name }))
      const saved = keysIn(values, began)
      if (sameKeys(keysIn(form.getValues(), began), saved)) begin(saved)
      else rebase(saved)
    },
    onError: async (error) => {
      if (isOvertaken(error)) await refetch()
    },
    // If someone changed or deleted the role, the refreshed page shows it.
    problemsIn: (error) => (isOvertaken(error) ? {} : undefined),
  })
  return form
}
