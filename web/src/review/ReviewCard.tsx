import { Checkbox } from '@mantine/core'
import { IconAlertTriangle, IconEye, IconEyeCheck, IconPhotoOff, IconWalk } from '@tabler/icons-react'
import { useState } from 'react'
import { useTitles } from '../cameras/useTitles.ts'
import type { ReviewItemResponse } from '../../../server/src/api-types.ts'
import { useLocale, useTexts } from '../i18n/texts.ts'
import { clock, formatDuration, timeOfDay } from '../lib/format-time.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { thumbnailUrl } from './queries.ts'
import classes from './ReviewCard.module.css'

interface ReviewCardProps {
  readonly item: ReviewItemResponse
  readonly selected: boolean
  readonly onSelect: (on: boolean) => void
  readonly onPlay: () => void
  readonly onSeen: (seen: boolean) => void
}

/** One review item: thumbnail, camera, time, and whether the user has seen it. */
export function ReviewCard({ item, selected, onSelect, onPlay, onSeen }: ReviewCardProps) {
  const { review, partsSeparator } = useTexts('review')
  const locale = useLocale()
  const title = useTitles()(item.camera)
  const time = timeOfDay(item.start, locale)
  const length =
    item.end === null ? review.inProgress : formatDuration(Math.max(1, Math.round(item.end - item.start)), locale)
  const what = [title, time].join(partsSeparator)
  const facts = [what, review.severities[item.severity], length, item.seen ? review.seen : review.notSeen]
  const mark = item.seen ? review.markUnseen : review.markSeen

  return (
    <li
      className={classes.card}
      data-item={item.id}
      data-seen={item.seen || undefined}
      data-severity={item.severity}
      data-selected={selected || undefined}
    >
      <div className={classes.frame}>
        <button type="button" className={classes.thumbnail} onClick={onPlay} aria-label={facts.join(partsSeparator)}>
          <Thumbnail item={item} />
        </button>
        {/* The button's label says the severity in words. */}
        <span className={classes.severity} aria-hidden>
          {item.severity === 'alert' ? <IconAlertTriangle size={14} /> : <IconWalk size={14} />}
          <span>{review.severities[item.severity]}</span>
        </span>
        <span className={classes.length} data-open={item.end === null || undefined} aria-hidden>
          {item.end === null ? review.inProgress : clock(item.end - item.start)}
        </span>
      </div>
      <Checkbox
        className={classes.select}
        checked={selected}
        onChange={({ currentTarget: { checked } }) => onSelect(checked)}
        aria-label={review.select({ what })}
      />
      <div className={classes.caption}>
        <span className={classes.where}>
          <span className={classes.dot} aria-hidden />
          <span className={classes.title}>{title}</span>
        </span>
        <time className={classes.time} dateTime={new Date(item.start * 1000).toISOString()}>
          {time}
        </time>
        <IconButton
          className={classes.mark}
          icon={item.seen ? IconEyeCheck : IconEye}
          label={mark}
          aria-label={[mark, what].join(partsSeparator)}
          size={36}
          onClick={() => onSeen(!item.seen)}
        />
      </div>
    </li>
  )
}

function Thumbnail({ item }: { item: ReviewItemResponse }) {
  const url = thumbnailUrl(item)
  const [failed, setFailed] = useState<string>()
  if (url === undefined || failed === url) {
    return <IconPhotoOff className={classes.blank} size={30} stroke={1.25} aria-hidden />
  }
  return (
    <img
      className={classes.image}
      src={url}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => setFailed(url)}
    />
  )
}
