import { Button, Progress, Text, Title } from '@mantine/core'
import {
  IconAlertTriangle,
  IconClock,
  IconDownload,
  IconHistory,
  IconPencil,
  IconPlayerPlayFilled,
  IconShare,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useTitles } from '../cameras/useTitles.ts'
import { historyLink } from '../playback/history-link.ts'
import { useCan } from '../session/session.ts'
import { bytes, percent } from '../lib/format-number.ts'
import type { Export } from '../../../server/src/api-types.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { translateMessage } from '../api/translate-message.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { useCanShare } from '../links/can-share.ts'
import { LazyShareDialog } from '../links/LazyShareDialog.tsx'
import { formatDuration, stretch } from '../lib/format-time.ts'
import { labelFor } from '../lib/label-for.ts'
import { DeleteExport } from './DeleteExport.tsx'
import classes from './ExportRow.module.css'
import { fileOf } from './queries.ts'
import { RenameExport } from './RenameExport.tsx'
import { useExportActs } from './useExportActs.ts'
import { useExportName } from './useExportName.ts'

/** One export: its details, progress and actions. */
export function ExportRow({ one, onPlay }: { one: Export; onPlay: () => void }) {
  const texts = useTexts('exports')
  const { exports } = texts
  const name = useExportName()(one)
  const row = useRef<HTMLLIElement>(null)
  const playFromSign = () => {
    // The player returns the focus to this button.
    row.current?.querySelector<HTMLElement>('[data-play]')?.focus()
    onPlay()
  }

  return (
    <li ref={row} className={classes.row} data-export={one.id} data-state={one.state}>
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
            {exports.cameraGone}
          </Text>
        )}
      </div>
      <Acts one={one} name={name} onPlay={onPlay} />
    </li>
  )
}

/** A large click target for pointers only; the labeled button is among the other actions. */
function PlayArea({ one: { state, camera_removed: gone }, onPlay }: { one: Export; onPlay: () => void }) {
  if (state === 'done' && !gone) {
    return (
      <span aria-hidden className={classes.play} onClick={onPlay}>
        <IconPlayerPlayFilled size={22} />
      </span>
    )
  }
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
        <time dateTime={new Date(one.start * 1000).toISOString()}>{stretch(one.start, one.end, locale)}</time>
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

interface ActsProps {
  readonly one: Export
  readonly name: string
  readonly onPlay: () => void
}

function Acts({ one, name, onPlay }: ActsProps) {
  const { exports } = useTexts('exports')
  const mayManage = useCan('exports.manage')
  const hasHistory = useCan('history')
  // Playing an export loads its file.
  const mayDownload = useCan('download')
  const { busy, cancel, again } = useExportActs(one, name)
  const mayShare = useCanShare()
  const [asking, setAsking] = useState<'name' | 'share' | 'delete'>()
  const mayChange = (one.own || mayManage) && !one.camera_removed
  const playable = mayDownload && one.state === 'done' && !one.camera_removed
  const close = () => setAsking(undefined)

  return (
    <div className={classes.acts}>
      {playable && (
        <Button
          variant="light"
          leftSection={<IconPlayerPlayFilled size={16} aria-hidden />}
          aria-label={exports.playOne({ name })}
          data-play
          onClick={onPlay}
        >
          {exports.play}
        </Button>
      )}
      {playable && (
        <IconButton
          icon={IconDownload}
          label={exports.download}
          aria-label={exports.downloadOne({ name })}
          download={fileOf(one)}
        />
      )}
      {mayShare && playable && (
        <IconButton
          icon={IconShare}
          label={exports.share}
          aria-label={exports.shareOne({ name })}
          onClick={() => setAsking('share')}
        />
      )}
      {one.state === 'failed' && !one.camera_removed && (
        <Button variant="default" loading={busy} onClick={again}>
          {exports.again}
        </Button>
      )}
      {hasHistory && !one.camera_removed && (
        <IconButton
          icon={IconHistory}
          label={exports.inHistory}
          renderRoot={(props) => <Link {...props} {...historyLink(one.camera, one.start)} />}
        />
      )}
      {mayChange && <IconButton icon={IconPencil} label={exports.rename} onClick={() => setAsking('name')} />}
      {mayChange && (one.state === 'queued' || one.state === 'running') && (
        <IconButton icon={IconX} label={exports.cancel} onClick={cancel} />
      )}
      {mayManage && <IconButton icon={IconTrash} label={exports.delete} onClick={() => setAsking('delete')} />}
      {asking === 'share' && (
        <LazyShareDialog target={{ kind: 'export', export: one.id }} title={name} onClose={close} />
      )}
      {asking === 'name' && <RenameExport one={one} onClose={close} />}
      <DeleteExport one={one} name={name} opened={asking === 'delete'} onClose={close} />
    </div>
  )
}
