import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { CameraStorage, DiskResponse, InstanceResponse } from '../../../../server/src/api-types.ts'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { camerasQuery } from '../../cameras/queries.ts'
import { useCan } from '../../session/session.ts'
import { bytes } from '../../lib/format-number.ts'
import { failureAmong, loadOf } from '../../api/load.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { notRecordingReason } from '../../api/translate-message.ts'
import { useLocale, useTexts, type Texts } from '../../i18n/texts.ts'
import { cameraSettingsQuery, settingsOf } from '../../cameras/camera-settings.ts'
import { Card } from '../../ui/Card.tsx'
import { formatList } from '../../lib/format-list.ts'
import { EditedByHand } from '../EditedByHand.tsx'
import page from '../Page.module.css'
import { instancesQuery } from '../queries.ts'
import { SectionHead } from '../SectionHead.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { StaleAlert } from '../../ui/feedback/StaleAlert.tsx'
import { CameraAmounts } from './CameraAmounts.tsx'
import { DeleteRecordings } from './DeleteRecordings.tsx'
import { DiskFacts } from './DiskFacts.tsx'
import { InstanceDisks } from './InstanceDisks.tsx'
import { LimitsForm } from './LimitsForm.tsx'
import { reachOf } from './reach.ts'
import { gigabyte, readsOthers, roomOf, wholeRoomOf } from './room.ts'
import { diskQuery, storageQuery } from './storage.ts'

/** How much storage recordings use, how far back they reach, and their limits. */
export function StoragePage() {
  const { storage } = useTexts('storage')
  const refresh = useRefresh()
  const amounts = loadOf(useQuery(storageQuery))
  const disk = loadOf(useQuery(diskQuery))
  const cameras = loadOf(useQuery(camerasQuery))
  const { data: instances = [] } = useQuery(instancesQuery)
  const mayChange = useCan('cameras.manage')
  const known = useQuery({ ...cameraSettingsQuery, enabled: mayChange }).data
  const [changing, setChanging] = useState<{ readonly camera: string | undefined }>()
  const [deleting, setDeleting] = useState<CameraStorage>()

  const failed = failureAmong(amounts, disk, cameras)
  const head = <SectionHead title={storage.title} lead={storage.lead} />
  if (amounts.state !== 'ready' || disk.state !== 'ready' || cameras.state !== 'ready') {
    return (
      <div className={page.page}>
        {head}
        {failed ? <ErrorState part {...failed} /> : <ListSkeleton />}
      </div>
    )
  }

  const shown = new Map(cameras.value.map((camera) => [camera.name, camera]))
  const titleOf = (name: string) => shown.get(name)?.title ?? name
  const reach = reachOf(
    amounts.value.cameras.map(({ camera, configured, bytes_per_day, limits: own }) => ({
      camera,
      perDay: configured ? bytes_per_day : null,
      days: own.retain_days,
      bytes: own.max_gb === null ? null : own.max_gb * gigabyte,
    })),
    wholeRoomOf(disk.value, instances),
  )

  return (
    <div className={page.page}>
      {head}
      {(amounts.stale || disk.stale || cameras.stale) && <StaleAlert />}
      <PausedRecordings />
      <DiskSpaceWarning of={disk.value} />
      <Card {...headOfDisk(storage, instances)}>
        <DiskFacts of={disk.value} onChange={known && (() => setChanging({ camera: undefined }))} />
      </Card>
      <InstanceDisks hasObjects={disk.value.object_storage !== null} />
      <Card title={storage.byCamera} lead={leadOfCameras(storage, instances)}>
        {known?.editable === false && <EditedByHand />}
        <CameraAmounts
          of={amounts.value.cameras}
          shown={shown}
          reach={reach}
          onChange={(camera) =>
            known?.editable === true && settingsOf(known, camera) ? () => setChanging({ camera }) : undefined
          }
          onDelete={mayChange ? setDeleting : undefined}
        />
      </Card>
      {changing && known && (
        <LimitsForm
          key={changing.camera ?? ''}
          camera={changing.camera}
          title={changing.camera === undefined ? undefined : titleOf(changing.camera)}
          known={known}
          onClose={() => setChanging(undefined)}
          onSaved={refresh}
        />
      )}
      {deleting && <DeleteRecordings of={deleting} onClose={() => setDeleting(undefined)} onDeleted={refresh} />}
    </div>
  )
}

/** Refetches what a change of limits, or of what is recorded, changes. */
function useRefresh() {
  const queries = useQueryClient()
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: queryKeys.storage.all }),
      queries.invalidateQueries({ queryKey: queryKeys.config.all }),
      queries.invalidateQueries({ queryKey: queryKeys.cameras.all }),
    ])
}

type StorageTexts = Texts<'storage'>['storage']

/** If several instances share the database, the disk is that of one of them. */
function headOfDisk(storage: StorageTexts, instances: readonly InstanceResponse[]) {
  const own = instances.length > 1 && instances.find(({ current }) => current)
  return own ? { title: storage.ofInstance({ name: own.name }), lead: storage.ofInstanceLead } : { title: storage.all }
}

const leadOfCameras = (storage: StorageTexts, instances: readonly InstanceResponse[]): string =>
  instances.length > 1 ? storage.byCameraLeadOfSeveral({ all: readsOthers(instances) }) : storage.byCameraLead

/** Lists the cameras whose recording is paused, by reason. */
function PausedRecordings() {
  const texts = useTexts('reasons', 'live', 'storage', 'roles')
  const locale = useLocale()
  const { data = [] } = useQuery(camerasQuery)
  const byReason = new Map<string, string[]>()
  for (const camera of data) {
    const reason = notRecordingReason(camera, texts)
    if (reason !== undefined) byReason.set(reason, [...(byReason.get(reason) ?? []), camera.title])
  }
  return [...byReason].map(([reason, titles]) => (
    <Alert
      key={reason}
      role="alert"
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={texts.live.notRecording({ reason })}
    >
      {texts.storage.pausedBody({ titles: formatList(titles, locale, texts.roles.more) })}
    </Alert>
  ))
}

/** Warns if the disk has less space than the recordings' limit. */
function DiskSpaceWarning({ of: disk }: { of: DiskResponse }) {
  const { storage } = useTexts('storage')
  const locale = useLocale()
  const given = disk.limits.max_gb * gigabyte
  const room = roomOf(disk)
  if (room >= given) return null
  return (
    <Alert color="yellow" title={storage.tight}>
      {storage.tightBody({ given: bytes(given, locale), room: bytes(room, locale) })}
    </Alert>
  )
}
