import { Alert, Badge, Button, Loader, NativeSelect, SegmentedControl, Switch, Title } from '@mantine/core'
import { useIntersection, useMediaQuery } from '@mantine/hooks'
import { IconArrowUp, IconChecks } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ErrorState } from '../ui/ErrorState.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Shortcuts } from '../ui/Shortcuts.tsx'
import { camerasQuery, titleOf } from '../cameras/queries.ts'
import { oneOf } from '../lib/one-of.ts'
import { ApiError } from '../api/api.ts'
import type { ReviewItemResponse } from '../../../server/src/api-types.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { useNow } from '../lib/format-time.ts'
import { daysIn, unseenByTab } from './counts.ts'
import { dayLabel } from '../lib/day.ts'
import { ReviewEmptyState, NothingOfCamera } from './ReviewEmptyState.tsx'
import { ItemPlayer } from './ItemPlayer.tsx'
import { reviewList, reviewSummary } from './queries.ts'
import { ReviewGrid, WaitingGrid } from './ReviewGrid.tsx'
import classes from './ReviewPage.module.css'
import { filterOf, reviewSearch, without, type ReviewFilter, type ShownItems } from './search.ts'
import { Selection } from './Selection.tsx'
import { useNewItems } from './useNewItems.ts'
import { useMarking } from './useMarking.tsx'

const tabs: readonly ShownItems[] = ['alerts', 'detections', 'all']

/** The review items, by day. */
export function ReviewPage() {
  const { menu, shortcuts } = useTexts('shortcuts')
  const search = reviewSearch(useSearch({ from: '/framed/review' }))
  const filter = filterOf(search)
  const navigate = useNavigate({ from: '/review' })
  const choose = (next: ReviewFilter) => void navigate({ search: next, resetScroll: false })
  const play = (id: string | undefined) =>
    void navigate({ search: { ...filter, ...(id !== undefined && { item: id }) }, resetScroll: false, replace: true })

  return (
    <div className={classes.page}>
      <PageTitle of={menu.review} />
      <Shortcuts
        of={[
          [['←', '↑', '→', '↓'], shortcuts.items],
          [['Enter'], shortcuts.play],
          [['S'], shortcuts.seen],
          [['X'], shortcuts.select],
          [['?'], shortcuts.help],
        ]}
      />
      <Head filter={filter} onChoose={choose} />
      <List key={JSON.stringify(filter)} filter={filter} playing={search.item} onPlay={play} onChoose={choose} />
    </div>
  )
}

interface HeadProps {
  readonly filter: ReviewFilter
  readonly onChoose: (filter: ReviewFilter) => void
}

function Head({ filter, onChoose }: HeadProps) {
  const { menu, review } = useTexts('review')
  const locale = useLocale()
  const { data: cameras = [] } = useQuery(camerasQuery)
  const { data: summary = { days: [] } } = useQuery(reviewSummary)
  const { markAll } = useMarking()
  const { show = 'alerts', camera, day, unseen } = filter
  const counts = unseenByTab(summary, filter)
  const now = useNow(60_000) / 1000
  // The URL may name a day without items.
  const days = [...new Set([...daysIn(summary), ...(day === undefined ? [] : [day])])].toSorted().toReversed()
  return (
    <>
      <div className={classes.head}>
        <div className={classes.what}>
          <Title order={1} size="h2">
            {menu.review}
          </Title>
          <p className={classes.lead}>{review.lead}</p>
        </div>
        <Button
          variant="default"
          leftSection={<IconChecks size={18} aria-hidden />}
          disabled={counts[show] === 0}
          onClick={() => void markAll(filter)}
        >
          {review.markAll}
        </Button>
      </div>
      <div className={classes.filters} role="search">
        <SegmentedControl
          classNames={{ root: classes.tabs, control: classes.share }}
          aria-label={review.show}
          value={show}
          onChange={(value) => {
            const next = oneOf(tabs, value, 'alerts')
            onChoose(next === 'alerts' ? without(filter, 'show') : { ...filter, show: next })
          }}
          data={tabs.map((tab) => ({
            value: tab,
            label: <Tab name={review.tabs[tab]} unseen={counts[tab]} words={review.unseen({ count: counts[tab] })} />,
          }))}
        />
        {(cameras.length > 1 || camera !== undefined) && (
          <NativeSelect
            className={classes.filter}
            aria-label={review.camera}
            value={camera ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onChoose(value ? { ...filter, camera: value } : without(filter, 'camera'))
            }
            data={[
              { value: '', label: review.allCameras },
              ...cameras.map((each) => ({ value: each.name, label: titleOf(each) })),
            ]}
          />
        )}
        <NativeSelect
          className={classes.filter}
          aria-label={review.day}
          value={day ?? ''}
          onChange={({ currentTarget: { value } }) =>
            onChoose(value ? { ...filter, day: value } : without(filter, 'day'))
          }
          data={[
            { value: '', label: review.allDays },
            ...days.map((each) => ({ value: each, label: dayLabel(each, now, locale) })),
          ]}
        />
        <Switch
          label={review.onlyUnseen}
          checked={unseen === true}
          onChange={({ currentTarget: { checked } }) => {
            onChoose(checked ? { ...filter, unseen: true } : without(filter, 'unseen'))
          }}
        />
      </div>
    </>
  )
}

