import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { PageTitle } from '../ui/PageTitle.tsx'
import classes from './TokensPage.module.css'

interface TokensFrameProps {
  readonly title: string
  readonly lead: string
  /** The page's main button. */
  readonly action?: ReactNode
  readonly children: ReactNode
}

/** The head of the pages of one's own tokens. */
export function TokensFrame({ title, lead, action, children }: TokensFrameProps) {
  return (
    <div className={classes.page}>
      <PageTitle of={title} />
      <header className={classes.head}>
        <div className={classes.text}>
          <Title order={1} size="h2">
            {title}
          </Title>
          <Text c="dimmed" mt={2}>
            {lead}
          </Text>
        </div>
        {action}
      </header>
      {children}
    </div>
  )
}
