import type { ReactNode } from 'react'
import classes from './ScrollableTable.module.css'

/**
 * A table that can be wider than the page: it scrolls on its own, by keyboard too, and its first column stays in view.
 */
export function ScrollableTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be scrollable by keyboard
    <div className={classes.wide} role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  )
}
