import { Button, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { PendingLink } from '../../../../server/src/api-types.ts'
import { deleteUnlessGone } from '../../api/delete-unless-gone.ts'
import { messageOf } from '../../api/failure.ts'
import { loadOf } from '../../api/load.ts'
import { useLocale, useTexts, type Texts } from '../../i18n/texts.ts'
import { moment } from '../../lib/format-time.ts'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { useRowFocus } from '../../ui/lists/useRowFocus.ts'
import { notifyFailure, notifySuccess } from '../../ui/feedback/notify.ts'
import { pendingLinksQuery } from '../../users/users.ts'
import classes from '../../ui/lists/RowList.module.css'

/** The invitations and reset links that can still be used, if there are any. */
export function PendingLinks() {
  const texts = useTexts('users')
  const { links } = texts.users
  const queries = useQueryClient()
  const pending = loadOf(useQuery(pendingLinksQuery))
  const { list: rowList, leaving, left } = useRowFocus()
  const revoke = useMutation({
    // It may have been used, or revoked by another admin.
    mutationFn: (id: string) => deleteUnlessGone(`api/invitations/${id}`),
    onSuccess: () => notifySuccess(links.revoked),
    onError: (error) => notifyFailure(messageOf(error, texts)),
    onSettled: () => queries.invalidateQueries({ queryKey: pendingLinksQuery.queryKey }).then(left),
  })

  if (pending.state === 'failed') return <ErrorState part error={pending.error} again={pending.again} />
  if (pending.state === 'loading' || pending.value.length === 0) return null
  return (
    <Card title={links.title} lead={links.lead}>
      <ul ref={rowList} className={classes.list}>
        {pending.value.map((link, index) => (
          <LinkItem
            key={link.id}
            link={link}
            isEnding={revoke.isPending && revoke.variables === link.id}
            onRevoke={() => {
              leaving(index)
              revoke.mutate(link.id)
            }}
          />
        ))}
      </ul>
    </Card>
  )
}

interface LinkItemProps {
  readonly link: PendingLink
  readonly isEnding: boolean
  readonly onRevoke: () => void
}

function LinkItem({ link, isEnding, onRevoke }: LinkItemProps) {
  const texts = useTexts('users')
  const { links } = texts.users
  const locale = useLocale()
  const title = titleOf(link, links)
  const when = moment(Date.parse(link.expires_at), locale)
  const facts = [
    ...(link.role === null ? [] : [links.role({ role: link.role })]),
    links.until({ when }),
    links.by({ name: link.created_by }),
  ]
  return (
    <li className={classes.item}>
      <div className={classes.text}>
        <Text fw={550}>{title}</Text>
        <Text size="sm" c="dimmed" className={classes.facts}>
          {facts.join(' · ')}
        </Text>
      </div>
      <Button
        variant="subtle"
        color="red"
        loading={isEnding}
        onClick={onRevoke}
        aria-label={links.revokeOf({ link: title, when })}
      >
        {links.revoke}
      </Button>
    </li>
  )
}

function titleOf({ kind, username }: PendingLink, links: Texts<'users'>['users']['links']): string {
  if (username === null) return links.invitation
  return kind === 'invitation' ? links.invitationFor({ name: username }) : links.resetFor({ name: username })
}
