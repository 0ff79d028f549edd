import { Badge } from '@mantine/core'
import { useTexts } from '../../i18n/texts.ts'
import { StatusBadge } from '../../users/StatusBadge.tsx'
import { nameOf, type AccessRow } from './effective-access.ts'
import classes from './RowName.module.css'

/** The user or role of a row, and why it sees nothing now. */
export function RowName({ of: row }: { of: AccessRow }) {
  const { access } = useTexts('access')
  return (
    <span className={classes.name}>
      {nameOf(row, access)}
      {row.role !== undefined && <span className={classes.role}>{row.role}</span>}
      {row.status && <StatusBadge user={row.status} />}
      {row.invalid && (
        <Badge size="lg" variant="light" tt="none" color="red" className={classes.badge}>
          {access.invalid[row.invalid]}
        </Badge>
      )}
    </span>
  )
}
