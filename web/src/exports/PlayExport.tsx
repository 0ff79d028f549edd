import { Button, Group, Text } from '@mantine/core'
import {
  IconDownload,
  IconHistory,
  IconLock,
  IconPlugConnectedX,
  IconTrash,
  IconVideoOff,
  type TablerIcon,
} from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useNarrow } from '../ui/breakpoints.ts'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import { historyLink } from '../playback/history-link.ts'
import { useAccessLoss } from '../playback/access-loss.ts'
import type { FileProblem } from '../player/file-problem.ts'
import type { AccessLoss } from '../player/recording/recording-state.ts'
import { useVideoFile } from '../player/useVideoFile.ts'
import { signedOut } from '../api/api.ts'
import { useCan } from '../session/session.ts'
import type { Export } from '../../../server/src/api-types.ts'
import { messageOf } from '../api/failure.ts'
import { loadOf } from '../api/load.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { formatTimeRange } from '../lib/format-time.ts'
import { fileOf, oneExport, requestFile } from './queries.ts'
import classes from './PlayExport.module.css'
import { useExportName } from './useExportName.ts'

/** Plays an export in place. */
export function PlayExport({ id, onClose }: { id: string; onClose: () => void }) {
  const texts = useTexts('exports')
  const one = loadOf(useQuery(oneExport(id)))
  // An export that the user can no longer see stays open: its player says why playback stops.
  const [last, setLast] = useState<Export>()
  if (one.state === 'ready' && one.value !== last) setLast(one.value)
  const nameOf = useExportName()
  const narrow = useNarrow()

  return (
    <Dialog
      opened
      onClose={onClose}
      title={last ? nameOf(last) : texts.exports.play}
      size="min(1100px, 92vw, 130dvh)"
      centered
      radius={narrow ? 0 : 'lg'}
      fullScreen={narrow}
    >
      {one.state === 'failed' && !last && <Text role="alert">{messageOf(one.error, texts)}</Text>}
      {one.state === 'loading' && !last && <div className={classes.stage} />}
      {last && <Playing one={last} />}
    </Dialog>
  )
}

function Playing({ one }: { one: Export }) {
  const { exports } = useTexts('exports')
  const locale = useLocale()
  const queries = useQueryClient()
  const [ended, setEnded] = useState<AccessLoss>()
  const file = useVideoFile(fileOf(one), (signal) => requestFile(one, signal))
  const hasHistory = useCan('history')
  // Otherwise the browser would play the buffered file to its end.
  useAccessLoss(one.camera, (reason) => {
    setEnded(reason)
    if (reason === 'session') signedOut()
    void queries.invalidateQueries({ queryKey: queryKeys.exports.all })
  })

  const download = (
    <Button
      component="a"
      href={fileOf(one)}
      download
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden />}
    >
      {exports.download}
    </Button>
  )
  return (
    <>
      <div className={classes.stage} data-playing={ended === undefined && !file.problem ? one.id : undefined}>
        {ended !== undefined ? (
          <Ended reason={ended} />
        ) : file.problem ? (
          <Unplayable problem={file.problem} again={file.again} />
        ) : (
          // eslint-disable-next-line jsx-a11y/media-has-caption -- camera audio has no captions
          <video
            {...file.video}
            className={classes.video}
            controls
            autoPlay
            playsInline
            data-autofocus
            aria-label={formatTimeRange(one.start, one.end, locale)}
          />
        )}
      </div>
      {ended === undefined && (
        <Group justify="space-between" mt="md">
          <Text size="sm" c="dimmed">
            {formatTimeRange(one.start, one.end, locale)}
          </Text>
          <Group gap="sm">
            {hasHistory && (
              <Button
                renderRoot={(props) => <Link {...props} {...historyLink(one.camera, one.start)} />}
                variant="default"
                leftSection={<IconHistory size={18} aria-hidden />}
              >
                {exports.inHistory}
              </Button>
            )}
            {file.problem !== 'gone' && download}
          </Group>
        </Group>
      )}
    </>
  )
}

function Ended({ reason }: { reason: AccessLoss }) {
  const { playback } = useTexts('playback')
  switch (reason) {
    case 'session':
      return null
    case 'permission':
      return (
        <Explanation icon={IconLock} title={playback.ended}>
          <span>{playback.endedBody}</span>
        </Explanation>
      )
    case 'missing':
      return <Explanation icon={IconVideoOff} title={playback.missing} />
  }
}

function Unplayable({ problem, again }: { problem: FileProblem; again: () => void }) {
  const { exports, playback, tryAgain } = useTexts('exports', 'playback')
  switch (problem) {
    case 'gone':
      return <Explanation icon={IconTrash} title={exports.gone} />
    case 'lost':
      return (
        <Explanation icon={IconPlugConnectedX} title={playback.interrupted}>
          <Button variant="default" mt="xs" onClick={again}>
            {tryAgain}
          </Button>
        </Explanation>
      )
    case 'unsupported':
      return (
        <Explanation icon={IconVideoOff} title={playback.unsupported}>
          <span>{playback.unsupportedBody}</span>
        </Explanation>
      )
  }
}

interface ExplanationProps {
  readonly icon: TablerIcon
  readonly title: string
  readonly children?: ReactNode
}

function Explanation({ icon: Icon, title, children }: ExplanationProps) {
  return (
    <div className={classes.notice} role="alert">
      <Icon size={26} stroke={1.5} aria-hidden />
      <strong>{title}</strong>
      {children}
    </div>
  )
}
