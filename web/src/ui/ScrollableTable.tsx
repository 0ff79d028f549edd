import type { ReactNode } from 'react'
import classes from './ScrollableTable.module.css'

/** A table that may be wider than the page: it scrolls by itself, with the keyboard too, and its first column stays. */
export function ScrollableTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to scroll by keyboard too
    <div className={classes.wide} role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}
