import { Button, Text, Title } from '@mantine/core'
import { IconDownload, IconLanguage } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import type { OpenedLink } from '../../../server/src/api-types.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { fromNow, formatTimeRange } from '../lib/format-time.ts'
import { useNow } from '../lib/useNow.ts'
import { LanguageSelect } from '../ui/LanguageSelect.tsx'
import { Loading } from '../ui/feedback/Loading.tsx'
import { Logo } from '../ui/Logo.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { CodeForm } from './CodeForm.tsx'
import { ExportLink } from './ExportLink.tsx'
import { LiveLink } from './LiveLink.tsx'
import { RefusalNotice } from './RefusalNotice.tsx'
import { fileOf } from './open-link.ts'
import { RangeLink } from './RangeLink.tsx'
import classes from './SharedLinkPage.module.css'
import { useSharedLink } from './useSharedLink.ts'

/** What a share link shows, to someone without an account. Nothing on it leads into the app. */
export function SharedLinkPage() {
  const { id } = useParams({ from: '/s/$id' })
  const { name } = useTexts('shared-link')
  return (
    <div className={classes.page}>
      {/* React moves these into the head. */}
      <meta name="referrer" content="no-referrer" />
      <meta name="robots" content="noindex" />
      <header className={classes.bar}>
        <Logo />
        <span>{name}</span>
      </header>
      <main className={classes.main}>
        <SharedLink key={id} id={id} />
      </main>
      <footer className={classes.footer}>
        <LanguageSelect variant="unstyled" leftSection={<IconLanguage size={18} aria-hidden />} />
      </footer>
    </div>
  )
}

function SharedLink({ id }: { id: string }) {
  const { sharedLink } = useTexts('shared-link')
  const { view, enterCode, again } = useSharedLink(id)
  switch (view.kind) {
    case 'opening':
      return <Loading />
    case 'open':
      return <Opened id={id} link={view.link} onDoubt={again} />
    case 'code':
      return <CodeForm problem={view.wrong ? sharedLink.code.wrong : undefined} onCode={enterCode} />
    default:
      return <RefusalNotice refusal={view} again={again} />
  }
}

interface OpenedProps {
  readonly id: string
  readonly link: OpenedLink
  /** The service refused something: the link has perhaps ended. */
  readonly onDoubt: () => void
}

function Opened({ id, link, onDoubt }: OpenedProps) {
  const { sharedLink } = useTexts('shared-link')
  const locale = useLocale()
  const now = useNow(10_000)
  const { title, start, end } = link
  const hasRange = start !== null && end !== null
  return (
    <>
      <PageTitle of={title} />
      {link.kind === 'live' && <LiveLink id={id} link={link} onDoubt={onDoubt} />}
      {link.kind === 'history' && hasRange && (
        <RangeLink id={id} title={title} range={{ start, end }} audio={link.audio} onDoubt={onDoubt} />
      )}
      {link.kind === 'export' && <ExportLink id={id} title={title} download={link.download} onDoubt={onDoubt} />}
      <div className={classes.about}>
        <div className={classes.what}>
          <Title order={1} size="h3">
            {title}
          </Title>
          <Text>{hasRange ? formatTimeRange(start, end, locale) : sharedLink.live}</Text>
          <Text size="sm" c="dimmed" mt={4}>
            {sharedLink.ends({ when: fromNow(Date.parse(link.expires_at), now, locale) })}
          </Text>
        </div>
        {link.download && (
          <Button component="a" href={fileOf(id)} download h={44} leftSection={<IconDownload size={18} aria-hidden />}>
            {sharedLink.download}
          </Button>
        )}
      </div>
    </>
  )
}
