import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ReviewItemResponse } from '../../../../server/src/api-types.ts'
import { ApiError } from '../../api/api.ts'
import { messageOf } from '../../api/failure.ts'
import { useTitles } from '../../cameras/useTitles.ts'
import { useLocale, useTexts } from '../../i18n/texts.ts'
import { moment } from '../../lib/format-time.ts'
import { useNarrow } from '../../ui/breakpoints.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import classes from './ItemPlayer.module.css'
import { PlayingItem } from './PlayingItem.tsx'
import { reviewItem } from '../queries.ts'

/** Number of remaining items at which more are fetched. */
const left = 5

interface ItemPlayerProps {
  readonly id: string
  /** The list that contains the item, newest first. */
  readonly items: readonly ReviewItemResponse[]
  /** Goes to another item; undefined closes the player. */
  readonly onGo: (id: string | undefined) => void
  /** Nothing is being fetched, and the last fetch didn't fail. */
  readonly canFetch: boolean
  readonly onNearEnd: () => void
}

/** Plays items in place, one after the other. */
export function ItemPlayer({ id, items, onGo, canFetch, onNearEnd }: ItemPlayerProps) {
  const texts = useTexts('review')
  const { review } = texts
  const isNarrow = useNarrow()
  const title = useTitles()
  const locale = useLocale()
  const at = items.findIndex((item) => item.id === id)
  const [newer, older] = [at > 0 ? items[at - 1] : undefined, at >= 0 ? items[at + 1] : undefined]
  const [item, error] = useItem(id, items[at])

  const isNearEnd = at >= items.length - left
  const notifyNearEnd = useEffectEvent(onNearEnd)
  useEffect(() => {
    if (isNearEnd && canFetch) notifyNearEnd()
  }, [isNearEnd, canFetch])
  // After a failure, the next step fetches again.
  const step = isNearEnd ? at : undefined
  useEffect(() => {
    if (step !== undefined) notifyNearEnd()
  }, [step])

  const isMissing = error instanceof ApiError && error.failure.status === 404
  return (
    <Dialog
      opened
      onClose={() => onGo(undefined)}
      title={item ? [title(item.camera), moment(item.start * 1000, locale)].join(texts.partsSeparator) : review.play}
      size="min(1200px, 94vw, 125dvh)"
      centered
      radius={isNarrow ? 0 : 'lg'}
      fullScreen={isNarrow}
    >
      {item ? (
        <PlayingItem
          item={item}
          onNewer={newer && (() => onGo(newer.id))}
          onOlder={older && (() => onGo(older.id))}
          onGone={() => onGo((older ?? newer)?.id)}
        />
      ) : error ? (
        <Text role="alert">{isMissing ? review.notFound : messageOf(error, texts)}</Text>
      ) : (
        <div className={classes.stage} />
      )}
    </Dialog>
  )
}

/** An item of the list, or one that only the URL names. One that leaves the list, for example with its camera, stays. */
function useItem(id: string, listed: ReviewItemResponse | undefined): [ReviewItemResponse | undefined, Error | null] {
  const query = useQuery({ ...reviewItem(id), enabled: !listed })
  const found = listed ?? query.data
  const [last, setLast] = useState(found)
  if (found && found !== last) setLast(found)
  return [found ?? (last?.id === id ? last : undefined), query.error]
}
