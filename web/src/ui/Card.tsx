import { Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Card.module.css'

interface CardProps {
  readonly title: string
  readonly lead?: string
  readonly children: ReactNode
}

/** A titled box on a settings page. */
export function Card({ title, lead, children }: CardProps) {
  return (
    <Paper component="section" className={classes.card} aria-label={title}>
      <Title order={2} size="h4">
        {title}
      </Title>
      {lead && (
        <Text c="dimmed" size="sm" mt={2}>
          {lead}
        </Text>
      )}
      <div className={classes.body}>{children}</div>
    </Paper>
  )
}
