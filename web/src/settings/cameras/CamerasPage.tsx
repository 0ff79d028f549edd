import { Alert, Button } from '@mantine/core'
import { IconDeviceCctv, IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import type { Camera, RoleResponse } from '../../../../server/src/api-types.ts'
import { camerasQuery } from '../../cameras/queries.ts'
import { failureAmong, loadOf } from '../../api/load.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useTexts } from '../../i18n/texts.ts'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { rolesQuery } from '../../users/roles.ts'
import { EditedByHand } from '../EditedByHand.tsx'
import page from '../Page.module.css'
import { SectionHead } from '../SectionHead.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { StaleAlert } from '../../ui/feedback/StaleAlert.tsx'
import { CameraCard } from './CameraCard.tsx'
import { CameraForm } from './CameraForm.tsx'
import { cameraSettingsQuery, settingsOf, type KnownSettings } from '../../cameras/camera-settings.ts'
import { RemoveCamera } from './RemoveCamera.tsx'

type Dialog = { readonly kind: 'add' } | { readonly kind: 'edit' | 'remove'; readonly name: string }

/** Every camera with its state, and dialogs to add, change and remove one. */
export function CamerasPage() {
  const { cameras } = useTexts('cameras')
  const states = loadOf(useQuery(camerasQuery))
  const settings = loadOf(useQuery(cameraSettingsQuery))
  const roles = loadOf(useQuery(rolesQuery))
  const failed = failureAmong(states, settings, roles)
  if (states.state !== 'ready' || settings.state !== 'ready' || roles.state !== 'ready') {
    return (
      <div className={page.page}>
        <SectionHead title={cameras.title} lead={cameras.lead} />
        {failed ? <ErrorState part {...failed} /> : <ListSkeleton />}
      </div>
    )
  }

  const isStale = states.stale || settings.stale || roles.stale
  return <CameraList states={states.value} known={settings.value} roles={roles.value} isStale={isStale} />
}

interface CameraListProps {
  readonly states: readonly Camera[]
  readonly known: KnownSettings
  readonly roles: readonly RoleResponse[]
  readonly isStale: boolean
}

function CameraList({ states, known, roles, isStale }: CameraListProps) {
  const { cameras } = useTexts('cameras')
  // A link from the camera's own page opens its form. What changes later leaves an open form alone.
  const { edit } = useSearch({ from: '/framed/settings/cameras' })
  const navigate = useNavigate({ from: '/settings/cameras' })
  const [dialog, setDialog] = useState<Dialog | undefined>(
    edit !== undefined && known.editable && settingsOf(known, edit) ? { kind: 'edit', name: edit } : undefined,
  )
  useEffect(() => {
    if (edit !== undefined && !dialog) void navigate({ search: {}, replace: true })
  }, [edit, dialog, navigate])

  const add = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setDialog({ kind: 'add' })}>
      {cameras.add}
    </Button>
  )
  return (
    <div className={page.page}>
      <SectionHead title={cameras.title} lead={cameras.lead}>
        {known.editable && states.length > 0 && add}
      </SectionHead>
      {isStale && <StaleAlert />}
      {!known.editable && <EditedByHand />}
      {known.demo && <Alert color="gate">{cameras.demos}</Alert>}
      {states.length === 0 ? (
        <EmptyState icon={IconDeviceCctv} title={cameras.emptyTitle} action={known.editable && add}>
          {cameras.emptyBody}
        </EmptyState>
      ) : (
        <ul className={page.grid} aria-label={cameras.list}>
          {states.map((camera) => (
            <CameraCard
              key={camera.name}
              camera={camera}
              settings={known.editable ? settingsOf(known, camera.name) : undefined}
              roles={rolesWith(camera.name, roles)}
              onEdit={() => setDialog({ kind: 'edit', name: camera.name })}
              onRemove={() => setDialog({ kind: 'remove', name: camera.name })}
            />
          ))}
        </ul>
      )}
      <CameraDialogs dialog={dialog} known={known} cameras={states} onClose={() => setDialog(undefined)} />
    </div>
  )
}

/** The names of the roles whose users can see a camera, built-in ones first. */
const rolesWith = (camera: string, roles: readonly RoleResponse[]): string[] =>
  roles
    .filter(({ allowed_cameras }) => allowed_cameras.includes(camera))
    .toSorted((one, other) => Number(other.builtin) - Number(one.builtin))
    .map(({ name }) => name)

interface CameraDialogsProps {
  readonly dialog: Dialog | undefined
  readonly known: KnownSettings
  readonly cameras: readonly Camera[]
  readonly onClose: () => void
}

function CameraDialogs({ dialog, known, cameras, onClose }: CameraDialogsProps) {
  const queries = useQueryClient()
  if (!dialog) return null
  const onChanged = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: queryKeys.cameras.all }),
      queries.invalidateQueries({ queryKey: queryKeys.config.all }),
      queries.invalidateQueries({ queryKey: queryKeys.roles.all }),
    ])
  }
  switch (dialog.kind) {
    case 'add':
      return <CameraForm name={undefined} known={known} onClose={onClose} onSaved={onChanged} />
    case 'edit':
      return <CameraForm name={dialog.name} known={known} onClose={onClose} onSaved={onChanged} />
    case 'remove': {
      const title = cameras.find(({ name }) => name === dialog.name)?.title ?? dialog.name
      return <RemoveCamera name={dialog.name} title={title} known={known} onClose={onClose} onRemoved={onChanged} />
    }
  }
}
