import type { Camera } from '../../../../server/src/api-types.ts'
import { titleOf } from '../../cameras/queries.ts'
import { useTexts } from '../../i18n/texts.ts'
import classes from './AccessCards.module.css'
import type { AccessRow } from './effective-access.ts'
import { RowName } from './RowName.tsx'

/** Cameras named per row; the rest are only counted. */
const max = 12

interface AccessCardsProps {
  readonly rows: readonly AccessRow[]
  readonly cameras: readonly Camera[]
}

/** The table on a phone: a card per row that names the cameras it can see. */
export function AccessCards({ rows, cameras }: AccessCardsProps) {
  const { access } = useTexts('access')
  return (
    <ul className={classes.list} aria-label={access.table}>
      {rows.map((row) => {
        const seen = cameras.filter(({ name }) => row.cameras.has(name))
        return (
          <li key={row.key} className={classes.card}>
            <p className={classes.name}>
              <RowName of={row} />
            </p>
            {seen.length === 0 || seen.length === cameras.length ? (
              <p className={classes.all}>{seen.length === 0 ? access.sees({ count: 0 }) : access.anyCamera}</p>
            ) : (
              <ul className={classes.cameras} aria-label={access.sees({ count: seen.length })}>
                {seen.slice(0, max).map((camera) => (
                  <li key={camera.name}>{titleOf(camera)}</li>
                ))}
                {seen.length > max && <li>{access.more({ count: seen.length - max })}</li>}
              </ul>
            )}
          </li>
        )
      })}
    </ul>
  )
}
