import { Button, useDirection } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useReducer, useRef, useState } from 'react'
import type { ReviewItemResponse } from '../../../../server/src/api-types.ts'
import { cameraPath } from '../../cameras/queries.ts'
import { useTitles } from '../../cameras/useTitles.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { urlOf } from '../../lib/base.ts'
import { timeOfDay } from '../../lib/format-time.ts'
import type { RecordingState } from '../../player/recording/recording-state.ts'
import { RecordingVideo } from '../../playback/RecordingVideo.tsx'
import { useCan } from '../../session/session.ts'
import { useKeys } from '../../ui/shortcuts/useKeys.ts'
import { DeleteItems } from '../DeleteItems.tsx'
import { afterItemEvent, itemRunOf } from './item-run.ts'
import { ItemControls, ItemTrack } from './ItemControls.tsx'
import { ItemThumbnail } from './ItemThumbnail.tsx'
import classes from './ItemPlayer.module.css'
import { useMarking } from '../useMarking.tsx'

interface PlayingItemProps {
  readonly item: ReviewItemResponse
  readonly onNewer: (() => void) | undefined
  readonly onOlder: (() => void) | undefined
  /** The item was deleted. */
  readonly onGone: () => void
}

/** Plays one item. The next one starts in the same player, so that the focused control keeps the focus. */
export function PlayingItem({ item, onNewer, onOlder, onGone }: PlayingItemProps) {
  const { partsSeparator } = useTexts()
  const locale = useLocale()
  const { dir } = useDirection()
  const title = useTitles()(item.camera)
  const { markSeenOnce, toggleSeen } = useSeenOnPlay(item)
  const [hasHistory, mayDownload] = [useCan('history'), useCan('download')]
  const [isDeleting, setDeleting] = useState(false)
  const [run, dispatch] = useReducer(afterItemEvent, item, (first) => itemRunOf(first, Date.now() / 1000))
  const [rendered, setRendered] = useState(item)
  if (rendered !== item) {
    setRendered(item)
    dispatch(changedItem(item))
  }

  const onState = ({ kind }: RecordingState) => {
    if (kind === 'ended') dispatch({ type: 'access-lost' })
    if (kind === 'shown') markSeenOnce()
  }
  const onTime = (at: number) => {
    dispatch({ type: 'time', at })
    markSeenOnce()
  }
  const stage = useRef<HTMLDivElement>(null)
  const [left, right] = dir === 'rtl' ? [onOlder, onNewer] : [onNewer, onOlder]
  useKeys({ ArrowLeft: () => left?.(), ArrowRight: () => right?.(), s: toggleSeen }, stage)

  const clip = urlOf(`${cameraPath(item.camera)}/clip.mp4?start=${run.from}&end=${run.to}`).href
  const label = [title, timeOfDay(item.start, locale)].join(partsSeparator)
  return (
    <>
      <div ref={stage} className={classes.stage} data-playing={item.id}>
        {hasHistory ? (
          <RecordingVideo
            camera={item.camera}
            label={label}
            from={run.from}
            to={run.to}
            place={run.place}
            playing={run.playing}
            onTime={onTime}
            onState={onState}
            onEnd={() => dispatch({ type: 'end' })}
            unplayable={mayDownload && <DownloadButton clip={clip} />}
          />
        ) : (
          <ItemThumbnail
            key={item.id}
            item={item}
            label={label}
            onLoaded={markSeenOnce}
            onAccessLost={() => dispatch({ type: 'access-lost' })}
          />
        )}
      </div>
      {!run.accessLost && (
        <>
          {hasHistory && <ItemTrack item={item} run={run} />}
          <ItemControls
            item={item}
            run={run}
            clip={clip}
            act={{
              newer: onNewer,
              older: onOlder,
              toggle: hasHistory ? () => dispatch({ type: 'toggle' }) : undefined,
              toggleSeen,
              delete: () => setDeleting(true),
            }}
          />
        </>
      )}
      <DeleteItems items={[item]} opened={isDeleting} onClose={() => setDeleting(false)} onDeleted={onGone} />
    </>
  )
}

function DownloadButton({ clip }: { clip: string }) {
  const { review } = useTexts('review')
  return (
    <Button component="a" href={clip} download variant="default" leftSection={<IconDownload size={18} aria-hidden />}>
      {review.download}
    </Button>
  )
}

const changedItem = (item: ReviewItemResponse) => ({ type: 'item', item, now: Date.now() / 1000 }) as const

/** Marks an item as seen once it's shown, unless the user has marked it as unseen since. */
function useSeenOnPlay(item: ReviewItemResponse) {
  const { mark } = useMarking()
  /** The item that needs no marking anymore. */
  const marked = useRef(item.seen ? item.id : undefined)
  return {
    markSeenOnce() {
      if (marked.current === item.id) return
      marked.current = item.id
      if (!item.seen) void mark([item], true)
    },
    toggleSeen() {
      marked.current = item.id
      void mark([item], !item.seen)
    },
  }
}
