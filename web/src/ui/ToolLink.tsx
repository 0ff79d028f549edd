import type { TablerIcon } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import { Tools } from '../app/Tools.tsx'
import classes from './ToolLink.module.css'

interface ToolLinkProps {
  readonly icon: TablerIcon
  readonly children: string
  /** Says whose page it leads to as well. */
  readonly label: string
  readonly link: LinkProps
}

/** Leads from the header to a page about the same; by its sign alone where there is little room. */
export function ToolLink({ icon: Icon, children, label, link }: ToolLinkProps) {
  return (
    <Tools>
      <Link {...link} className={classes.link} aria-label={label}>
        <Icon size={20} aria-hidden />
        <span className={classes.words}>{children}</span>
      </Link>
    </Tools>
  )
}
