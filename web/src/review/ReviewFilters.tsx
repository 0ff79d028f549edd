import { Badge, Button, NativeSelect, SegmentedControl, Switch, Title } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { cameraChoices, camerasQuery } from '../cameras/queries.ts'
import { failureAmong, loadOf } from '../api/load.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { dayLabel } from '../lib/day.ts'
import { useNow } from '../lib/useNow.ts'
import { oneOf } from '../lib/one-of.ts'
import { FailedPart } from '../ui/feedback/FailedPart.tsx'
import { daysIn, unseenByTab } from './counts.ts'
import { reviewSummary } from './queries.ts'
import classes from './ReviewPage.module.css'
import { without, type ReviewFilter, type ShownItems } from './search.ts'
import { useMarking } from './useMarking.tsx'

interface ReviewFiltersProps {
  readonly filter: ReviewFilter
  readonly onChoose: (filter: ReviewFilter) => void
}

/** The page's title, and which items are listed. */
export function ReviewFilters({ filter, onChoose }: ReviewFiltersProps) {
  const { menu, review } = useTexts('review')
  const { data: summary = { days: [] } } = useQuery(reviewSummary)
  const { mutate: markAll, isPending: isMarking } = useMutation({ mutationFn: useMarking().markAll })
  const { show = 'alerts', unseen } = filter
  const counts = unseenByTab(summary, filter)
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
          disabled={counts[show] === 0 || isMarking}
          onClick={() => markAll(filter)}
        >
          {review.markAll}
        </Button>
      </div>
      <div className={classes.filters} role="search">
        <SeverityTabs filter={filter} onChoose={onChoose} counts={counts} />
        <CameraSelect filter={filter} onChoose={onChoose} />
        <DaySelect filter={filter} onChoose={onChoose} days={daysIn(summary)} />
        <Switch
          label={review.onlyUnseen}
          checked={unseen === true}
          onChange={({ currentTarget: { checked } }) =>
            onChoose(checked ? { ...filter, unseen: true } : without(filter, 'unseen'))
          }
        />
      </div>
    </>
  )
}

/** Says why counts, days or cameras are missing from the filters. A list that failed as well says it itself. */
export function FailedFilters() {
  const failed = failureAmong(loadOf(useQuery(reviewSummary)), loadOf(useQuery(camerasQuery)))
  return failed && <FailedPart {...failed} />
}

const tabs: readonly ShownItems[] = ['alerts', 'detections', 'all']

interface SeverityTabsProps extends ReviewFiltersProps {
  /** Unseen items of each tab. */
  readonly counts: Readonly<Record<ShownItems, number>>
}

function SeverityTabs({ filter, onChoose, counts }: SeverityTabsProps) {
  const { review } = useTexts('review')
  return (
    <SegmentedControl
      classNames={{ root: classes.tabs, control: classes.share }}
      aria-label={review.show}
      value={filter.show ?? 'alerts'}
      onChange={(value) => {
        const next = oneOf(tabs, value, 'alerts')
        onChoose(next === 'alerts' ? without(filter, 'show') : { ...filter, show: next })
      }}
      data={tabs.map((tab) => ({
        value: tab,
        label: <Tab name={review.tabs[tab]} unseen={counts[tab]} words={review.unseen({ count: counts[tab] })} />,
      }))}
    />
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

function CameraSelect({ filter, onChoose }: ReviewFiltersProps) {
  const { review } = useTexts('review')
  const { data: cameras = [] } = useQuery(camerasQuery)
  if (cameras.length < 2 && filter.camera === undefined) return null
  return (
    <NativeSelect
      className={classes.filter}
      aria-label={review.camera}
      value={filter.camera ?? ''}
      onChange={({ currentTarget: { value } }) =>
        onChoose(value ? { ...filter, camera: value } : without(filter, 'camera'))
      }
      data={[{ value: '', label: review.allCameras }, ...cameraChoices(cameras)]}
    />
  )
}

interface DaySelectProps extends ReviewFiltersProps {
  /** The days with items, newest first. */
  readonly days: readonly string[]
}

function DaySelect({ filter, onChoose, days }: DaySelectProps) {
  const { review } = useTexts('review')
  const locale = useLocale()
  const now = useNow(60_000) / 1000
  const { day } = filter
  // The URL may name a day without items.
  const shown = [...new Set([...days, ...(day === undefined ? [] : [day])])].toSorted().toReversed()
  return (
    <NativeSelect
      className={classes.filter}
      aria-label={review.day}
      value={day ?? ''}
      onChange={({ currentTarget: { value } }) => onChoose(value ? { ...filter, day: value } : without(filter, 'day'))}
      data={[
        { value: '', label: review.allDays },
        ...shown.map((each) => ({ value: each, label: dayLabel(each, now, locale) })),
      ]}
    />
  )
}
