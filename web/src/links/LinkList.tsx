import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { LinkResponse } from '../../../server/src/api-types.ts'
import { isUnlisted } from '../api/delete-unless-gone.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useTitles } from '../cameras/useTitles.ts'
import { useTexts } from '../i18n/texts.ts'
import { ConfirmDialog } from '../ui/dialogs/ConfirmDialog.tsx'
import { notifySuccess } from '../ui/feedback/notify.ts'
import { LinkItem } from './LinkItem.tsx'
import bordered from '../ui/lists/BorderedList.module.css'
import { revokeLink } from './queries.ts'

interface LinkListProps {
  readonly links: readonly LinkResponse[]
  /** Whether the links are those of several users. */
  readonly withOwner?: boolean
}

/** Share links, each with a button that revokes it. */
export function LinkList({ links, withOwner = false }: LinkListProps) {
  const texts = useTexts('links')
  const queries = useQueryClient()
  const titleOf = useTitles()
  // The dialog keeps its title while it closes.
  const [revoked, setRevoked] = useState<LinkResponse>()
  const [asking, setAsking] = useState(false)
  const revoke = async () => {
    if (revoked) await revokeLink(revoked, () => isUnlisted(queries, queryKeys.links.own, revoked.id))
    notifySuccess(texts.links.revoked)
    await queries.invalidateQueries({ queryKey: queryKeys.links.all })
  }

  return (
    <>
      <ul className={bordered.list} aria-label={texts.links.list}>
        {links.map((link) => (
          <LinkItem
            key={link.id}
            link={link}
            title={titleOf(link.camera)}
            withOwner={withOwner}
            onRevoke={() => {
              setRevoked(link)
              setAsking(true)
            }}
          />
        ))}
      </ul>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={texts.links.revokeTitle({ title: revoked ? titleOf(revoked.camera) : '' })}
        confirm={texts.links.revoke}
        act={revoke}
      >
        <Text>{texts.links.revokeBody}</Text>
      </ConfirmDialog>
    </>
  )
}
