import type { TablerIcon } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'
import classes from './SideMenu.module.css'

export interface SideMenuEntry {
  readonly to: NonNullable<LinkProps['to']>
  readonly text: string
  readonly icon: TablerIcon
  /** Whether the entry is not that of the pages below it. */
  readonly exact?: boolean
}

interface SideMenuProps {
  readonly label: string
  readonly title?: string
  readonly entries: readonly SideMenuEntry[]
  /** On a phone: not shown, or in a row above the page. */
  readonly narrow: 'hidden' | 'row'
}

/** The pages of a section of the UI, beside the page. */
export function SideMenu({ label, title, entries, narrow }: SideMenuProps) {
  return (
    <nav className={classes.menu} aria-label={label} data-narrow={narrow}>
      {title !== undefined && (
        <p className={classes.title} aria-hidden>
          {title}
        </p>
      )}
      {entries.map(({ to, text, icon: Icon, exact = false }) => (
        <Link
          key={to}
          to={to}
          className={classes.entry}
          activeOptions={{ exact }}
          activeProps={{ 'aria-current': 'page' }}
        >
          <Icon size={20} aria-hidden />
          <span>{text}</span>
        </Link>
      ))}
    </nav>
  )
}
