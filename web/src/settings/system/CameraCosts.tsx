import { Text } from '@mantine/core'
import { useNarrow } from '../../ui/breakpoints.ts'
import type { CameraStats } from '../../../../server/src/api-types.ts'
import { useTexts } from '../../i18n/texts.ts'
import { Fact } from '../../ui/lists/FactCard.tsx'
import { FactGrid } from '../../ui/lists/FactGrid.tsx'
import { ScrollableTable } from '../../ui/lists/ScrollableTable.tsx'
import { CameraState } from './CameraState.tsx'
import { together, useMetrics, type Cost } from './costs.ts'
import classes from './SystemPage.module.css'

/** The resources that each camera uses, and their total. */
export function CameraCosts({ of }: { of: readonly CameraStats[] }) {
  const { system } = useTexts('system')
  const narrow = useNarrow()
  if (of.length === 0) return <Text c="dimmed">{system.noCameras}</Text>
  return narrow ? <CostCards of={of} /> : <CostTable of={of} />
}

function CostTable({ of }: { of: readonly CameraStats[] }) {
  const { system } = useTexts('system')
  const metrics = useMetrics()
  const cells = (cost: Cost) =>
    metrics.map((each) => (
      <td key={each.label} className={each.isNumber ? classes.number : undefined}>
        {each.of(cost) ?? '–'}
      </td>
    ))
  return (
    <ScrollableTable label={system.camerasTable}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{system.camera}</th>
            <th scope="col">{system.state}</th>
            {metrics.map(({ label, isNumber }) => (
              <th key={label} scope="col" className={isNumber ? classes.number : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {of.map((camera) => (
            <tr key={camera.name}>
              <th scope="row">
                <span className={classes.name}>{camera.title}</span>
              </th>
              <td>
                <CameraState of={camera} />
              </td>
              {cells(camera)}
            </tr>
          ))}
        </tbody>
        {of.length > 1 && (
          <tfoot>
            <tr className={classes.total}>
              <th scope="row" colSpan={2}>
                {system.total}
              </th>
              {cells(together(of))}
            </tr>
          </tfoot>
        )}
      </table>
    </ScrollableTable>
  )
}

/** The table as cards, on a phone. */
function CostCards({ of }: { of: readonly CameraStats[] }) {
  const { system } = useTexts('system')
  return (
    <ul className={classes.cards} aria-label={system.camerasTable}>
      {of.map((camera) => (
        <li key={camera.name} className={classes.card}>
          <p className={classes.cardTitle}>{camera.title}</p>
          <p>
            <CameraState of={camera} />
          </p>
          <Costs of={camera} />
        </li>
      ))}
      {of.length > 1 && (
        <li className={classes.card}>
          <p className={classes.cardTitle}>{system.total}</p>
          <Costs of={together(of)} />
        </li>
      )}
    </ul>
  )
}

/** Unknown values are left out. */
function Costs({ of }: { of: Cost }) {
  const known = useMetrics().flatMap(({ label, of: format }) => {
    const value = format(of)
    return value === undefined ? [] : [{ label, value }]
  })
  return (
    <FactGrid>
      {known.map(({ label, value }) => (
        <Fact key={label} term={label}>
          {value}
        </Fact>
      ))}
    </FactGrid>
  )
}
