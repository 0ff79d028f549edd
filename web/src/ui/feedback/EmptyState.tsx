import { Text } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './EmptyState.module.css'

interface EmptyStateProps {
  readonly icon: TablerIcon
  readonly title: string
  readonly children: ReactNode
  readonly action?: ReactNode
}

/** Shown for an empty list, with what to do about it. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={classes.nothing}>
      <Icon size={32} stroke={1.5} aria-hidden />
      <Text fw={600} c="var(--mantine-color-text)">
        {title}
      </Text>
      <Text c="dimmed" maw="44ch">
        {children}
      </Text>
      {action}
    </div>
  )
}
