import { Button } from '@mantine/core'
import { IconEyeCheck, IconFilterOff, IconWalk, IconZzz } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMay } from '../session/session.ts'
import { Nothing } from '../settings/Nothing.tsx'
import { ask } from '../shared/api.ts'
import { messageOf } from '../shared/failure.ts'
import { queryKeys } from '../shared/query-keys.ts'
import { useTexts } from '../shared/texts/texts.ts'
import { totalByTab } from './counts.ts'
import { reviewSummary } from './review.ts'
import { without, type ReviewFilter } from './search.ts'

interface ConfigShown {
  readonly cameras?: Readonly<Record<string, { readonly motion?: { readonly enabled?: boolean } }>>
}

/** The running configuration, of which a role is shown its cameras. */
const configShown = queryOptions({
  queryKey: queryKeys.config.shown,
  queryFn: ({ signal }) => ask<ConfigShown>('api/config', { signal }),
})

interface NothingToReviewParts {
  readonly filter: ReviewFilter
  readonly onChoose: (filter: ReviewFilter) => void
}

/** Why a list is empty, and what to look at instead. */
export function NothingToReview({ filter, onChoose }: NothingToReviewParts) {
  const {
    review: { none },
  } = useTexts()
  const mayConfigure = useMay('cameras.manage')
  const { data: config } = useQuery(configShown)
  const { data: summary = { days: [] } } = useQuery(reviewSummary)
  const { show = 'alerts', unseen, ...place } = filter
  const { camera } = place
  const totals = totalByTab(summary, filter)
  const off = config !== undefined && noneLooks(config)

  if (unseen && totals[show] > 0) {
    return (
      <Nothing
        icon={IconEyeCheck}
        title={none.seenTitle}
        action={
          <Button variant="default" onClick={() => onChoose(without(filter, 'unseen'))}>
            {none.showSeen}
          </Button>
        }
      >
        {none.seenBody}
      </Nothing>
    )
  }
  if (off && totals.all === 0) {
    return (
      <Nothing
        icon={IconZzz}
        title={none.offTitle}
        action={
          mayConfigure && (
            <Button
              variant="default"
              renderRoot={(props) =>
                camera === undefined ? (
                  <Link to="/settings/$section" params={{ section: 'cameras' }} {...props} />
                ) : (
                  <Link to="/settings/$section/$item" params={{ section: 'cameras', item: camera }} {...props} />
                )
              }
            >
              {none.toMotion}
            </Button>
          )
        }
      >
        {mayConfigure ? `${none.offBody} ${none.offAdmin}` : none.offBody}
      </Nothing>
    )
  }
  if (show === 'alerts' && totals.detections > 0) {
    return (
      <Nothing
        icon={IconWalk}
        title={none.alerts}
        action={
          <Button variant="default" onClick={() => onChoose({ ...place, show: 'detections' })}>
            {none.detectionsInstead(totals.detections)}
          </Button>
        }
      >
        {none.body}
      </Nothing>
    )
  }
  const narrowed = unseen || Object.keys(place).length > 0
  return (
    <Nothing
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
    </Nothing>
  )
}

/** Whether none of the cameras looks for motion; not where there are none. */
function noneLooks({ cameras = {} }: ConfigShown): boolean {
  const all = Object.values(cameras)
  return all.length > 0 && all.every(({ motion }) => motion?.enabled === false)
}

/** A camera that one may not see, or that is not there. */
export function NothingOfCamera({ error, onAll }: { error: unknown; onAll: () => void }) {
  const texts = useTexts()
  return (
    <Nothing
      icon={IconFilterOff}
      title={messageOf(error, texts)}
      action={
        <Button variant="default" onClick={onAll}>
          {texts.review.none.showAll}
        </Button>
      }
    >
      {null}
    </Nothing>
  )
}
