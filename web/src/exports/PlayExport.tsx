import { Button, Group, Modal, Text } from '@mantine/core'
import { IconDownload, IconHistory, IconLock, IconVideoOff, type TablerIcon } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useNarrow } from '../ui/breakpoints.ts'
import { historyLink } from '../playback/history-link.ts'
import { useAccessLoss } from '../playback/access-loss.ts'
import type { AccessLoss } from '../player/recording-state.ts'
import { signedOut } from '../api/api.ts'
import { useCan } from '../session/session.ts'
import type { Export } from '../../../server/src/api-types.ts'
import { messageOf } from '../api/failure.ts'
import { loadOf } from '../api/load.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { stretch } from '../lib/format-time.ts'
import { useFocusBack } from '../ui/useFocusBack.ts'
import { fileOf, oneExport } from './queries.ts'
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
  useFocusBack()

  return (
    <Modal
      opened
      onClose={onClose}
      title={last ? nameOf(last) : texts.exports.play}
      size="min(1100px, 92vw, 130dvh)"
      centered
      radius={narrow ? 0 : 'lg'}
      fullScreen={narrow}
      closeButtonProps={{ 'aria-label': texts.close }}
    >
      {one.state === 'failed' && !last && <Text role="alert">{messageOf(one.error, texts)}</Text>}
      {one.state === 'loading' && !last && <div className={classes.stage} />}
      {last && <Playing one={last} />}
    </Modal>
  )
}

function Playing({ one }: { one: Export }) {
  const { exports, playback } = useTexts('exports', 'playback')
  const locale = useLocale()
  const queries = useQueryClient()
  const [ended, setEnded] = useState<AccessLoss>()
  const [broken, setBroken] = useState(false)
  const hasHistory = useCan('history')
  // Otherwise the browser would play the buffered file to its end.
  useAccessLoss(one.camera, (reason) => {
    setEnded(reason)
    if (reason === 'session') signedOut()
    void queries.invalidateQueries({ queryKey: queryKeys.exports.all })
  })

  const download = (
    <Button component="a" href={fileOf(one)} download variant="default" leftSection={<IconDownload size={18} />}>
      {exports.download}
    </Button>
  )
  return (
    <>
      <div className={classes.stage} data-playing={ended === undefined && !broken ? one.id : undefined}>
        {ended === 'permission' && (
          <Explanation icon={IconLock} title={playback.ended}>
            {playback.endedBody}
          </Explanation>
        )}
        {ended === 'missing' && (
          <Explanation icon={IconVideoOff} title={playback.missing}>
            {null}
          </Explanation>
        )}
        {ended === undefined && broken && (
          <Explanation icon={IconVideoOff} title={playback.unsupported}>
            {playback.unsupportedBody}
          </Explanation>
        )}
        {ended === undefined && !broken && (
          // eslint-disable-next-line jsx-a11y/media-has-caption -- camera audio has no captions
          <video
            className={classes.video}
            src={fileOf(one)}
            controls
            autoPlay
            playsInline
            data-autofocus
            aria-label={stretch(one.start, one.end, locale)}
            onError={() => setBroken(true)}
          />
        )}
      </div>
      {ended === undefined && (
        <Group justify="space-between" mt="md">
          <Text size="sm" c="dimmed">
            {stretch(one.start, one.end, locale)}
          </Text>
          <Group gap="sm">
            {hasHistory && (
              <Button
                renderRoot={(props) => <Link {...props} {...historyLink(one.camera, one.start)} />}
                variant="default"
                leftSection={<IconHistory size={18} />}
              >
                {exports.inHistory}
              </Button>
            )}
            {download}
          </Group>
        </Group>
      )}
    </>
  )
}

function Explanation({ icon: Icon, title, children }: { icon: TablerIcon; title: string; children: ReactNode }) {
  return (
    <div className={classes.notice} role="alert">
      <Icon size={26} stroke={1.5} aria-hidden />
      <strong>{title}</strong>
      {children && <span>{children}</span>}
    </div>
  )
}
