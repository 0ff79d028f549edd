import { Text } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Camera, InstanceResponse } from '../../../../server/src/api-types.ts'
import { loadOf } from '../../api/load.ts'
import { camerasQuery, titleOf } from '../../cameras/queries.ts'
import { useTexts } from '../../i18n/texts.ts'
import { useCan } from '../../session/session.ts'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ListSkeleton } from '../../ui/feedback/ListSkeleton.tsx'
import { paged, Paging } from '../../ui/lists/Paging.tsx'
import rows from '../../ui/lists/RowList.module.css'
import { SearchField } from '../../ui/forms/SearchField.tsx'
import classes from './InstancesPage.module.css'
import { MoveCamera } from './MoveCamera.tsx'
import { placementsOf, type Placement } from './placement.ts'

/** Cameras from which on there is a search field. */
const many = 10

/** Each camera with the instance that pulls it, and a button to move it for those who can manage cameras. */
export function PlacedCameras({ instances }: { instances: readonly InstanceResponse[] }) {
  const { instances: words } = useTexts('instances')
  const cameras = loadOf(useQuery(camerasQuery))
  return (
    <Card title={words.cameras} lead={words.camerasLead}>
      {cameras.state === 'loading' && <ListSkeleton />}
      {cameras.state === 'failed' && <ErrorState part error={cameras.error} again={cameras.again} />}
      {cameras.state === 'ready' && <CameraList cameras={cameras.value} instances={instances} />}
    </Card>
  )
}

interface CameraListProps {
  readonly cameras: readonly Camera[]
  readonly instances: readonly InstanceResponse[]
}

function CameraList({ cameras, instances }: CameraListProps) {
  const { instances: words } = useTexts('instances')
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [moved, setMoved] = useState<Camera>()
  const mayMove = useCan('cameras.manage')
  const placements = placementsOf(instances)
  const typed = search.trim().toLowerCase()
  const found = cameras.filter((camera) => textOf(camera, placements.get(camera.name)).includes(typed))
  const list = paged(found, page, setPage)
  return (
    <>
      {cameras.length > many && (
        <SearchField
          className={classes.search}
          label={words.search}
          value={search}
          onChange={(text) => {
            setSearch(text)
            setPage(1)
          }}
        />
      )}
      {found.length === 0 && <Text c="dimmed">{cameras.length === 0 ? words.noCameras : words.noMatch}</Text>}
      <ul className={rows.list} aria-label={words.cameras}>
        {list.shown.map((camera) => (
          <PlacedCamera
            key={camera.name}
            camera={camera}
            placement={placements.get(camera.name)}
            onMove={mayMove ? () => setMoved(camera) : undefined}
          />
        ))}
      </ul>
      <Paging paged={list} />
      {moved && (
        <MoveCamera
          camera={moved}
          placement={placements.get(moved.name)}
          instances={instances}
          onClose={() => setMoved(undefined)}
        />
      )}
    </>
  )
}

const textOf = (camera: Camera, placement: Placement | undefined): string =>
  [titleOf(camera), camera.name, placement?.owner?.name ?? '', placement?.requested?.name ?? '']
    .join('\n')
    .toLowerCase()

interface PlacedCameraProps {
  readonly camera: Camera
  readonly placement: Placement | undefined
  /** undefined: the user can't move it. */
  readonly onMove: (() => void) | undefined
}

function PlacedCamera({ camera, placement, onMove }: PlacedCameraProps) {
  const { instances: words } = useTexts('instances')
  const { owner, requested } = placement ?? {}
  const title = titleOf(camera)
  const isHere = requested !== undefined && requested.id === owner?.id
  return (
    <li className={rows.item} data-camera={camera.name} data-owner={owner?.name}>
      <div className={rows.text}>
        <div className={classes.camera}>{title}</div>
        <div className={classes.placement} data-none={(!owner && camera.state !== 'disabled') || undefined}>
          {owner
            ? words.pulledBy({ name: owner.name })
            : camera.state === 'disabled'
              ? words.disabled
              : words.pulledByNone}
        </div>
        {requested && (
          <div className={classes.placement}>
            {isHere
              ? words.byHand
              : requested.state === 'away'
                ? words.movesLater({ name: requested.name })
                : words.moves({ name: requested.name })}
          </div>
        )}
      </div>
      {onMove && <IconButton icon={IconArrowsExchange} label={words.moveOf({ title })} onClick={onMove} />}
    </li>
  )
}
