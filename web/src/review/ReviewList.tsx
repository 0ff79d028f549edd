import { Button } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { IconArrowUp } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState, type ReactNode } from 'react'
import type { ReviewItemResponse } from '../../../server/src/api-types.ts'
import { ApiError } from '../api/api.ts'
import { useTexts } from '../i18n/texts.ts'
import { ErrorState } from '../ui/feedback/ErrorState.tsx'
import { LoadMore } from '../ui/lists/LoadMore.tsx'
import { StaleAlert } from '../ui/feedback/StaleAlert.tsx'
import { ItemPlayer } from './item/ItemPlayer.tsx'
import { reviewList } from './queries.ts'
import { CameraEmptyState, ReviewEmptyState } from './ReviewEmptyState.tsx'
import { FailedFilters } from './ReviewFilters.tsx'
import { ReviewGrid, WaitingGrid } from './ReviewGrid.tsx'
import classes from './ReviewPage.module.css'
import type { ReviewFilter } from './search.ts'
import { Selection } from './Selection.tsx'
import { useNewItems } from './news/useNewItems.ts'

interface ReviewListProps {
  readonly filter: ReviewFilter
  /** The id of the item that plays. */
  readonly playing: string | undefined
  readonly onPlay: (id: string | undefined) => void
  readonly onChoose: (filter: ReviewFilter) => void
}

const useList = (filter: ReviewFilter) => useInfiniteQuery(reviewList(filter))

/** The items that match the filter, with those that are new since. */
export function ReviewList({ filter, playing, onPlay, onChoose }: ReviewListProps) {
  const query = useList(filter)
  const [waiting, showWaiting] = useNewItems(filter, query.data?.pages ?? [])
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const top = useRef<HTMLDivElement>(null)
  const isReduced = useReducedMotion()
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const focusFirst = () => top.current?.querySelector<HTMLElement>('[data-item] button')?.focus({ preventScroll: true })
  /** The pressed button goes with the bar of the selection. */
  const focusCard = (id: string | undefined) => {
    const cards = [...(top.current?.querySelectorAll<HTMLElement>('[data-item]') ?? [])]
    const card = cards.find(({ dataset }) => dataset['item'] === id)
    ;(card?.querySelector('button') ?? document.getElementById('content'))?.focus({ preventScroll: true })
  }
  const showNew = async () => {
    const shown = showWaiting()
    top.current?.scrollIntoView({ behavior: isReduced ? 'instant' : 'smooth', block: 'start' })
    focusFirst()
    // The focused item may be gone once the list, which renders in its own timeout, was fetched again.
    if (await shown) setTimeout(() => document.activeElement === document.body && focusFirst())
  }
  const select = ({ id }: ReviewItemResponse, on: boolean) =>
    setSelected((before) => (on ? new Set([...before, id]) : new Set([...before].filter((one) => one !== id))))

  const isLeft = ({ id }: ReviewItemResponse) => !selected.has(id)
  /** @param areGone whether the selected items were deleted */
  const clear = (areGone: boolean) => {
    const first = items.findIndex(({ id }) => selected.has(id))
    const next = areGone ? (items.slice(first).find(isLeft) ?? items.findLast(isLeft)) : items[first]
    setSelected(new Set())
    focusCard(next?.id)
  }

  return (
    <div ref={top} className={classes.list}>
      <NewItems count={waiting.length} onShow={() => void showNew()} />
      <ListState query={query} filter={filter} onChoose={onChoose}>
        <FailedFilters />
        <ReviewGrid items={items} selected={selected} onSelect={select} onPlay={({ id }) => onPlay(id)} />
      </ListState>
      <Selection items={items.filter(({ id }) => selected.has(id))} onClear={clear} />
      {playing !== undefined && (
        <ItemPlayer
          id={playing}
          items={items}
          onGo={onPlay}
          canFetch={!query.isFetching && !query.isFetchNextPageError}
          onNearEnd={() => {
            if (query.hasNextPage && !query.isFetching) void query.fetchNextPage({ cancelRefetch: false })
          }}
        />
      )}
    </div>
  )
}

function NewItems({ count, onShow }: { count: number; onShow: () => void }) {
  const { review, partsSeparator } = useTexts('review')
  return (
    <div role="status" className={classes.news}>
      {count > 0 && (
        <Button size="sm" radius="xl" leftSection={<IconArrowUp size={16} aria-hidden />} onClick={onShow}>
          {review.newCount({ count })}
          <span className="visually-hidden">{partsSeparator + review.showNew}</span>
        </Button>
      )}
    </div>
  )
}

interface ListStateProps extends Pick<ReviewListProps, 'filter' | 'onChoose'> {
  readonly query: ReturnType<typeof useList>
  /** The list, once there are items. */
  readonly children: ReactNode
}

/** The list, or why there is none. */
function ListState({ query, filter, onChoose, children }: ListStateProps) {
  const { review } = useTexts('review')
  const { data, error, isPending, hasNextPage } = query
  const status = error instanceof ApiError ? error.failure.status : undefined
  if (isPending) return <WaitingGrid />
  if (filter.camera !== undefined && (status === 403 || status === 404)) {
    return <CameraEmptyState error={error} onAll={() => onChoose({})} />
  }
  if (error && (!data || status === 403)) {
    return <ErrorState part error={error} again={() => void query.refetch()} />
  }
  const isEmpty = data?.pages.every(({ items }) => items.length === 0)
  if (isEmpty && !hasNextPage) return <ReviewEmptyState filter={filter} onChoose={onChoose} />
  return (
    <>
      {error && <StaleAlert />}
      {children}
      <LoadMore query={query} label={review.more} end={review.end} />
    </>
  )
}
