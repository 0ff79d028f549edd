import { Title } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './Notice.module.css'
import { PageTitle } from '../PageTitle.tsx'

interface NoticeProps {
  readonly icon: TablerIcon
  readonly title: string
  readonly children: ReactNode
  /** A button or link to act on the message. */
  readonly action?: ReactNode
  /** Announced immediately by screen readers, for example for a failure. */
  readonly alert?: boolean
  /** Shown below a page's heading, not as the whole page. */
  readonly part?: boolean
}

/** A page, or part of one, that only shows a message: not found, denied, failed. */
export function Notice({ icon: Icon, title, children, action, alert = false, part = false }: NoticeProps) {
  return (
    <section className={classes.message} role={alert ? 'alert' : undefined}>
      {!part && <PageTitle of={title} />}
      <div className={classes.icon}>
        <Icon size={30} stroke={1.5} aria-hidden />
      </div>
      <Title order={part ? 2 : 1} size="h3">
        {title}
      </Title>
      <div className={classes.body}>{children}</div>
      {action}
    </section>
  )
}
