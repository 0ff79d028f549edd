import { Text, Title } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageTitle } from '../ui/PageTitle.tsx'
import { WrappingText } from '../ui/WrappingText.tsx'
import classes from './SectionHead.module.css'

interface SectionHeadProps {
  readonly title: string
  readonly lead?: ReactNode
  /** A link back to the list that this page belongs to. */
  readonly up?: { readonly to: '/settings/users' | '/settings/roles' | '/settings/cameras'; readonly label: string }
  /** The page's main button. */
  readonly children?: ReactNode
}

/** The head of every settings page. */
export function SectionHead({ title, lead, up, children }: SectionHeadProps) {
  return (
    <header className={classes.head}>
      <PageTitle of={title} />
      {up && (
        <Link to={up.to} className={classes.up}>
          <IconChevronLeft size={18} aria-hidden className={classes.flip} />
          {up.label}
        </Link>
      )}
      <div className={classes.row}>
        <div className={classes.text}>
          <Title order={1} size="h2" className={classes.title}>
            <WrappingText of={title} after="@." />
          </Title>
          {lead && (
            <Text c="dimmed" mt={2} component="div">
              {lead}
            </Text>
          )}
        </div>
        {children}
      </div>
    </header>
  )
}
