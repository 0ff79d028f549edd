import { Progress, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconClock, IconDownload, IconPlayerPlayFilled, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTitles } from '../cameras/useTitles.ts'
import { bytes, percent } from '../lib/format-number.ts'
import type { Export } from '../../../server/src/api-types.ts'
import { translateMessage } from '../api/translate-message.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { useCan } from '../session/session.ts'
import { formatDuration, formatTimeRange } from '../lib/format-time.ts'
import { labelFor } from '../lib/label-for.ts'
import { ExportActs } from './ExportActs.tsx'
import classes from './ExportRow.module.css'
import { useExportName } from './useExportName.ts'

/** One export: its details, progress and actions. */
export function ExportRow({ one, onPlay }: { one: Export; onPlay: () => void }) {
  const texts = useTexts('exports')
  const { exports } = texts
  const name = useExportName()(one)
  const manages = useCan('exports.manage')
  const row = useRef<HTMLLIElement>(null)
  const playFromSign = () => {
    // The player returns the focus to this button.
    row.current?.querySelector<HTMLElement>('[data-play]')?.focus()
    onPlay()
  }

  return (
    <li
      ref={row}
      className={classes.row}
      data-export={one.id}
      data-state={one.state}
      data-canceled={isCanceled(one) || undefined}
    >
      <div className={classes.sign} aria-hidden>
        <PlayArea one={one} onPlay={playFromSign} />
      </div>
      <div className={classes.what}>
        <Title order={2} className={classes.name}>
          {name}
        </Title>
        <ExportDetails one={one} />
        {one.state === 'queued' && (
          <Text size="sm" role="status">
            {exports.queued}
          </Text>
        )}
        {one.state === 'running' && <Running one={one} name={name} />}
        {one.state === 'failed' && <Failed one={one} />}
        {one.camera_removed && (
          <Text size="sm" c="dimmed">
            {exports.cameraGone({ manages })}
          </Text>
        )}
      </div>
      <ExportActs one={one} name={name} onPlay={onPlay} />
    </li>
  )
}

/** Its user wanted that, so that it's nothing to be alarmed about. */
const isCanceled = ({ reason }: Export): boolean => reason?.code === 'canceled'

/** A large click target for pointers only; the labeled button is among the other actions. */
function PlayArea({ one, onPlay }: { one: Export; onPlay: () => void }) {
  const { state, camera_removed: gone } = one
  if (state === 'done' && !gone) {
    return (
      <span aria-hidden className={classes.play} onClick={onPlay}>
        <IconPlayerPlayFilled size={22} />
      </span>
    )
  }
  if (isCanceled(one)) return <IconX size={24} stroke={1.5} />
  const Icon = state === 'failed' ? IconAlertTriangle : state === 'queued' ? IconClock : IconDownload
  return <Icon size={24} stroke={1.5} />
}

function ExportDetails({ one }: { one: Export }) {
  const { exports } = useTexts('exports')
  const locale = useLocale()
  const titleOf = useTitles()
  const length = one.end - one.start
  const played = one.duration ?? length
  const facts = [
    // Without a name, the export is titled by its camera, which is already shown.
    one.name && titleOf(one.camera),
    formatDuration(Math.round(length), locale),
    Math.round(length - played) > 1 && exports.less({ seconds: formatDuration(Math.round(played), locale) }),
    one.bytes !== null && bytes(one.bytes, locale),
    one.own ? exports.byMe : one.created_by !== null && exports.by({ name: one.created_by }),
  ].filter((fact): fact is string => typeof fact === 'string' && fact !== '')
  return (
    <>
      <Text size="sm">
        <time dateTime={new Date(one.start * 1000).toISOString()}>{formatTimeRange(one.start, one.end, locale)}</time>
      </Text>
      <Text size="sm" c="dimmed" className={classes.facts}>
        {facts.join(' · ')}
      </Text>
    </>
  )
}

function Running({ one: { progress }, name }: { one: Export; name: string }) {
  const { exports, exportTray } = useTexts('exports')
  const locale = useLocale()
  return (
    <div className={classes.progress}>
      <Progress value={progress} aria-label={exportTray.progress({ name })} className={classes.bar} />
      <Text size="sm" c="dimmed">
        {exports.running({ percent: percent(progress, locale) })}
      </Text>
    </div>
  )
}

function Failed({ one }: { one: Export }) {
  const texts = useTexts('exports')
  const { exports } = texts
  const code = one.reason?.code ?? ''
  const helps = labelFor(exports.help, code)
  return (
    <div className={classes.failed}>
      <strong>{translateMessage('exportReasons', one.reason, texts) ?? one.detail ?? exports.unknownReason}</strong>
      {helps !== code && <span>{helps}</span>}
    </div>
  )
}
