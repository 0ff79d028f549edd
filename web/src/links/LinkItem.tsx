import { Badge, Button, Text, Title } from '@mantine/core'
import { IconDeviceCctv, IconDownload, IconHistory, type TablerIcon } from '@tabler/icons-react'
import type { LinkResponse } from '../../../server/src/api-types.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { ago, fromNow, formatTimeRange } from '../lib/format-time.ts'
import { useNow } from '../lib/useNow.ts'
import classes from './LinkList.module.css'

const icons: Readonly<Record<LinkResponse['kind'], TablerIcon>> = {
  live: IconDeviceCctv,
  history: IconHistory,
  export: IconDownload,
}

/** A link that has not ended for good can be revoked. */
const hasEnded = ({ state }: LinkResponse): boolean => state === 'expired' || state === 'revoked'

interface LinkItemProps {
  readonly link: LinkResponse
  /** Title of the camera. */
  readonly title: string
  readonly withOwner: boolean
  readonly onRevoke: () => void
}

/** A share link: what it shows and allows, and how it was used. */
export function LinkItem({ link, title, withOwner, onRevoke }: LinkItemProps) {
  const { links } = useTexts('links')
  const { state } = link
  const Icon = icons[link.kind]
  return (
    <li className={classes.item} data-link={link.id} data-state={state}>
      <span className={classes.sign} aria-hidden>
        <Icon size={22} stroke={1.5} />
      </span>
      <div className={classes.text}>
        <div className={classes.head}>
          <Title order={2} className={classes.title}>
            {title}
          </Title>
          <Badge variant="light" tt="none" color={state === 'active' ? 'gate' : 'gray'}>
            {links.states[state]}
          </Badge>
        </div>
        <LinkFacts link={link} withOwner={withOwner} />
        {(state === 'used-up' || state === 'locked' || state === 'unavailable') && (
          <Text size="sm" c="dimmed">
            {links.stateHints[state]}
          </Text>
        )}
        {link.note !== '' && (
          <Text size="sm" className={classes.note}>
            {link.note}
          </Text>
        )}
      </div>
      {!hasEnded(link) && (
        <Button variant="subtle" color="red" aria-label={links.revokeOne({ title })} onClick={onRevoke}>
          {links.revoke}
        </Button>
      )}
    </li>
  )
}

function LinkFacts({ link, withOwner }: Pick<LinkItemProps, 'link' | 'withOwner'>) {
  const { links } = useTexts('links')
  const locale = useLocale()
  const now = useNow(10_000)
  const { opens, max_opens: max, last_opened_at: lastOpened } = link
  const what = [
    links.kinds[link.kind],
    link.start !== null && link.end !== null && formatTimeRange(link.start, link.end, locale),
    link.has_code && links.withCode,
    link.audio && links.withAudio,
    link.download && links.withDownload,
    link.max_viewers !== null && links.viewers({ count: link.max_viewers }),
  ]
  const use = [
    link.viewers > 0 && links.watching({ count: link.viewers }),
    withOwner && links.by({ name: link.owner }),
    max === null ? links.opened({ count: opens }) : links.openedOf({ count: opens, max }),
    lastOpened !== null && links.lastOpened({ when: ago(Date.parse(lastOpened), now, locale) }),
    !hasEnded(link) && links.expires({ when: fromNow(Date.parse(link.expires_at), now, locale) }),
  ]
  return (
    <>
      <Text size="sm">{joined(what)}</Text>
      <Text size="sm" c="dimmed">
        {joined(use)}
      </Text>
    </>
  )
}

const joined = (facts: readonly (string | false)[]): string => facts.filter((fact) => fact !== false).join(' · ')
