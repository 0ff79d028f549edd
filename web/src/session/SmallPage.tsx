import { Paper, Space, Text, Title } from '@mantine/core'
import { IconLanguage } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { LanguageSelect } from '../ui/LanguageSelect.tsx'
import { Logo } from '../ui/Logo.tsx'
import { useTexts } from '../i18n/texts.ts'
import classes from './SmallPage.module.css'
import { PageTitle } from '../ui/PageTitle.tsx'

/** The layout of a page with a single task, shown before the user reaches the app. */
export function SmallPage({
  page,
  title,
  lead,
  children,
}: {
  page: string
  title: string
  lead?: string | undefined
  children: ReactNode
}) {
  const texts = useTexts()
  return (
    <main className={classes.page}>
      <PageTitle of={page} />
      <div className={classes.name}>
        <Logo size={36} />
        <span>{texts.name}</span>
      </div>
      <Paper className={classes.card}>
        <Title order={1} size="h3">
          {title}
        </Title>
        {lead && (
          <Text c="dimmed" mt={4}>
            {lead}
          </Text>
        )}
        <Space h="lg" />
        {children}
      </Paper>
      <LanguageSelect
        variant="unstyled"
        leftSection={<IconLanguage size={18} aria-hidden />}
        className={classes.language}
      />
    </main>
  )
}
