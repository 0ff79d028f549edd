import { Button, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CreatedLink, UserResponse } from '../../../../../server/src/api-types.ts'
import { fetchJson } from '../../../api/api.ts'
import { messageOf } from '../../../api/failure.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { useTexts } from '../../../i18n/texts.ts'
import { Card } from '../../../ui/Card.tsx'
import { FormDialog } from '../../../ui/dialogs/FormDialog.tsx'
import { FormProblem } from '../../../ui/forms/FormProblem.tsx'
import { userPath } from '../../../users/users.ts'
import { NewLinkPanel } from '../credentials/NewLinkPanel.tsx'
import { useIsMe } from '../UserFacts.tsx'

/** Creates a link for another user to set a new password. */
export function ResetLink({ user }: { user: UserResponse }) {
  const { username, key } = user
  const texts = useTexts('users')
  const { links } = texts.users
  const queries = useQueryClient()
  const mine = useIsMe(user)
  const [opened, setOpened] = useState(false)
  const create = useMutation({
    mutationFn: () => fetchJson<CreatedLink>(`${userPath(key)}/password-reset`, { method: 'POST' }),
    onSuccess: () => setOpened(true),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.oneTimeLinks.pending }),
  })

  if (mine) return null
  return (
    <Card title={links.resetTitle} lead={links.resetLead({ name: username })}>
      <Stack align="flex-start">
        <FormProblem of={create.error ? messageOf(create.error, texts) : undefined} error={create.error} />
        <Button variant="default" loading={create.isPending} onClick={() => create.mutate()}>
          {links.resetCreate}
        </Button>
      </Stack>
      <FormDialog
        opened={opened}
        onClose={() => setOpened(false)}
        onGone={create.reset}
        title={links.resetFor({ name: username })}
      >
        {create.data && <NewLinkPanel link={{ ...create.data, for: username }} onDone={() => setOpened(false)} />}
      </FormDialog>
    </Card>
  )
}
