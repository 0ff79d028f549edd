import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './AccountPage.module.css'

/** A part of a page of the account. */
export function Section({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <Paper component="section" className={classes.section} aria-label={title}>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed" size="sm" mt={2} mb="md">
        {lead}
      </Text>
      <Stack>{children}</Stack>
    </Paper>
  )
}
