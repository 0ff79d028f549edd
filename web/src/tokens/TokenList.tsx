import { Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiTokenResponse } from '../../../server/src/api-types.ts'
import { deleteUnlessGone, isUnlisted } from '../api/delete-unless-gone.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useTitles } from '../cameras/useTitles.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { ago, day, moment } from '../lib/format-time.ts'
import { useNow } from '../lib/useNow.ts'
import { ConfirmDialog } from '../ui/dialogs/ConfirmDialog.tsx'
import { Fact, FactCard } from '../ui/lists/FactCard.tsx'
import { notifySuccess } from '../ui/feedback/notify.ts'
import classes from './TokenList.module.css'
import { useActionNames } from './useActionNames.ts'

interface TokenListProps {
  readonly tokens: readonly ApiTokenResponse[]
  /** Tokens of several users. */
  readonly withOwner?: boolean
}

/** Tokens: what each can do, how long, and its last use. */
export function TokenList({ tokens, withOwner = false }: TokenListProps) {
  const { list } = useTexts('tokens').tokens
  const [revoking, setRevoking] = useState<ApiTokenResponse>()
  return (
    <>
      <ul className={classes.list} aria-label={list.label}>
        {tokens.map((token) => (
          <TokenCard key={token.id} token={token} withOwner={withOwner} onRevoke={() => setRevoking(token)} />
        ))}
      </ul>
      {revoking && <RevokeToken token={revoking} onClose={() => setRevoking(undefined)} />}
    </>
  )
}

interface TokenCardProps {
  readonly token: ApiTokenResponse
  readonly withOwner: boolean
  readonly onRevoke: () => void
}

function TokenCard({ token, withOwner, onRevoke }: TokenCardProps) {
  const { tokens, label } = useTexts('tokens')
  const { list } = tokens
  const locale = useLocale()
  const { name, owner, parent } = token
  return (
    <FactCard
      title={name}
      data-token={name}
      note={
        <Text component="div" size="sm" c="dimmed">
          {withOwner && <div>{list.ownedBy({ owner })}</div>}
          <div>{label({ what: list.created }) + day(Date.parse(token.created_at), locale)}</div>
          {parent && <div>{list.createdByToken({ name: parent.name })}</div>}
        </Text>
      }
      actions={
        <Button
          variant="subtle"
          color="red"
          onClick={onRevoke}
          aria-label={withOwner ? list.revokeOfOwner({ name, owner }) : list.revokeOf({ name })}
        >
          {list.revoke}
        </Button>
      }
    >
      <TokenFacts token={token} />
    </FactCard>
  )
}

function TokenFacts({ token }: { token: ApiTokenResponse }) {
  const { list } = useTexts('tokens').tokens
  const locale = useLocale()
  const now = useNow(10_000)
  const titleOf = useTitles()
  const nameOf = useActionNames()
  const join = (names: readonly string[]) => new Intl.ListFormat(locale, { type: 'unit' }).format(names)
  const { cameras, actions, expires_at, last_used_at: used, last_used_from: address } = token
  const when = used === null ? '' : ago(Date.parse(used), now, locale)
  return (
    <>
      <Fact term={list.cameras}>
        {cameras === null ? list.allCameras : cameras.length === 0 ? list.noCameras : join(cameras.map(titleOf))}
      </Fact>
      <Fact term={list.actions}>{actions === null ? list.allActions : join(actions.map(nameOf))}</Fact>
      <Fact term={list.used}>
        {used === null ? list.never : address === null ? when : list.usedFrom({ when, address })}
      </Fact>
      <Fact term={list.expires}>
        <Expiry at={expires_at} now={now} />
        {token.ends_with_password && (
          <Text size="sm" c="dimmed">
            {list.endsWithPassword}
          </Text>
        )}
      </Fact>
    </>
  )
}

function Expiry({ at, now }: { at: string | null; now: number }) {
  const { list } = useTexts('tokens').tokens
  const locale = useLocale()
  if (at === null) return list.neverExpires
  const when = moment(Date.parse(at), locale)
  return Date.parse(at) <= now ? <span className={classes.expired}>{list.expired({ when })}</span> : when
}

function RevokeToken({ token: { id, name }, onClose }: { token: ApiTokenResponse; onClose: () => void }) {
  const { list } = useTexts('tokens').tokens
  const queries = useQueryClient()
  const revoke = async () => {
    try {
      await deleteUnlessGone(`api/tokens/${id}`, () => isUnlisted(queries, queryKeys.tokens.own, id))
    } finally {
      void queries.invalidateQueries({ queryKey: queryKeys.tokens.all })
    }
    notifySuccess(list.revoked({ name }))
  }
  return (
    <ConfirmDialog
      opened
      title={list.revokeTitle({ name })}
      confirm={list.revokeConfirm}
      onClose={onClose}
      act={revoke}
    >
      <Text>{list.revokeBody}</Text>
    </ConfirmDialog>
  )
}
