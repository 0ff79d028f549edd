import { IconCheck } from '@tabler/icons-react'
import { titleOf } from '../../cameras/queries.ts'
import type { Camera } from '../../../../server/src/api-types.ts'
import { useTexts } from '../../i18n/texts.ts'
import { ScrollableTable } from '../../ui/lists/ScrollableTable.tsx'
import classes from './AccessPage.module.css'
import type { AccessRow } from './effective-access.ts'
import { RowName } from './RowName.tsx'

interface AccessRowsProps {
  /** Header of the first column: users or roles. */
  readonly head: string
  readonly rows: readonly AccessRow[]
  /** The columns. */
  readonly cameras: readonly Camera[]
}

/** A table with a row per user or role and a column per camera. */
export function AccessRows({ head, rows, cameras }: AccessRowsProps) {
  const { access } = useTexts('access')
  return (
    <ScrollableTable label={access.table}>
      <table>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {cameras.map((camera) => (
              <th key={camera.name} scope="col" className={classes.cell}>
                {titleOf(camera)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">
                <RowName of={row} />
              </th>
              {cameras.map(({ name }) => (
                <td key={name} className={classes.cell}>
                  <Sees camera={row.cameras.has(name)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollableTable>
  )
}

function Sees({ camera }: { camera: boolean }) {
  const { access } = useTexts('access')
  return (
    <>
      {camera ? (
        <IconCheck size={18} className={classes.yes} aria-hidden />
      ) : (
        <span aria-hidden className={classes.no}>
          –
        </span>
      )}
      <span className="visually-hidden">{camera ? access.yes : access.no}</span>
    </>
  )
}
