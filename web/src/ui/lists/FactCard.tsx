import { Paper, Title } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './FactCard.module.css'

interface FactCardProps {
  readonly title: string
  readonly icon?: TablerIcon
  /** Below the title. */
  readonly note?: ReactNode
  /** Buttons. */
  readonly actions: ReactNode
  /** {@link Fact}s. */
  readonly children: ReactNode
  /** Below the facts. */
  readonly foot?: ReactNode
}

/** An item of a list: its name, what is known about it, and what can be done with it. */
export const FactCard = ({ title, icon: Icon, note, actions, children, foot, ...data }: FactCardProps) => (
  <Paper component="li" className={classes.card} {...data}>
    <div>
      <div className={classes.head}>
        {Icon && <Icon size={22} stroke={1.5} aria-hidden />}
        <Title order={2} size="h4" className={classes.title}>
          {title}
        </Title>
        {actions}
      </div>
      {note}
    </div>
    <dl className={classes.facts}>{children}</dl>
    {foot}
  </Paper>
)

export const Fact = ({ term, children }: { term: string; children: ReactNode }) => (
  <div>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </div>
)
