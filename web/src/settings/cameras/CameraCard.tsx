import { Button, Paper, Text, Title } from '@mantine/core'
import { IconPencil, IconPlayerPlay, IconRun, IconTrash, IconVideoOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Camera as CameraResponse, CameraSettings } from '../../../../server/src/api-types.ts'
import { useSnapshot } from '../../cameras/useSnapshot.ts'
import { noVideoReason } from '../../api/translate-message.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { ago, useNow } from '../../lib/format-time.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { formatList } from '../../ui/format-list.ts'
import classes from './CamerasPage.module.css'

interface CameraCardProps {
  readonly camera: CameraResponse
  /** undefined if the camera cannot be changed here. */
  readonly settings: CameraSettings | undefined
  readonly roles: readonly string[]
  readonly onEdit: () => void
  readonly onRemove: () => void
}

/** Milliseconds between two snapshots: often enough to show that the camera works, at little load. */
const snapshotInterval = 10_000

/** One camera: its latest snapshot, state and settings, with buttons to change it. */
export function CameraCard({ camera, settings, roles, onEdit, onRemove }: CameraCardProps) {
  const texts = useTexts('cameras', 'live', 'reasons', 'roles')
  const { cameras, live, label } = texts
  const locale = useLocale()
  const now = useNow(10_000)
  const picture = useSnapshot({
    camera: camera.name,
    height: 270,
    every: camera.state === 'online' ? snapshotInterval : undefined,
  })
  const { state, resolution, fps, title, name } = camera
  const reason = noVideoReason(camera, texts)
  const numbers = [
    ...(resolution === null ? [] : [resolution.replace('x', ' × ')]),
    ...(fps === null ? [] : [cameras.fps({ rate: Math.round(fps * 10) / 10 })]),
  ]

  return (
    <Paper component="li" className={classes.card} data-camera={name} data-state={state}>
      <div className={classes.picture}>
        {picture ? (
          <img src={picture.url} alt={cameras.picture({ title })} data-old={state !== 'online' || undefined} />
        ) : (
          <span className={classes.noPicture}>
            <IconVideoOff size={28} stroke={1.5} aria-hidden />
            {cameras.noPicture}
          </span>
        )}
        {picture?.at !== undefined && state !== 'online' && (
          <span className={classes.age}>{live.lastPicture({ when: ago(picture.at, now, locale) })}</span>
        )}
      </div>
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
          <code>{settings?.source ?? cameras.unknownSource}</code>
        </Text>
        {roles.length > 0 && (
          <Text size="sm" c="dimmed">
            {cameras.roles({ roles: formatList(roles, locale, texts.roles.more) })}
          </Text>
        )}
      </div>
      <div className={classes.actions}>
        <Button
          renderRoot={(props) => <Link to="/cameras/$camera" params={{ camera: name }} {...props} />}
          px="xs"
          variant="subtle"
          size="sm"
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          aria-label={cameras.liveOf({ title })}
        >
          {cameras.live}
        </Button>
        <Button
          renderRoot={(props) => <Link to="/settings/cameras/$camera/motion" params={{ camera: name }} {...props} />}
          px="xs"
          variant="subtle"
          size="sm"
          leftSection={<IconRun size={16} aria-hidden />}
          aria-label={cameras.motionOf({ title })}
        >
          {cameras.motion}
        </Button>
        {settings && (
          <>
            <Button
              px="xs"
              variant="subtle"
              size="sm"
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
        )}
      </div>
    </Paper>
  )
}
