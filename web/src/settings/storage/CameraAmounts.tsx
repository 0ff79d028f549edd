import { Progress, Text } from '@mantine/core'
import { IconAlertTriangle, IconPencil, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useNarrow } from '../../ui/breakpoints.ts'
import type { Camera, CameraStorage } from '../../../../server/src/api-types.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { bytes } from '../../lib/format-number.ts'
import { notRecordingReason } from '../../api/translate-message.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { moment } from '../../lib/format-time.ts'
import { ScrollableTable } from '../../ui/lists/ScrollableTable.tsx'
import { days } from './days.ts'
import type { Reach } from './reach.ts'
import classes from './StoragePage.module.css'

interface CameraAmountsProps {
  readonly of: readonly CameraStorage[]
  readonly shown: ReadonlyMap<string, Camera>
  readonly reach: ReadonlyMap<string, Reach>
  /** Opens the form for a camera's limits; undefined if they cannot be changed. */
  readonly onChange: (camera: string) => (() => void) | undefined
  /** Opens the dialog that deletes a removed camera's recordings; undefined if the user can't delete them. */
  readonly onDelete: ((camera: CameraStorage) => void) | undefined
}

/** The storage that each camera's recordings use, largest first. */
export function CameraAmounts({ of, ...parts }: CameraAmountsProps) {
  const { storage } = useTexts('storage')
  const narrow = useNarrow('medium')
  const largest = Math.max(1, ...of.map(({ bytes: taken }) => taken ?? 0))
  const sorted = of.toSorted((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0))
  if (of.length === 0) return <Text c="dimmed">{storage.none}</Text>
  const each = sorted.map((camera) => ({ camera, largest, ...parts }))
  if (narrow) {
    return (
      <ul className={classes.cards} aria-label={storage.table}>
        {each.map((row) => (
          <CameraCard key={row.camera.id} {...row} />
        ))}
      </ul>
    )
  }
  return (
    <ScrollableTable label={storage.table}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{storage.camera}</th>
            <th scope="col">{storage.used}</th>
            <th scope="col">{storage.perDay}</th>
            <th scope="col">{storage.since}</th>
            <th scope="col">{storage.estimatedRetention}</th>
            <th scope="col">{storage.limits}</th>
            <th scope="col">
              <span className="visually-hidden">{storage.change}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {each.map((row) => (
            <CameraRow key={row.camera.id} {...row} />
          ))}
        </tbody>
      </table>
    </ScrollableTable>
  )
}

interface RowProps extends Omit<CameraAmountsProps, 'of'> {
  readonly camera: CameraStorage
  /** Bytes of the camera that uses the most. */
  readonly largest: number
}

function CameraRow(row: RowProps) {
  const metrics = useMetrics(row)
  return (
    <tr>
      <th scope="row">
        <CameraName {...row} />
      </th>
      <td className={classes.used}>{metrics.used}</td>
      <td>{metrics.pace}</td>
      <td>{metrics.since}</td>
      <td>{metrics.lasts}</td>
      <td className={classes.limits}>{metrics.limits}</td>
      <td>
        <Act {...row} />
      </td>
    </tr>
  )
}

/** A table row as a card, on a phone. */
function CameraCard(row: RowProps) {
  const { storage } = useTexts('storage')
  const metrics = useMetrics(row)
  const facts: [string, ReactNode][] = [
    [storage.used, metrics.used],
    [storage.perDay, metrics.pace],
    [storage.since, metrics.since],
    [storage.estimatedRetention, metrics.lasts],
    [storage.limits, metrics.limits],
  ]
  return (
    <li className={classes.card}>
      <div className={classes.cardHead}>
        <CameraName {...row} />
        <Act {...row} />
      </div>
      <dl className={classes.cardFacts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </li>
  )
}

function CameraName({ camera: { camera, configured }, shown }: RowProps) {
  const texts = useTexts('storage', 'live', 'reasons')
  const { storage, live } = texts
  // If a removed camera's name is in use again, it belongs to another camera.
  const known = configured ? shown.get(camera) : undefined
  const reason = known && notRecordingReason(known, texts)
  return (
    <div className={classes.name}>
      <span>{known?.title ?? camera}</span>
      {reason === undefined ? (
        <span className={classes.state} data-state={known?.recording_state}>
          {configured ? storage.states[known?.recording_state ?? 'off'] : storage.gone}
        </span>
      ) : (
        <span className={classes.paused}>
          <IconAlertTriangle size={15} aria-hidden />
          {live.notRecording({ reason })}
        </span>
      )}
    </div>
  )
}

/** The row's button: changes a camera's limits, or deletes the recordings of a removed camera. */
function Act({ camera, shown, onChange, onDelete }: RowProps) {
  const { storage } = useTexts('storage')
  const name = camera.camera
  if (!camera.configured) {
    return (
      onDelete && (
        <IconButton
          icon={IconTrash}
          label={storage.deleteOf({ title: name })}
          size={40}
          onClick={() => onDelete(camera)}
        />
      )
    )
  }
  const change = onChange(name)
  const label = storage.changeOf({ title: shown.get(name)?.title ?? name })
  return change && <IconButton icon={IconPencil} label={label} size={40} onClick={change} />
}

/** A camera's storage figures, localized. */
function useMetrics({
  camera: { camera, configured, bytes: taken, bytes_per_day, oldest, limits },
  largest,
  reach,
}: RowProps) {
  const { storage, partsSeparator } = useTexts('storage')
  const locale = useLocale()
  const end = configured ? reach.get(camera) : undefined
  const gigabytes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'gigabyte' })
  return {
    used: (
      <>
        {taken === null ? storage.counting : bytes(taken, locale)}
        <Progress value={((taken ?? 0) / largest) * 100} color="gate" size="sm" mt={4} aria-hidden />
      </>
    ),
    pace: bytes_per_day === null ? '–' : bytes(bytes_per_day, locale),
    since: oldest === null ? '–' : moment(oldest * 1000, locale),
    lasts: end ? (
      <>
        {storage.about({ days: days(end.days, locale) })}
        <span className={classes.hint}>{storage.by[end.by]}</span>
      </>
    ) : (
      '–'
    ),
    limits: [
      days(limits.retain_days, locale),
      ...(limits.max_gb === null ? [] : [gigabytes.format(limits.max_gb)]),
      ...(limits.mode === 'motion' ? [storage.onlyMotion] : []),
    ].join(partsSeparator),
  }
}
