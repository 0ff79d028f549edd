import type { TablerIcon } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import { Tools } from './Tools.tsx'
import classes from './ToolLink.module.css'

interface ToolLinkProps {
  readonly icon: TablerIcon
  readonly children: string
  /** The accessible name, which also names the camera or page that the link leads to. */
  readonly label: string
  readonly link: LinkProps
}

/** A header link to a related page; shows only its icon if there is little room. */
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
