import { Button } from '@mantine/core'
import { IconEyeCheck, IconFilterOff, IconWalk, IconZzz } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { NoCameras } from '../cameras/NoCameras.tsx'
import { camerasQuery } from '../cameras/queries.ts'
import { useCan } from '../session/session.ts'
import { EmptyState } from '../ui/feedback/EmptyState.tsx'
import { fetchJson } from '../api/api.ts'
import { messageOf } from '../api/failure.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useTexts } from '../i18n/texts.ts'
import { totalByTab } from './counts.ts'
import { reviewSummary } from './queries.ts'
import { without, type ReviewFilter } from './search.ts'

interface ConfigView {
  readonly cameras?: Readonly<Record<string, { readonly motion?: { readonly enabled?: boolean } }>>
}

/** The active configuration; a role is shown its own cameras only. */
const configView = queryOptions({
  queryKey: queryKeys.config.shown,
  queryFn: ({ signal }) => fetchJson<ConfigView>('api/config', { signal }),
})

interface ReviewEmptyStateProps {
  readonly filter: ReviewFilter
  readonly onChoose: (filter: ReviewFilter) => void
}

/** Explains why the list is empty, and what to look at instead. */
export function ReviewEmptyState({ filter, onChoose }: ReviewEmptyStateProps) {
  const { none } = useTexts('review').review
  const { data: config } = useQuery(configView)
  const { data: summary = { days: [] } } = useQuery(reviewSummary)
  const { data: cameras } = useQuery(camerasQuery)
  const { show = 'alerts', unseen, ...place } = filter
  const totals = totalByTab(summary, filter)

  if (cameras?.length === 0) return <NoCameras part />
  if (unseen && totals[show] > 0) {
    return (
      <EmptyState
        icon={IconEyeCheck}
        title={none.seenTitle}
        action={<Choose label={none.showSeen} onClick={() => onChoose(without(filter, 'unseen'))} />}
      >
        {none.seenBody}
      </EmptyState>
    )
  }
  if (config !== undefined && noneDetects(config) && totals.all === 0) return <DetectionOff camera={place.camera} />
  if (show === 'alerts' && totals.detections > 0) {
    const label = none.detectionsInstead({ count: totals.detections })
    return (
      <EmptyState
        icon={IconWalk}
        title={none.alerts}
        action={<Choose label={label} onClick={() => onChoose({ ...place, show: 'detections' })} />}
      >
        {none.body}
      </EmptyState>
    )
  }
  const isNarrowed = unseen || Object.keys(place).length > 0
  return (
    <EmptyState
      icon={isNarrowed ? IconFilterOff : IconWalk}
      title={none[show]}
      action={isNarrowed && <Choose label={none.showAll} onClick={() => onChoose({ show: 'all' })} />}
    >
      {isNarrowed ? none.narrowed : none.body}
    </EmptyState>
  )
}

function Choose({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button variant="default" onClick={onClick}>
      {label}
    </Button>
  )
}

/** No camera detects motion. @param camera the only one listed */
function DetectionOff({ camera }: { camera: string | undefined }) {
  const { review, sentences } = useTexts('review')
  const { none } = review
  const canConfigure = useCan('cameras.manage')
  return (
    <EmptyState
      icon={IconZzz}
      title={none.offTitle}
      action={
        canConfigure && (
          <Button
            variant="default"
            renderRoot={(props) =>
              camera === undefined ? (
                <Link to="/settings/cameras" {...props} />
              ) : (
                <Link to="/settings/cameras/$camera/motion" params={{ camera }} {...props} />
              )
            }
          >
            {none.toMotion}
          </Button>
        )
      }
    >
      {canConfigure ? sentences({ text: none.offBody, next: none.offAdmin }) : none.offBody}
    </EmptyState>
  )
}

/** Whether every camera has motion detection off; false if there are no cameras. */
function noneDetects({ cameras = {} }: ConfigView): boolean {
  const all = Object.values(cameras)
  return all.length > 0 && all.every(({ motion }) => motion?.enabled === false)
}

/** The filter names a camera that the user cannot see or that does not exist. */
export function CameraEmptyState({ error, onAll }: { error: unknown; onAll: () => void }) {
  const texts = useTexts('review')
  return (
    <EmptyState
      icon={IconFilterOff}
      title={messageOf(error, texts)}
      action={<Choose label={texts.review.none.showAll} onClick={onAll} />}
    >
      {null}
    </EmptyState>
  )
}
