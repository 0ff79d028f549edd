import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { InstanceResponse } from '../../../../server/src/api-types.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { bytes } from '../../lib/format-number.ts'
import { moment } from '../../lib/format-time.ts'
import { useNarrow } from '../../ui/breakpoints.ts'
import { Card } from '../../ui/Card.tsx'
import { ScrollableTable } from '../../ui/lists/ScrollableTable.tsx'
import { instancesQuery } from '../queries.ts'
import { shareDisk, totalsOf, type DiskTotals } from './instance-disks.ts'
import classes from './StoragePage.module.css'

/** If several instances share the database: the disk of each, what they have in the object storage, and all together. */
export function InstanceDisks({ hasObjects }: { hasObjects: boolean }) {
  const { storage } = useTexts('storage')
  const words = storage.instances
  const narrow = useNarrow('medium')
  const { data: instances = [] } = useQuery(instancesQuery)
  if (instances.length < 2) return null
  const rows = [
    ...instances.map((instance) => ({
      key: instance.id,
      name: <InstanceName of={instance} />,
      of: totalsOf([instance]),
    })),
    { key: 'total', name: words.total, of: totalsOf(instances) },
  ]
  return (
    <Card title={words.title} lead={shareDisk(instances) ? words.leadOfShared : words.lead}>
      {narrow ? (
        <ul className={classes.cards} aria-label={words.table}>
          {rows.map(({ key, ...row }) => (
            <DiskCard key={key} {...row} hasObjects={hasObjects} />
          ))}
        </ul>
      ) : (
        <ScrollableTable label={words.table}>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.instance}</th>
                <th scope="col">{words.recordings}</th>
                <th scope="col">{storage.disk}</th>
                {hasObjects && <th scope="col">{storage.objects.name}</th>}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ key, ...row }) => (
                <DiskRow key={key} {...row} hasObjects={hasObjects} />
              ))}
            </tbody>
          </table>
        </ScrollableTable>
      )}
      <Text size="sm" mt="sm">
        <Link to="/settings/instances" className={classes.link}>
          {storage.toInstances}
        </Link>
      </Text>
    </Card>
  )
}

function InstanceName({ of: { name, state, current, last_seen_at: seen } }: { of: InstanceResponse }) {
  const { storage } = useTexts('storage')
  const locale = useLocale()
  const note =
    state === 'away'
      ? storage.instances.away({ since: moment(Date.parse(seen), locale) })
      : current && storage.instances.current
  return (
    <span className={classes.name}>
      {name}
      {note && (
        <span className={classes.state} data-away={state === 'away' || undefined}>
          {note}
        </span>
      )}
    </span>
  )
}

interface DiskRowProps {
  readonly name: ReactNode
  readonly of: DiskTotals
  readonly hasObjects: boolean
}

/** The figures as shown. */
function useFigures({ recordings, free, total, objects }: DiskTotals) {
  const { system } = useTexts('storage', 'system')
  const locale = useLocale()
  const shown = (value: number | null) => (value === null ? '–' : bytes(value, locale))
  return {
    recordings: shown(recordings),
    disk:
      free === null || total === null ? '–' : system.diskFree({ free: bytes(free, locale), all: bytes(total, locale) }),
    objects: shown(objects),
  }
}

function DiskRow({ name, of, hasObjects }: DiskRowProps) {
  const figures = useFigures(of)
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{figures.recordings}</td>
      <td>{figures.disk}</td>
      {hasObjects && <td>{figures.objects}</td>}
    </tr>
  )
}

/** A table row as a card, on a phone. */
function DiskCard({ name, of, hasObjects }: DiskRowProps) {
  const { storage } = useTexts('storage')
  const figures = useFigures(of)
  const facts = [
    [storage.instances.recordings, figures.recordings],
    [storage.disk, figures.disk],
    ...(hasObjects ? [[storage.objects.name, figures.objects]] : []),
  ]
  return (
    <li className={classes.card}>
      <div className={classes.cardHead}>{name}</div>
      <dl className={classes.cardFacts}>
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </li>
  )
}
