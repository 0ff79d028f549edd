import { Skeleton, Title } from '@mantine/core'
import { useEventListener } from '@mantine/hooks'
import { useState } from 'react'
import { useKeys } from '../ui/shortcuts/useKeys.ts'
import type { ReviewItemResponse } from '../../../server/src/api-types.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { useNow } from '../lib/useNow.ts'
import { dayLabel, dayOf } from '../lib/day.ts'
import { nextTo } from './next-to.ts'
import { ReviewCard } from './ReviewCard.tsx'
import classes from './ReviewGrid.module.css'
import { useMarking } from './useMarking.tsx'

interface ReviewGridProps {
  /** Newest first. */
  readonly items: readonly ReviewItemResponse[]
  readonly selected: ReadonlySet<string>
  readonly onSelect: (item: ReviewItemResponse, on: boolean) => void
  readonly onPlay: (item: ReviewItemResponse) => void
}

/** Items by day. Arrow keys move between items, Enter plays, S marks as seen, X selects. */
export function ReviewGrid({ items, selected, onSelect, onPlay }: ReviewGridProps) {
  const { review } = useTexts('review')
  const locale = useLocale()
  const now = useNow(60_000)
  const { mark } = useMarking()
  const grid = useEventListener<'keydown', HTMLDivElement>('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
    const card = cardOf(event.target)
    const to = card && nextTo(card, event.key)
    if (!to) return
    to.querySelector('button')?.focus()
    event.preventDefault()
  })
  /** Runs an action on the focused item. */
  const withFocused = (act: (item: ReviewItemResponse) => void) => () => {
    const focused = cardOf(document.activeElement)?.dataset['item']
    const item = items.find(({ id }) => id === focused)
    if (item) act(item)
  }
  useKeys({
    s: withFocused((item) => void mark([item], !item.seen)),
    x: withFocused((item) => onSelect(item, !selected.has(item.id))),
  })

  const days = Map.groupBy(items, ({ start }) => dayOf(start))
  return (
    <div ref={grid} className={classes.days} data-selecting={selected.size > 0 || undefined}>
      {[...days].map(([day, ofDay]) => {
        const name = dayLabel(day, now / 1000, locale)
        return (
          <section key={day} aria-label={name}>
            <Title order={2} size="h5" className={classes.day}>
              {name}
            </Title>
            <ul className={classes.grid} aria-label={review.list({ day: name })}>
              {ofDay.map((item) => (
                <ReviewCard
                  key={item.id}
                  item={item}
                  selected={selected.has(item.id)}
                  onSelect={(on) => onSelect(item, on)}
                  onPlay={() => onPlay(item)}
                  onSeen={(seen) => void mark([item], seen)}
                />
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

const cardOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-item]') : null

/** Placeholder while items load. */
export function WaitingGrid() {
  const { loading } = useTexts()
  const [cards] = useState(() => Array.from({ length: 8 }, (_, at) => at))
  return (
    <div className={classes.grid} role="status" aria-label={loading}>
      {cards.map((at) => (
        <Skeleton key={at} className={classes.skeleton} radius={14} />
      ))}
    </div>
  )
}
