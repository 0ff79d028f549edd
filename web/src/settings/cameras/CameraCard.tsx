import { Button, Paper, Text, Title } from '@mantine/core'
import { IconPencil, IconPlayerPlay, IconRun, IconTrash, IconVideoOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Camera as CameraResponse, CameraSettings } from '../../../../server/src/api-types.ts'
import { useSnapshot } from '../../cameras/useSnapshot.ts'
import { noVideoReason } from '../../api/translate-message.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { ago } from '../../lib/format-time.ts'
import { useNow } from '../../lib/useNow.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { formatList } from '../../lib/format-list.ts'
import classes from './CamerasPage.module.css'

interface CameraCardProps {
  readonly camera: CameraResponse
  /** undefined if the camera cannot be changed here. */
  readonly settings: CameraSettings | undefined
  /** The roles whose users can see the camera. */
  readonly roles: readonly string[]
  readonly onEdit: () => void
  readonly onRemove: () => void
}

/** Milliseconds between two snapshots: often enough to show that the camera works, at little load. */
const snapshotInterval = 10_000

/** One camera: its latest snapshot, state and settings, with buttons to change it. */
export function CameraCard({ camera, settings, roles, onEdit, onRemove }: CameraCardProps) {
  return (
    <Paper component="li" className={classes.card} data-camera={camera.name} data-state={camera.state}>
      <Snapshot camera={camera} />
      <CameraFacts camera={camera} source={settings?.source} roles={roles} />
      <div className={classes.actions}>
        <PageLinks camera={camera} />
        {settings && <EditButtons title={camera.title} onEdit={onEdit} onRemove={onRemove} />}
      </div>
    </Paper>
  )
}

function Snapshot({ camera: { name, title, state } }: { camera: CameraResponse }) {
  const { cameras, live } = useTexts('cameras', 'live')
  const locale = useLocale()
  const now = useNow(10_000)
  const isOnline = state === 'online'
  const snapshot = useSnapshot({ camera: name, height: 270, every: isOnline ? snapshotInterval : undefined })
  return (
    <div className={classes.snapshot}>
      {snapshot ? (
        <img src={snapshot.url} alt={cameras.snapshot({ title })} data-old={!isOnline || undefined} />
      ) : (
        <span className={classes.noSnapshot}>
          <IconVideoOff size={28} stroke={1.5} aria-hidden />
          {cameras.noSnapshot}
        </span>
      )}
      {snapshot?.at !== undefined && !isOnline && (
        <span className={classes.age}>{live.lastFrame({ when: ago(snapshot.at, now, locale) })}</span>
      )}
    </div>
  )
}

interface CameraFactsProps {
  readonly camera: CameraResponse
  readonly source: string | undefined
  readonly roles: readonly string[]
}

function CameraFacts({ camera, source, roles }: CameraFactsProps) {
  const texts = useTexts('cameras', 'reasons', 'roles')
  const { cameras, label } = texts
  const locale = useLocale()
  const { state, resolution, fps, title, name } = camera
  const reason = noVideoReason(camera, texts)
  const numbers = [
    ...(resolution === null ? [] : [resolution.replace('x', ' × ')]),
    ...(fps === null ? [] : [cameras.fps({ rate: Math.round(fps * 10) / 10 })]),
  ]
  return (
    <div className={classes.facts}>
      <div className={classes.head}>
        <Title order={2} size="h5" className={classes.title}>
          {title}
        </Title>
        <span className={classes.state} data-state={state}>
          <span className={classes.dot} aria-hidden />
          {cameras.states[state]}
        </span>
      </div>
      {title !== name && (
        <Text size="sm" c="dimmed" ff="monospace">
          {name}
        </Text>
      )}
      {reason && <Text size="sm">{reason}</Text>}
      {numbers.length > 0 && <Text size="sm">{numbers.join(' · ')}</Text>}
      <Text size="sm" c="dimmed" className={classes.source}>
        {label({ what: cameras.source })}
        <code>{source ?? cameras.unknownSource}</code>
      </Text>
      {roles.length > 0 && (
        <Text size="sm" c="dimmed">
          {cameras.roles({ roles: formatList(roles, locale, texts.roles.more, 8) })}
        </Text>
      )}
    </div>
  )
}

const smallButton = { px: 'xs', variant: 'subtle', size: 'sm' } as const

function PageLinks({ camera: { name, title } }: { camera: CameraResponse }) {
  const { cameras } = useTexts('cameras')
  return (
    <>
      <Button
        {...smallButton}
        renderRoot={(props) => <Link to="/cameras/$camera" params={{ camera: name }} {...props} />}
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        aria-label={cameras.liveOf({ title })}
      >
        {cameras.live}
      </Button>
      <Button
        {...smallButton}
        renderRoot={(props) => <Link to="/settings/cameras/$camera/motion" params={{ camera: name }} {...props} />}
        leftSection={<IconRun size={16} aria-hidden />}
        aria-label={cameras.motionOf({ title })}
      >
        {cameras.motion}
      </Button>
    </>
  )
}

function EditButtons({ title, onEdit, onRemove }: { title: string } & Pick<CameraCardProps, 'onEdit' | 'onRemove'>) {
  const { cameras } = useTexts('cameras')
  return (
    <>
      <Button
        {...smallButton}
        leftSection={<IconPencil size={16} aria-hidden />}
        onClick={onEdit}
        aria-label={cameras.editOf({ title })}
      >
        {cameras.edit}
      </Button>
      <IconButton
        className={classes.remove}
        icon={IconTrash}
        label={cameras.remove}
        aria-label={cameras.removeOf({ title })}
        color="red"
        size={36}
        onClick={onRemove}
      />
    </>
  )
}