function Tab({ name, unseen, words }: { name: string; unseen: number; words: string }) {
  const locale = useLocale()
  return (
    <span className={classes.tab}>
      {name}
      {unseen > 0 && (
        <>
          <Badge className={classes.count} size="sm" variant="light" circle={unseen < 10} aria-hidden>
            {new Intl.NumberFormat(locale).format(unseen)}
          </Badge>
          <span className="visually-hidden">{`, ${words}`}</span>
        </>
      )}
    </span>
  )
}

interface ListProps {
  readonly filter: ReviewFilter
  /** The id of the item that plays. */
  readonly playing: string | undefined
  readonly onPlay: (id: string | undefined) => void
  readonly onChoose: (filter: ReviewFilter) => void
}

function List({ filter, playing, onPlay, onChoose }: ListProps) {
  const texts = useTexts('review')
  const { review } = texts
  const query = useInfiniteQuery(reviewList(filter))
  const [waiting, showWaiting] = useNewItems(filter)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const top = useRef<HTMLDivElement>(null)
  const still = useMediaQuery('(prefers-reduced-motion: reduce)') ?? false
  const { hasNextPage, isFetching, isError, fetchNextPage } = query
  const { ref, entry } = useIntersection({ rootMargin: '600px' })
  const near = entry?.isIntersecting === true
  useEffect(() => {
    if (near && hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [near, hasNextPage, isFetching, isError, fetchNextPage])

  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const status = query.error instanceof ApiError ? query.error.failure.status : undefined
  const toTop = () => {
    showWaiting()
    top.current?.scrollIntoView({ behavior: still ? 'instant' : 'smooth', block: 'start' })
    top.current?.querySelector<HTMLElement>('[data-item] button')?.focus({ preventScroll: true })
  }
  const select = ({ id }: ReviewItemResponse, on: boolean) =>
    setSelected((before) => (on ? new Set([...before, id]) : new Set([...before].filter((one) => one !== id))))

  const body = () => {
    if (query.isPending) return <WaitingGrid />
    if (filter.camera !== undefined && (status === 403 || status === 404)) {
      return <NothingOfCamera error={query.error} onAll={() => onChoose({})} />
    }
    if (query.error && (!query.data || status === 403)) {
      return <ErrorState part error={query.error} again={() => void query.refetch()} />
    }
    if (items.length === 0 && !hasNextPage) return <ReviewEmptyState filter={filter} onChoose={onChoose} />
    return (
      <>
        {query.isError && (
          <Alert role="status" color="yellow">
            {texts.failure.stale}
          </Alert>
        )}
        <ReviewGrid items={items} selected={selected} onSelect={select} onPlay={({ id }) => onPlay(id)} />
        <div ref={ref} className={classes.more}>
          {query.isFetchingNextPage ? (
            <Loader size="sm" role="status" aria-label={texts.loading} />
          ) : hasNextPage ? (
            <Button variant="default" onClick={() => void fetchNextPage()}>
              {review.more}
            </Button>
          ) : (
            <span className={classes.end}>{review.end}</span>
          )}
        </div>
      </>
    )
  }

  return (
    <div ref={top} className={classes.list}>
      <div role="status" className={classes.news}>
        {waiting.length > 0 && (
          <Button size="sm" radius="xl" leftSection={<IconArrowUp size={16} aria-hidden />} onClick={toTop}>
            {review.newCount({ count: waiting.length })}
            <span className="visually-hidden">{`. ${review.showNew}`}</span>
          </Button>
        )}
      </div>
      {body()}
      <Selection items={items.filter(({ id }) => selected.has(id))} onClear={() => setSelected(new Set())} />
      {playing !== undefined && (
        <ItemPlayer
          id={playing}
          items={items}
          onGo={onPlay}
          onNearEnd={() => {
            if (hasNextPage && !isFetching) void fetchNextPage()
          }}
        />
      )}
    </div>
  )
}
