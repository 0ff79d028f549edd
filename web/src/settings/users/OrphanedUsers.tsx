import { Alert, Button, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { notifySuccess } from '../../ui/feedback/notify.ts'
import { FormProblem } from '../../ui/forms/FormProblem.tsx'
import { ApiError, sendJson } from '../../api/api.ts'
import { loadOf } from '../../api/load.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { DialogForm } from '../../ui/forms/DialogForm.tsx'
import { useForm } from '../../ui/forms/useForm.ts'
import { FailedPart } from '../../ui/feedback/FailedPart.tsx'
import { FormDialog } from '../../ui/dialogs/FormDialog.tsx'
import { formatList } from '../../lib/format-list.ts'
import classes from './OrphanedUsers.module.css'
import { byRole, type Orphans } from './orphans.ts'
import { usersQuery } from '../../users/users.ts'
import { RoleChoice } from './RoleChoice.tsx'

/** Users listed and reassigned at a time; the rest follow after these. */
const batchSize = 500

/** Lists users whose role is missing from the configuration, and offers to assign another (ROLE-7). */
export function OrphanedUsers() {
  const { users: texts } = useTexts('users')
  const locale = useLocale()
  const users = loadOf(useQuery(usersQuery({ orphaned: true, sort: 'role', max: batchSize })))
  const [chosen, setChosen] = useState<Orphans>()
  const [opened, setOpened] = useState(false)
  const { users: found, total: count } = users.state === 'ready' ? users.value : { users: [], total: 0 }
  const orphans = byRole(found)

  return (
    <>
      {users.state === 'failed' && <FailedPart error={users.error} again={users.again} />}
      {count > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle />} role="status" title={texts.orphans.title({ count })}>
          <Text size="sm">{texts.orphans.lead}</Text>
          <ul className={classes.list}>
            {orphans.map((each) => (
              <li key={each.role} className={classes.role}>
                <span className={classes.names}>
                  <strong>{each.role}</strong>: {formatList(each.names, locale, texts.orphans.more)}
                </span>
                {each.local.length > 0 && (
                  <Button
                    variant="default"
                    size="sm"
                    aria-label={texts.orphans.reassignOf({ role: each.role })}
                    onClick={() => {
                      setChosen(each)
                      setOpened(true)
                    }}
                  >
                    {texts.orphans.reassign}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <FormDialog
        opened={opened}
        title={texts.orphans.reassignOf({ role: chosen?.role ?? '' })}
        onClose={() => setOpened(false)}
        onGone={() => setChosen(undefined)}
      >
        {chosen && <Reassign orphans={chosen} onDone={() => setOpened(false)} />}
      </FormDialog>
    </>
  )
}

function Reassign({ orphans: { role: missing, local }, onDone }: { orphans: Orphans; onDone: () => void }) {
  const texts = useTexts('users')
  const locale = useLocale()
  const queries = useQueryClient()
  const names = local.map(({ name }) => name)
  const { form, field, isPending, problems, error } = useForm({
    initialValues: { role: '' },
    check: ({ role }) => ({ role: role === '' ? texts.users.orphans.chooseRole : undefined }),
    send: async ({ role }) => {
      let reassigned = 0
      for (const { key } of local) if (await reassign(key, missing, role)) reassigned += 1
      return reassigned
    },
    onSuccess: (count, { role }) => {
      notifySuccess(texts.users.orphans.reassigned({ count, role }))
      onDone()
    },
    onSettled: () =>
      Promise.all([queryKeys.users, queryKeys.roles].map(({ all }) => queries.invalidateQueries({ queryKey: all }))),
  })

  return (
    <DialogForm
      form={{ ...form, action: 'settings/users' }}
      isPending={isPending}
      submit={texts.users.orphans.reassignAct}
      onCancel={onDone}
    >
      <FormProblem of={problems.whole} error={error} />
      <Text>{texts.users.orphans.reassignLead({ names: formatList(names, locale, texts.users.orphans.more) })}</Text>
      <RoleChoice {...field('role')} />
    </DialogForm>
  )
}

/** @returns false if another admin deleted the user or changed their role; the user is then left alone */
async function reassign(key: string, was: string, role: string): Promise<boolean> {
  try {
    await sendJson('PUT /api/users/:username/role', { username: key }, { role, expected_role: was })
    return true
  } catch (error) {
    if (error instanceof ApiError && [404, 412].includes(error.failure.status)) return false
    throw error
  }
}
