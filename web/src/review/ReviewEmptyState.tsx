import { Button } from '@mantine/core'
import { IconEyeCheck, IconFilterOff, IconWalk, IconZzz } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCan } from '../session/session.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
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
  const {
    review: { none },
  } = useTexts('review')
  const mayConfigure = useCan('cameras.manage')
  const { data: config } = useQuery(configView)
  const { data: summary = { days: [] } } = useQuery(reviewSummary)
  const { show = 'alerts', unseen, ...place } = filter
  const { camera } = place
  const totals = totalByTab(summary, filter)
  const off = config !== undefined && noneDetects(config)

  if (unseen && totals[show] > 0) {
    return (
      <EmptyState
        icon={IconEyeCheck}
        title={none.seenTitle}
        action={
          <Button variant="default" onClick={() => onChoose(without(filter, 'unseen'))}>
            {none.showSeen}
          </Button>
        }
      >
        {none.seenBody}
      </EmptyState>
    )
  }
  if (off && totals.all === 0) {
    return (
      <EmptyState
        icon={IconZzz}
        title={none.offTitle}
        action={
          mayConfigure && (
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
        {mayConfigure ? `${none.offBody} ${none.offAdmin}` : none.offBody}
      </EmptyState>
    )
  }
  if (show === 'alerts' && totals.detections > 0) {
    return (
      <EmptyState
        icon={IconWalk}
        title={none.alerts}
        action={
          <Button variant="default" onClick={() => onChoose({ ...place, show: 'detections' })}>
            {none.detectionsInstead({ count: totals.detections })}
          </Button>
        }
      >
        {none.body}
      </EmptyState>
    )
  }
  const narrowed = unseen || Object.keys(place).length > 0
  return (
    <EmptyState
      icon={narrowed ? IconFilterOff : IconWalk}
      title={none[show]}
      action={
        narrowed && (
          <Button variant="default" onClick={() => onChoose({ show: 'all' })}>
            {none.showAll}
          </Button>
        )
      }
    >
      {narrowed ? none.narrowed : none.body}
    </EmptyState>
  )
}

/** Whether every camera has motion detection off; false if there are no cameras. */
function noneDetects({ cameras = {} }: ConfigView): boolean {
  const all = Object.values(cameras)
  return all.length > 0 && all.every(({ motion }) => motion?.enabled === false)
}

/** The filter names a camera that the user cannot see or that does not exist. */
export function NothingOfCamera({ error, onAll }: { error: unknown; onAll: () => void }) {
  const texts = useTexts('review')
  return (
    <EmptyState
      icon={IconFilterOff}
      title={messageOf(error, texts)}
      action={
        <Button variant="default" onClick={onAll}>
          {texts.review.none.showAll}
        </Button>
      }
    >
      {null}
    </EmptyState>
  )
}
