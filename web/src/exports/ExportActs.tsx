import { Button } from '@mantine/core'
import {
  IconDownload,
  IconHistory,
  IconPencil,
  IconPlayerPlayFilled,
  IconShare,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { historyLink } from '../playback/history-link.ts'
import { useCan } from '../session/session.ts'
import type { Export } from '../../../server/src/api-types.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { useTexts } from '../i18n/texts.ts'
import { useCanShare } from '../links/can-share.ts'
import { LazyShareDialog } from '../links/LazyShareDialog.tsx'
import { DeleteExport } from './DeleteExport.tsx'
import classes from './ExportRow.module.css'
import { fileOf } from './queries.ts'
import { RenameExport } from './RenameExport.tsx'
import { useExportActs } from './useExportActs.ts'

interface ExportActsProps {
  readonly one: Export
  readonly name: string
  readonly onPlay: () => void
}

/** Reasons for which the same export would fail again. Of a deleted recording, a part may be left, which can be exported. */
const failsAgain: ReadonlySet<string> = new Set(['nothing-recorded', 'video-format-changed', 'audio-format-changed'])

/** What the user's role can do with an export. */
export function ExportActs({ one, name, onPlay }: ExportActsProps) {
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
      {one.state === 'failed' && !one.camera_removed && !failsAgain.has(one.reason?.code ?? '') && (
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
