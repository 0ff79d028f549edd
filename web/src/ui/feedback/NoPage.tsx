import { Button } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import { Notice } from './Notice.tsx'

interface NoPageProps {
  readonly icon: TablerIcon
  readonly title: string
  readonly body: string
  /** Where to go instead. */
  readonly to: LinkProps['to']
  /** The label of the button that leads there. */
  readonly label: string
}

/** Shown in place of a page that doesn't exist, or that the user can't see. */
export function NoPage({ icon, title, body, to, label }: NoPageProps) {
  return (
    <Notice
      icon={icon}
      title={title}
      action={
        <Button variant="default" renderRoot={(props) => <Link to={to} {...props} />}>
          {label}
        </Button>
      }
    >
      {body}
    </Notice>
  )
}
