import { Badge, Button } from '@mantine/core'
import {
  IconChevronLeft,
  IconChevronRight,
  IconDownload,
  IconEye,
  IconEyeCheck,
  IconHistory,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconReload,
  IconTrash,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReviewItemResponse } from '../../../../server/src/api-types.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { percent } from '../../lib/format-number.ts'
import { formatDuration, timeOfDay } from '../../lib/format-time.ts'
import { historyLink } from '../../playback/history-link.ts'
import { useCan } from '../../session/session.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { shareOf, type ItemRun } from './item-run.ts'
import classes from './ItemPlayer.module.css'

interface ItemProps {
  readonly item: ReviewItemResponse
  readonly run: ItemRun
}

/** Where in the played range something moved, and the playback time. */
export function ItemTrack({ item, run }: ItemProps) {
  const [start, end] = [shareOf(run, item.start), shareOf(run, item.end ?? run.to)]
  return (
    <div className={classes.track} aria-hidden>
      <div className={classes.moved} style={{ insetInlineStart: `${start}%`, width: `${end - start}%` }} />
      {run.at !== undefined && (
        <div className={classes.head} style={{ insetInlineStart: `${shareOf(run, run.at)}%` }} />
      )}
    </div>
  )
}

interface ItemControlsProps extends ItemProps {
  /** URL of the item's video. */
  readonly clip: string
  readonly act: {
    /** undefined: there is no such item. */
    readonly newer: (() => void) | undefined
    readonly older: (() => void) | undefined
    /** undefined: the user's role doesn't play recordings. */
    readonly toggle: (() => void) | undefined
    readonly toggleSeen: () => void
    readonly delete: () => void
  }
}

/** The buttons below the video. */
export function ItemControls({ item, run: { playing, over, at }, clip, act }: ItemControlsProps) {
  const { review } = useTexts('review')
  const [hasHistory, canDownload, canDelete] = [useCan('history'), useCan('download'), useCan('delete')]
  return (
    <div className={classes.controls}>
      <IconButton icon={IconChevronLeft} label={review.previous} onClick={act.newer} mirrored />
      {act.toggle && (
        <IconButton
          icon={over ? IconReload : playing ? IconPlayerPauseFilled : IconPlayerPlayFilled}
          label={over ? review.again : playing ? review.pause : review.play}
          onClick={act.toggle}
          data-autofocus
        />
      )}
      <IconButton icon={IconChevronRight} label={review.next} onClick={act.older} mirrored />
      <ItemFacts item={item} at={at} />
      <span className={classes.rest}>
        <IconButton
          icon={item.seen ? IconEyeCheck : IconEye}
          label={item.seen ? review.markUnseen : review.markSeen}
          onClick={act.toggleSeen}
        />
        {canDownload && <IconButton icon={IconDownload} label={review.download} download={clip} />}
        {canDelete && <IconButton icon={IconTrash} label={review.delete} onClick={act.delete} />}
        {hasHistory && (
          <Button
            renderRoot={(props) => <Link {...props} {...historyLink(item.camera, item.start)} />}
            variant="default"
            leftSection={<IconHistory size={18} aria-hidden />}
          >
            {review.inHistory}
          </Button>
        )}
      </span>
    </div>
  )
}

function ItemFacts({ item, at }: { item: ReviewItemResponse; at: number | undefined }) {
  const { review, partsSeparator } = useTexts('review')
  const locale = useLocale()
  const facts = [
    item.end === null ? review.inProgress : formatDuration(Math.max(1, Math.round(item.end - item.start)), locale),
    review.moved({ percent: percent(item.data.motion, locale) }),
  ]
  return (
    <span className={classes.facts}>
      <Badge variant="light" tt="none" color={item.severity === 'alert' ? 'red' : 'gate'}>
        {review.severities[item.severity]}
      </Badge>
      {at !== undefined && <span className={classes.time}>{timeOfDay(at, locale)}</span>}
      <span>{facts.join(partsSeparator)}</span>
    </span>
  )
}
