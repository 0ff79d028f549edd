import { Group, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { notifySuccess } from '../ui/feedback/notify.ts'
import { LanguageSelect } from '../ui/LanguageSelect.tsx'
import { SchemeSwitch } from '../ui/SchemeSwitch.tsx'
import { hasAccount, shownName, useMe } from '../session/session.ts'
import { useProviderName } from '../session/useProvider.ts'
import { useTexts } from '../i18n/texts.ts'
import classes from './AccountPage.module.css'
import { PasswordForm } from './PasswordForm.tsx'
import { SessionList } from '../session/SessionList.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { WrappingText } from '../ui/WrappingText.tsx'
import { Section } from './Section.tsx'
import { queryKeys } from '../api/query-keys.ts'

/** The signed-in user's own page: name and role, password, sessions, appearance. */
export function AccountPage() {
  const texts = useTexts('account')
  const me = useMe()
  const queries = useQueryClient()
  const theme = useId()
  const changed = () => {
    notifySuccess(texts.password.changed)
    void queries.invalidateQueries({ queryKey: queryKeys.sessions.mine })
  }

  return (
    <div className={classes.page}>
      <PageTitle of={texts.account.page} />
      <Group gap="md" wrap="nowrap">
        <span className={classes.initial} aria-hidden>
          {Array.from(shownName(me))[0]?.toUpperCase()}
        </span>
        <div className={classes.who}>
          <Title order={1} size="h2" className={classes.name}>
            <WrappingText of={shownName(me)} after="@." />
          </Title>
          <Text c="dimmed">
            {texts.label({ what: texts.account.role })}
            {me.role} · {texts.account.cameras({ count: me.allowed_cameras.length })}
          </Text>
        </div>
      </Group>
      {me.auth === 'oidc' && <FromProvider />}
      {me.auth === 'password' && (
        <>
          <Section title={texts.password.title} lead={texts.password.lead}>
            <PasswordForm
              userName={me.username}
              submit={texts.password.submit}
              currentLabel={texts.password.current}
              onChanged={changed}
            />
          </Section>
          <Section title={texts.sessions.title} lead={texts.sessions.lead}>
            <SessionList />
          </Section>
        </>
      )}
      {!hasAccount(me) && (
        <Section
          title={texts.password.title}
          lead={me.auth === 'proxy' ? texts.account.byProxy : texts.account.internalPort}
        >
          <Text>{me.auth === 'proxy' ? texts.password.byProxy : texts.password.inside}</Text>
        </Section>
      )}
      <Section title={texts.account.appearance} lead={texts.account.appearanceLead}>
        <div>
          <Text fw={600} id={theme} mb={4}>
            {texts.account.theme}
          </Text>
          <SchemeSwitch labelledBy={theme} captions />
        </div>
        <LanguageSelect label={texts.language.label} size="md" />
      </Section>
    </div>
  )
}

/** The sign-in and the sessions of an identity provider's user. */
function FromProvider() {
  const { provider, sessions } = useTexts('account')
  const name = useProviderName()
  return (
    <>
      <Section title={provider.title} lead={provider.lead({ name })}>
        <Text>{provider.body}</Text>
      </Section>
      <Section title={sessions.title} lead={provider.sessions({ name })}>
        <SessionList />
      </Section>
    </>
  )
}
