import type { ReactNode } from 'react'
import classes from './FactGrid.module.css'

/** The cells of a table's row as {@link Fact}s in two columns, on narrow screens. */
export const FactGrid = ({ children }: { children: ReactNode }) => <dl className={classes.facts}>{children}</dl>
