import { Title } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './Notice.module.css'
import { PageTitle } from './PageTitle.tsx'

interface MessageProps {
  readonly icon: TablerIcon
  readonly title: string
  readonly children: ReactNode
  /** What one can do about it. */
  readonly action?: ReactNode
  /** Speaks up at once, as for a failure. */
  readonly alert?: boolean
  /** It stands below the heading of its page. */
  readonly part?: boolean
}

/** A page, or the part of one, that has only something to say: empty, refused, failed. */
export function Notice({ icon: Icon, title, children, action, alert = false, part = false }: MessageProps) {
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
